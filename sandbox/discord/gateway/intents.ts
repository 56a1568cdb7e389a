/** Intent bits (documentation of the gateway, 'List of Intents'). */
export const intents = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_PRESENCES: 1 << 8,
  GUILD_MESSAGES: 1 << 9,
  DIRECT_MESSAGES: 1 << 12,
  MESSAGE_CONTENT: 1 << 15,
} as const;

const everyBit = 0b11_0011_0001_1111_1111_1111_1111;

export type PrivilegedSwitches = { members: boolean; presences: boolean; messageContent: boolean };

/** The close code for invalid or disallowed intents; null if all are allowed. */
export function problemOfIntents(asked: number, allowed: PrivilegedSwitches): 4013 | 4014 | null {
  if (!Number.isInteger(asked) || asked < 0 || (asked & ~everyBit) !== 0) return 4013;
  const disallowed =
    (allowed.members ? 0 : intents.GUILD_MEMBERS) |
    (allowed.presences ? 0 : intents.GUILD_PRESENCES) |
    (allowed.messageContent ? 0 : intents.MESSAGE_CONTENT);
  return (asked & disallowed) === 0 ? null : 4014;
}
