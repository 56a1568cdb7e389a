import * as z from 'zod/mini';

import { time } from '../shared/answer-fields.ts';
import { memberName } from './contract.ts';

/** What admins see and decide about the members of a server (rulings R5 and R6). */

const waitingRemoval = z.object({
  id: z.string(),
  createdAt: time,
  removalCount: z.int(),
  holderCount: z.int(),
  /** At most 50. */
  members: z.array(memberName),
});

/** GET /api/discord/guilds/{guildId}/statistics (rulings R5). */
export const statisticsAnswer = z.object({
  memberCount: z.nullable(z.int()),
  verifiedCount: z.int(),
  /** Verified members who have the role, as last reported by Discord. */
  roleHolderCount: z.int(),
  walletCount: z.int(),
  authorizedWalletCount: z.int(),
  /** One check found nothing; the second one decides. */
  inDoubtCount: z.int(),
  /** Two checks found nothing: the role ends after the grace period, or waits for an admin's decision. */
  pendingRemovalCount: z.int(),
  unknownCount: z.int(),
  lastSweep: z.nullable(
    z.object({
      at: time,
      checked: z.int(),
      holding: z.int(),
      notHolding: z.int(),
      unknown: z.int(),
      durationMs: z.int(),
      /** Why not every wallet could be read: a stable code. */
      failure: z.nullable(z.string()),
    }),
  ),
  nextSweepAt: z.nullable(time),
  waitingRemoval: z.nullable(waitingRemoval),
  pendingActionCount: z.int(),
  /** Why no roles are changed at the moment, as a sentence. */
  pauseReason: z.nullable(z.string()),
  failedActionCount: z.int(),
  /** The latest of them. */
  failedActions: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['grant-role', 'remove-role']),
      member: memberName,
      failure: z.string(),
      at: time,
    }),
  ),
});
export type StatisticsAnswer = z.infer<typeof statisticsAnswer>;

/**
 * GET /api/discord/guilds/{guildId}/unverified-holders: members with the role and no linked wallet, as Discord reports them. null: no
 * bot runs here, or no role is chosen.
 */
export const unverifiedHoldersAnswer = z.nullable(
  z.object({
    count: z.int(),
    /** All members were read; if not, there may be more. */
    isComplete: z.boolean(),
    /** At most 50. */
    members: z.array(memberName),
  }),
);
export type UnverifiedHoldersAnswer = z.infer<typeof unverifiedHoldersAnswer>;

/** POST /api/discord/removals/{removalId}/approve and /refuse. */
export const doneAnswer = z.object({ ok: z.literal(true) });

/** Why a member has the role or not, wallet by wallet: what /why says and the admin sees. */
export const memberExplanation = z.object({
  member: memberName,
  isInGuild: z.boolean(),
  roleState: z.enum(['none', 'holder', 'doubt', 'grace', 'braked', 'kept']),
  hasRole: z.nullable(z.boolean()),
  answer: z.nullable(z.enum(['holds', 'does-not-hold', 'unknown'])),
  answeredAt: z.nullable(time),
  nextCheckAt: z.nullable(time),
  wantsPayoutMessages: z.boolean(),
  removalDueAt: z.nullable(time),
  /** Shut down by an admin: no role is given or removed meanwhile. */
  isBotOff: z.boolean(),
  /** One sentence each, in order: the rule, what was found, what follows. */
  sentences: z.array(z.string()),
  wallets: z.array(
    z.object({
      wallet: z.string(),
      linkedAt: time,
      answer: z.nullable(z.enum(['holds', 'does-not-hold', 'unknown'])),
      /** '3 rocks: 1 in your wallet, 2 in kiosks, 1 of them listed'. */
      found: z.nullable(z.string()),
      authorizedUntil: z.nullable(z.union([time, z.literal('always')])),
    }),
  ),
});
export type MemberExplanation = z.infer<typeof memberExplanation>;

/**
 * GET /api/discord/guilds/{guildId}/members?search=&after=: members with a linked wallet, or who still have the role after unlinking
 * theirs; `search`: a name, an id or an address. 50 a page.
 */
export const membersAnswer = z.object({
  members: z.array(
    z.object({
      userId: z.string(),
      displayName: z.string(),
      isInGuild: z.boolean(),
      roleState: memberExplanation.shape.roleState,
      hasRole: z.nullable(z.boolean()),
      walletCount: z.int(),
      answeredAt: z.nullable(time),
    }),
  ),
  nextAfter: z.nullable(z.string()),
});
export type MembersAnswer = z.infer<typeof membersAnswer>;
/** Authorized wallets of a server (rulings R5). */

export const authorizedWallet = z.object({
  id: z.string(),
  wallet: z.string(),
  reason: z.string(),
  expiresAt: z.nullable(time),
  isActive: z.boolean(),
  addedBy: z.string(),
  addedAt: time,
  removedBy: z.nullable(z.string()),
  removedAt: z.nullable(time),
  /** Who linked it, if anyone. */
  member: z.nullable(memberName),
});
/** GET /api/discord/guilds/{guildId}/wallets: newest first, including those removed or expired in the last 30 days. */
export const authorizedWalletsAnswer = z.array(authorizedWallet);
export type AuthorizedWalletsAnswer = z.infer<typeof authorizedWalletsAnswer>;
/** The calls of /verify/<token>: public, by the secret in the link. */

/**
 * GET /api/verify/{token}: only the member's name, since no one has signed yet. An ended link is 410 `link-expired` or `link-used`; 404
 * `no-such-link`.
 */
export const verificationAnswer = z.object({
  guildName: z.string(),
  memberName: z.string(),
  nftName: z.string(),
  /** `mainnet`, …: the wallet must be on the same network. */
  network: z.string(),
  expiresAt: time,
});
/** POST /api/verify/{token}/message: the text for this wallet to sign; replaces the previous one. */
export const verifyMessageAnswer = z.object({ message: z.string(), expiresAt: time });
/**
 * `role-coming`: given within seconds. `not-holding`: linked, the role comes with the first piece. `unknown`: linked; the check is
 * running, or is repeated as soon as the chain can be read. `bot-off`: linked; an admin has shut the bot down.
 */
const verificationOutcome = z.enum(['role-coming', 'not-holding', 'unknown', 'not-set-up', 'bot-off']);
export const verifyOutcomeAnswer = z.object({
  wallet: z.string(),
  outcome: verificationOutcome,
  /** Sentences a member can act on: what was found, where, and what happens next. */
  sentences: z.array(z.string()),
  /** For `outcome` below: only the one who signed learns the outcome. */
  receipt: z.string(),
});
export type VerifyOutcomeAnswer = z.infer<typeof verifyOutcomeAnswer>;
/**
 * POST /api/verify/{token}/outcome: the outcome, until the link would have expired. The link alone is no longer enough: without the
 * receipt of the signature it is 404 `no-such-link`.
 */
export const verifyProgressAnswer = z.object({
  /** Discord has confirmed that the member has the role. */
  isGiven: z.boolean(),
  outcome: verificationOutcome,
  /** Like the sentences of the signature's answer, but up to date. */
  sentences: z.array(z.string()),
});
export type VerifyProgressAnswer = z.infer<typeof verifyProgressAnswer>;
