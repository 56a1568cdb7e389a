import type { Command } from './command.ts';
import type { CommandFacts } from '../contract.ts';
import { floor } from './floor.ts';
import { helpAbout } from './help.ts';
import { remove } from './remove.ts';
import { rock } from './rock.ts';
import { setup } from './setup.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { summary } from './summary.ts';
import { test } from './test.ts';
import { tracking } from './tracking.ts';

/**
 * Every command of the bot, in order (rulings R4). Telegram's menus, /help, the public page, the dashboard and the code
 * that reads updates use this table.
 */
export const commands: readonly Command[] = [
  start,
  helpAbout(() => commands),
  floor,
  summary,
  rock,
  status,
  setup,
  tracking,
  test,
  remove,
];

export const commandNamed = (name: string): Command | null => commands.find((command) => command.name === name) ?? null;

const guidePlace = ({ name, where }: Command): number => (where === 'everywhere' ? 0 : name === 'setup' ? 1 : 2);

/** The order of a guide: /setup before everything that needs it. Reaches the browser through scripts/virtual-modules.ts. */
export const guideCommands: readonly CommandFacts[] = commands.toSorted(
  (one, other) => guidePlace(one) - guidePlace(other),
);

/** Where a menu of commands is shown (Bot API, BotCommandScope). */
export type CommandScope = 'private' | 'group' | 'group-admins';

const isInScope = ({ who, where }: Command, scope: CommandScope): boolean =>
  scope === 'private' ? where === 'everywhere' : scope === 'group-admins' || who === 'anyone';

/** The argument of setMyCommands for one scope. */
export const menuOf = (scope: CommandScope): { command: string; description: string }[] =>
  commands
    .filter((command) => isInScope(command, scope))
    .map(({ name, menuLine }) => ({ command: name, description: menuLine }));
