/** The bot's commands (rulings R5), as they are registered and as /help and the docs name them. At most 100 characters each. */
export const commandList = [
  { name: 'verify', description: 'Link a wallet and get the holder role' },
  { name: 'wallets', description: 'See the wallets you have linked, unlink one, or delete your data' },
  { name: 'why', description: 'Why you have the holder role, or do not: every wallet and the last check' },
  { name: 'setup', description: 'Choose the holder role and post the verify panel (Manage Server)' },
  { name: 'stats', description: 'How many members are verified here, and when they were last checked' },
  { name: 'help', description: 'What this bot does and what it keeps' },
] as const;

export type CommandName = (typeof commandList)[number]['name'];
