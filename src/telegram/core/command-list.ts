/** Where a list of commands is shown (Bot API, BotCommandScope). */
export type CommandScope = 'private' | 'group' | 'group-admins';

interface Command {
  readonly command: string;
  /** How it is typed, with an example. */
  readonly usage: string;
  readonly description: string;
  readonly scopes: readonly CommandScope[];
}

const everywhere: readonly CommandScope[] = ['private', 'group', 'group-admins'];
const inGroups: readonly CommandScope[] = ['group', 'group-admins'];
const forAdmins: readonly CommandScope[] = ['group-admins'];

/** Rulings R4: every command of the bot, in the order of /help. */
export const botCommandList: readonly Command[] = [
  { command: 'start', usage: '/start', description: 'What the bot does and what to do next', scopes: everywhere },
  { command: 'help', usage: '/help', description: 'Every command with an example', scopes: everywhere },
  { command: 'floor', usage: '/floor', description: 'The floor price right now', scopes: inGroups },
  { command: 'summary', usage: '/summary', description: 'The state of the collection in one card', scopes: inGroups },
  {
    command: 'status',
    usage: '/status',
    description: 'Last check, permissions, waiting messages',
    scopes: inGroups,
  },
  {
    command: 'setup',
    usage: '/setup 0x1234…abcd::module::Nft',
    description: 'Connect this group to a collection',
    scopes: forAdmins,
  },
  { command: 'tracking', usage: '/tracking', description: 'Choose what gets posted', scopes: forAdmins },
  { command: 'test', usage: '/test', description: 'Post the latest real sale as a sample', scopes: forAdmins },
  { command: 'remove', usage: '/remove', description: 'End the tracking in this group', scopes: forAdmins },
];

/** What setMyCommands is told for one scope. */
export const commandsFor = (scope: CommandScope): { command: string; description: string }[] =>
  botCommandList
    .filter(({ scopes }) => scopes.includes(scope))
    .map(({ command, description }) => ({ command, description }));
