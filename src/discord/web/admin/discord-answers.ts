import * as z from 'zod/mini';
import {
  flag,
  instant,
  list,
  number,
  oneOf,
  orNull,
  orUnknown,
  part,
  rowId,
  rows,
  text,
  textOrNone,
  time,
} from '../../../ui/api/answer-schema.ts';
import { botServiceAnswer } from '../../../ui/bot-service.tsx';

/** GET /api/discord/status, from rulings R5. */
export const discordStatus = z.object({
  online: flag,
  ...botServiceAnswer,
  username: text,
  id: text,
  guildCount: number,
});
export type DiscordStatus = z.infer<typeof discordStatus>;

/** GET /api/discord/invite-url. Specification 3: null means offline. */
export const botInfo = z.nullable(z.object({ username: text, id: text, invite_url: text }));
export type BotInfo = NonNullable<z.infer<typeof botInfo>>;

/** Specification 3, community-server guild; after the specification's fields come those that rulings R5 and R6 add. */
export const discordGuild = z.object({
  id: rowId,
  name: textOrNone,
  memberCount: number,
  config: part({
    roleId: textOrNone,
    channelId: text,
    nftContract: textOrNone,
    nftName: textOrNone,
    graceMinutes: number,
    version: number,
  }),
  roles: rows(z.object({ id: rowId, name: textOrNone, canBeGiven: flag })),
  channels: rows(z.object({ id: rowId, name: textOrNone, canPost: flag })),
  problems: rows(z.object({ code: text, message: z.string(), fix: text })),
  verifiedCount: number,
  hasWaitingRemoval: flag,
});
export type DiscordGuild = z.infer<typeof discordGuild>;

export const discordGuilds = list(discordGuild);

const nameOfMember = { userId: rowId, displayName: textOrNone };
const memberName = z.object(nameOfMember);
export type MemberName = z.infer<typeof memberName>;

/** POST /api/discord/guilds/{guildId}/dry-run. */
export const dryRunResult = z.object({
  hasRole: flag,
  nftType: text,
  foundName: text,
  isConfigured: flag,
  verifiedCount: number,
  gives: z.number(),
  takes: z.number(),
  keeps: number,
  losing: number,
  unknown: number,
  givesTo: rows(memberName),
  takesFrom: rows(memberName),
});
export type DryRunResult = z.infer<typeof dryRunResult>;

const actionKind = oneOf('grant-role', 'remove-role');
const finding = oneOf('holds', 'does-not-hold', 'unknown');
const roleState = oneOf('none', 'holder', 'doubt', 'grace', 'braked', 'kept');

/** GET /api/discord/guilds/{guildId}/statistics. */
export const guildStatistics = z.object({
  memberCount: number,
  verifiedCount: number,
  roleHolderCount: number,
  walletCount: number,
  authorizedWalletCount: number,
  inDoubtCount: number,
  pendingRemovalCount: number,
  unknownCount: number,
  lastSweep: orUnknown(
    z.object({
      at: instant,
      checked: z.number(),
      holding: z.number(),
      notHolding: z.number(),
      unknown: number,
      durationMs: number,
      failure: text,
    }),
  ),
  nextSweepAt: orUnknown(instant),
  waitingRemoval: part({
    id: rowId,
    createdAt: time,
    removalCount: z.number(),
    holderCount: number,
    members: rows(memberName),
  }),
  pendingActionCount: number,
  pauseReason: text,
  failedActionCount: number,
  failedActions: rows(
    z.object({ id: orNull(rowId), kind: actionKind, member: part(nameOfMember), failure: text, at: time }),
  ),
});
export type GuildStatistics = z.infer<typeof guildStatistics>;

/** GET /api/discord/guilds/{guildId}/members. */
const listedMember = z.object({
  userId: rowId,
  displayName: textOrNone,
  isInGuild: flag,
  roleState,
  hasRole: flag,
  walletCount: number,
  answeredAt: orUnknown(instant),
});
export type ListedMember = z.infer<typeof listedMember>;
export const membersPage = z.object({ members: list(listedMember), nextAfter: text });

/** GET /api/discord/guilds/{guildId}/members/{userId}. */
export const memberExplanation = z.object({
  member: memberName,
  isInGuild: flag,
  roleState,
  hasRole: flag,
  answer: orUnknown(z.enum(['holds', 'does-not-hold', 'unknown'])),
  answeredAt: time,
  nextCheckAt: orUnknown(instant),
  removalDueAt: time,
  sentences: rows(z.string()),
  wallets: rows(z.object({ wallet: z.string(), linkedAt: time, answer: finding, found: text, authorizedUntil: text })),
});
export type MemberExplanation = z.infer<typeof memberExplanation>;

/** GET /api/discord/guilds/{guildId}/wallets. */
const authorizedWallet = z.object({
  id: rowId,
  wallet: z.string(),
  reason: textOrNone,
  expiresAt: orUnknown(instant),
  isActive: flag,
  addedBy: text,
  addedAt: time,
  removedBy: text,
  removedAt: time,
  member: orUnknown(memberName),
});
export type AuthorizedWallet = z.infer<typeof authorizedWallet>;
export const authorizedWallets = list(authorizedWallet);

/** GET /api/discord/guilds/{guildId}/unverified-holders. */
export const unverifiedHolders = orNull(
  z.object({
    count: number,
    isComplete: flag,
    members: rows(z.object({ userId: z.string(), displayName: z.string() })),
  }),
);
