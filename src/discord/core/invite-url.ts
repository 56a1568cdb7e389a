/** Discord's permission bits (documentation, topics/permissions): View Channels, Send Messages, Embed Links, Manage Roles. */
const invitePermissions = (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 28n);

/** Where an admin of a server lets the bot in. The bot's id is also its application's. */
export const inviteUrl = (botId: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${botId}&scope=bot+applications.commands&permissions=${invitePermissions}`;
