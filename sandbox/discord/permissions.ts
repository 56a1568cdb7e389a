/** Discord's permission bits by their names in the documentation of API v10. */
export const permissionBits = {
  CREATE_INSTANT_INVITE: 1n << 0n,
  KICK_MEMBERS: 1n << 1n,
  BAN_MEMBERS: 1n << 2n,
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  CHANGE_NICKNAME: 1n << 26n,
  MANAGE_NICKNAMES: 1n << 27n,
  MANAGE_ROLES: 1n << 28n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
} as const;

export type PermissionName = keyof typeof permissionBits;
export const permissionNames = Object.keys(permissionBits) as PermissionName[];

/** Permissions of @everyone in a new server. */
export const everyonePermissions: readonly PermissionName[] = [
  'CREATE_INSTANT_INVITE',
  'ADD_REACTIONS',
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'EMBED_LINKS',
  'ATTACH_FILES',
  'READ_MESSAGE_HISTORY',
  'CHANGE_NICKNAME',
  'USE_APPLICATION_COMMANDS',
];

/** Permissions that a bot of this kind usually gets when invited. */
export const usualBotPermissions: readonly PermissionName[] = [
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'EMBED_LINKS',
  'READ_MESSAGE_HISTORY',
  'MANAGE_ROLES',
];

export function bitsOf(names: readonly PermissionName[]): bigint {
  return names.reduce((bits, name) => bits | permissionBits[name], 0n);
}
