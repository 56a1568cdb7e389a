import * as z from 'zod/mini';
import { botServiceFields, described } from '../shared/answer-fields.ts';

/**
 * The admin calls of the community-server bot and its servers (specification 7), with what rulings R5 and R6 add. Calls about single
 * members, authorized wallets and /verify are in members-contract.ts.
 */

export const memberName = z.object({ userId: z.string(), displayName: z.string() });

export const discordStatusAnswer = z.object({
  /** The bot is online, in some copy of the product. */
  online: z.boolean(),
  ...botServiceFields,
  id: z.nullable(z.string()),
  guildCount: z.int(),
});
/** GET /api/discord/status; POST /api/discord/init and /api/discord/shutdown answer the status after it. */
export type DiscordStatusAnswer = z.infer<typeof discordStatusAnswer>;

/** GET /api/discord/invite-url. Specification 3: null means offline; here any answer but 200 does (409 `bot-offline`, `bot-not-configured`). */
export const inviteUrlAnswer = z.object({ username: z.string(), id: z.string(), invite_url: z.string() });
export type InviteUrlAnswer = z.infer<typeof inviteUrlAnswer>;

/** Something that keeps the bot from working in a server, with the exact fix (rulings R5). Codes are stable. */
const guildProblem = z.object({ code: z.string(), message: z.string(), fix: z.string() });

const guildConfig = z.object({
  /** Empty: none has been chosen with /setup yet (specification 5). */
  roleId: z.string(),
  channelId: z.optional(z.string()),
  nftContract: z.string(),
  nftName: z.string(),
  graceMinutes: z.int(),
  /** Sent back as `If-Match` with a save. */
  version: z.int(),
});

export const guild = z.object({
  id: z.string(),
  name: z.string(),
  memberCount: described(z.nullable(z.int()), 'null: Discord sent no readable number'),
  config: z.optional(guildConfig),
  roles: z.array(z.object({ id: z.string(), name: z.string(), canBeGiven: z.boolean() })),
  channels: z.array(z.object({ id: z.string(), name: z.string(), canPost: z.boolean() })),
  problems: z.array(guildProblem),
  verifiedCount: z.int(),
  /** A mass removal waits for an admin's decision. */
  hasWaitingRemoval: z.boolean(),
});
export type DiscordGuild = z.infer<typeof guild>;

/** GET /api/discord/guilds: the servers the bot is in, by name. 409 `bot-offline` while it is not online. */
export const guildsAnswer = z.array(guild);
export type GuildsAnswer = z.infer<typeof guildsAnswer>;

/** 409: someone else saved meanwhile (rulings R6). */
export const staleGuildAnswer = z.object({
  message: z.string(),
  code: z.literal('stale'),
  current: guild,
  yours: z.record(z.string(), z.unknown()),
});

/** POST /api/discord/guilds/{guildId}/dry-run: what saving this contract would do ('gives the role to 41, takes it from 3'). Changes nothing. */
export const dryRunAnswer = z.object({
  /** False: no role is chosen, or Discord no longer has it. Then no one gets or loses anything. */
  hasRole: z.boolean(),
  nftType: z.string(),
  /** What the chain or the marketplace calls it; untrusted text. */
  foundName: z.nullable(z.string()),
  /** It is already the server's contract: no one loses the role because of the save. */
  isConfigured: z.boolean(),
  verifiedCount: z.int(),
  gives: z.int(),
  takes: z.int(),
  keeps: z.int(),
  /** Hold nothing and are about to lose the role, whether it is saved or not. */
  losing: z.int(),
  /** Their wallets could not be read now: nothing changes for them. */
  unknown: z.int(),
  /** At most 20 each. */
  givesTo: z.array(memberName),
  takesFrom: z.array(memberName),
});
export type DryRunAnswer = z.infer<typeof dryRunAnswer>;
