import { z } from 'zod';
import type { JobName } from '../../jobs/define-job.ts';
import type { Kysely } from 'kysely';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import type { AuditTrail, Clock, Ownership, RolePlatform } from '../ports.ts';

/** The role engine's jobs, as their senders know them. */
const ofGuild = z.object({ guildId: z.string() });
const ofMember = z.object({ guildId: z.string(), userId: z.string() });
const actionsOf = z.object({ guildId: z.string(), kind: z.enum(['role-changes', 'messages']) });
export type ActionsOf = z.infer<typeof actionsOf>;
const ofType = z.object({ nftType: z.string() });
const nothing: z.ZodType<object> = z.object({});

/** Reads the wallets of one member and applies the result. */
export const memberChecks: JobName<z.infer<typeof ofMember>> = {
  name: 'discord-member-check',
  payload: ofMember,
  key: ({ guildId, userId }) => `${guildId} ${userId}`,
};

/** Gives and removes roles in one server, or sends direct messages, one after the other: Discord takes no more at once. */
export const roleActions: JobName<ActionsOf> = {
  name: 'discord-actions',
  payload: actionsOf,
  key: ({ guildId, kind }) => `${guildId} ${kind}`,
};

/** Decides who is notified and who loses the role in one server. */
export const removals: JobName<z.infer<typeof ofGuild>> = {
  name: 'discord-removals',
  payload: ofGuild,
  key: ({ guildId }) => guildId,
};

/** Checks everyone in all servers with that NFT type. */
export const sweeps: JobName<z.infer<typeof ofType>> = {
  name: 'discord-sweep',
  payload: ofType,
  key: ({ nftType }) => nftType,
};

const ofPost = z.object({ id: z.string() });
export type ChannelPost = z.infer<typeof ofPost>;
/** Posts one message in a channel. */
export const channelPosts: JobName<ChannelPost> = {
  name: 'discord-posts',
  payload: ofPost,
  key: ({ id }) => id,
};

const workEveryMs = 1_000;
/** Finds what is due, and sends the jobs above. */
export const dueWork = {
  name: 'discord-due-work',
  payload: nothing,
  repeats: { payload: {}, everyMs: workEveryMs },
};

const expiryEveryMs = 5_000;
/** Ends authorized wallets that expire. */
export const authorizationExpiry = {
  name: 'discord-authorization-expiry',
  payload: nothing,
  repeats: { payload: {}, everyMs: expiryEveryMs },
};

/** Everything the role engine works with; its parts name what they use of it. */
export interface RolesDeps {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly ownership: Ownership;
  /** null: there is no bot; nothing is given or removed, and what is due waits. */
  readonly platform: RolePlatform | null;
  readonly audit: AuditTrail;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Canonical type of the product's own collection. */
  readonly collectionType: string;
  /** RECHECK_INTERVAL_MS. */
  readonly recheckMs: number;
  /** Awaited between pieces of long work: the site answers from the same process. Left out: this one serves no one else. */
  readonly stepBack?: ((workedMs: number) => Promise<void>) | undefined;
}
