import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { JobName, Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import type { Watching } from '../servers/guild-config-store.ts';
import type { AuditTrail, Clock, Ownership, RolePlatform } from '../ports.ts';

/** Everything the role engine needs; its parts pick what they use. */
export interface RolesDeps {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly ownership: Ownership;
  /** null: there is no bot; no roles are given or removed, and due work waits. */
  readonly platform: RolePlatform | null;
  readonly audit: AuditTrail;
  readonly watching: Pick<Watching, 'lookUp' | 'track' | 'watch'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Canonical type of the product's own collection. */
  readonly collectionType: string;
  readonly recheckIntervalMs: number;
  /** Awaited between pieces of long work: the site runs in the same process. */
  readonly yieldToRequests: (workedMs: number) => Promise<void>;
}

/** What the senders of a job need to know about it. */
const keyed = <Payload extends object>(
  name: string,
  payload: z.ZodType<Payload>,
  key: (payload: Payload) => string,
): JobName<Payload> => ({ name, payload, key });

const ofGuild = z.object({ guildId: z.string() });

/** Reads the wallets of one member and applies the result. */
export const memberChecks = keyed(
  'discord-member-check',
  ofGuild.extend({ userId: z.string() }),
  ({ guildId, userId }) => `${guildId} ${userId}`,
);

/** Gives and removes roles in one server, one after the other: Discord accepts no more at once. */
export const roleChanges = keyed('discord-roles', ofGuild, ({ guildId }) => guildId);

/** Sends one direct message. One that Discord does not deliver holds up no role change. */
export const directMessages = keyed('discord-direct-message', z.object({ id: z.string() }), ({ id }) => id);

/** Decides who is notified and who loses the role in one server. */
export const removals = keyed('discord-removals', ofGuild, ({ guildId }) => guildId);

/** Checks everyone in all servers with that NFT type. */
export const sweeps = keyed('discord-sweep', z.object({ nftType: z.string() }), ({ nftType }) => nftType);

/** Posts one message in a channel. */
export const channelPosts = keyed('discord-posts', z.object({ id: z.string() }), ({ id }) => id);

/** Finds due work and sends the jobs above. */
export const dueWork = { name: 'discord-due-work', everyMs: 1_000 };
