/**
 * Every command of the bot, in order (rulings R4). Telegram's menus, /help, the public page, the dashboard and the code
 * that reads updates use this table; each command's code is in the file of its name.
 */
interface CommandFacts {
  /** Without the slash: 1 to 32 letters (Bot API, BotCommand). */
  readonly name: string;
  readonly who: 'anyone' | 'group-admins';
  readonly where: 'everywhere' | 'groups';
  /** In Telegram's menu and in /help. */
  readonly menuLine: string;
  /** Usage with an example; defaults to the bare command. */
  readonly example?: string;
  /** Specification 2: on the public page, which names seven. */
  readonly page?: { readonly usage?: string; readonly text: string };
  /** Specification 2: in the dashboard's usage instructions, likewise. */
  readonly dashboard?: string;
}

const commandTable = [
  {
    name: 'start',
    who: 'anyone',
    where: 'everywhere',
    menuLine: 'What the bot does and what to do next',
    page: { text: 'Says hello, what the bot does and what to do next.' },
    dashboard: 'Says hello and what to do next',
  },
  {
    name: 'help',
    who: 'anyone',
    where: 'everywhere',
    menuLine: 'Every command with an example',
    page: { text: 'Lists every command with an example.' },
    dashboard: 'Lists every command with an example',
  },
  {
    name: 'floor',
    who: 'anyone',
    where: 'groups',
    menuLine: 'The floor price right now',
    page: { text: 'The floor price of the collection right now, in SUI.' },
    dashboard: 'Shows the floor price right now',
  },
  {
    name: 'summary',
    who: 'anyone',
    where: 'groups',
    menuLine: 'The state of the collection in one card',
    page: { text: 'The state of the collection in one card: minted so far, floor, listings and recent sales.' },
    dashboard: 'Shows the state of the collection in one card',
  },
  { name: 'status', who: 'anyone', where: 'groups', menuLine: 'Last check, permissions, waiting messages' },
  {
    name: 'setup',
    who: 'group-admins',
    where: 'groups',
    menuLine: 'Connect this group to a collection',
    example: '/setup 0x1234…abcd::module::Nft',
    page: {
      usage: '/setup <contract address>',
      text: 'Connects this group to a collection and asks you to confirm its maximum supply. Run it again to change the collection; the bot asks before it replaces anything.',
    },
    dashboard: 'Connects the group to a collection (group admins)',
  },
  {
    name: 'tracking',
    who: 'group-admins',
    where: 'groups',
    menuLine: 'Choose what gets posted',
    page: { text: 'Buttons that switch mint, sale, listing and bid notifications on and off.' },
    dashboard: 'Turns notifications on and off (group admins)',
  },
  { name: 'test', who: 'group-admins', where: 'groups', menuLine: 'Post the latest real sale as a sample' },
  {
    name: 'remove',
    who: 'group-admins',
    where: 'groups',
    menuLine: 'End the tracking in this group',
    page: { text: 'Ends the tracking in this group. The bot asks before it does.' },
    dashboard: 'Stops tracking in the group (group admins)',
  },
] as const satisfies readonly CommandFacts[];

export type CommandName = (typeof commandTable)[number]['name'];
export type Command = CommandFacts & { readonly name: CommandName };

export const commands: readonly Command[] = commandTable;

/** null: no such command. */
export const commandNamed = (name: string): Command | null => commands.find((command) => command.name === name) ?? null;

const guidePlace = ({ name, where }: Command): number => (where === 'everywhere' ? 0 : name === 'setup' ? 1 : 2);

/** The order of a guide: /setup before everything that needs it. */
export const guideCommands = commands.toSorted((one, other) => guidePlace(one) - guidePlace(other));

/** Where a menu of commands is shown (Bot API, BotCommandScope). */
export type CommandScope = 'private' | 'group' | 'group-admins';

const isInScope = ({ who, where }: Command, scope: CommandScope): boolean =>
  scope === 'private' ? where === 'everywhere' : scope === 'group-admins' || who === 'anyone';

/** The argument of setMyCommands for one scope. */
export const menuOf = (scope: CommandScope): { command: string; description: string }[] =>
  commands
    .filter((command) => isInScope(command, scope))
    .map(({ name, menuLine }) => ({ command: name, description: menuLine }));
