import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { JobName, Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import type { Watching } from '../servers/guild-config-store.ts';
import type { AuditTrail, Clock, Ownership, RolePlatform } from '../ports.ts';

/** Everything the role engine works with; its parts name what they use of it. */
export interface RolesDeps {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly ownership: Ownership;
  /** null: there is no bot; nothing is given or removed, and what is due waits. */
  readonly platform: RolePlatform | null;
  readonly audit: AuditTrail;
  readonly watching: Pick<Watching, 'lookUp' | 'track' | 'watch'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Canonical type of the product's own collection. */
  readonly collectionType: string;
  readonly recheckIntervalMs: number;
  /** Awaited between pieces of long work: the site answers from the same process. Left out: this one serves no one else. */
  readonly stepBack?: ((workedMs: number) => Promise<void>) | undefined;
}

/** A job as its senders know it. */
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

const actionsOf = ofGuild.extend({ kind: z.enum(['role-changes', 'messages']) });
export type ActionsOf = z.infer<typeof actionsOf>;
/** Gives and removes roles in one server, or sends direct messages, one after the other: Discord takes no more at once. */
export const roleActions = keyed('discord-actions', actionsOf, ({ guildId, kind }) => `${guildId} ${kind}`);

/** Decides who is notified and who loses the role in one server. */
export const removals = keyed('discord-removals', ofGuild, ({ guildId }) => guildId);

/** Checks everyone in all servers with that NFT type. */
export const sweeps = keyed('discord-sweep', z.object({ nftType: z.string() }), ({ nftType }) => nftType);

/** Posts one message in a channel. */
export const channelPosts = keyed('discord-posts', z.object({ id: z.string() }), ({ id }) => id);

const repeated = (name: string, everyMs: number) => ({
  name,
  payload: z.object({}) as z.ZodType<object>,
  repeats: { payload: {}, everyMs },
});

/** Finds what is due, and sends the jobs above. */
export const dueWork = repeated('discord-due-work', 1_000);
