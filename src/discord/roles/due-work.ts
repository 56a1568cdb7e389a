import type { Kysely } from 'kysely';

import { statementBegun } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { duePosts } from '../posts/channel-posts.ts';
import { isActionReady } from './action-queue.ts';
import { channelPosts, dueWork, memberChecks, removals, roleActions, sweeps, type RolesDeps } from './job-names.ts';
import { guildsWithRemovals } from './removal-store.ts';
import type { ActivityBatch, ActivityListener } from '../../market/contract.ts';
import { type DueMember, markDue } from './member-store.ts';

type Db = Kysely<Database>;

/** The first that are due; the rest is found a second later. */
const membersAtOnceMax = 200;

/** Sends jobs for what the tables say is due, one per member, server or collection. */
export const dueWorkJob = ({ db, jobs }: Pick<RolesDeps, 'db' | 'jobs'>): JobDefinition<object> => ({
  ...dueWork,
  failing: 'Role work that is due could not be read',
  run: async () => {
    const due = await readDueWork(db);
    if (due === null) return;
    await jobs.sendAll(memberChecks, due.members);
    await jobs.sendAll(roleActions, due.actions);
    await jobs.sendAll(removals, due.removals);
    await jobs.sendAll(sweeps, due.sweeps);
    await jobs.sendAll(channelPosts, due.posts);
  },
});

/** null: the bot is switched off, so nothing is done. */
export async function readDueWork(db: Db) {
  const service = db.selectFrom('discordService').select('wanted').where('wanted', '=', 'active');
  if ((await service.execute()).length === 0) return null;
  const guildIds = await guildsWithRemovals(db);
  return {
    members: await dueMembers(db),
    actions: await dueActions(db),
    sweeps: await dueSweeps(db),
    removals: guildIds.map((guildId) => ({ guildId })),
    posts: await duePosts(db),
  };
}

const dueMembers = (db: Db) =>
  db
    .selectFrom('discordMembers as m')
    .innerJoin('discordGuilds as g', 'g.guildId', 'm.guildId')
    .innerJoin('discordGuildConfigs as c', 'c.guildId', 'm.guildId')
    .select(['m.guildId', 'm.userId'])
    .where('g.leftAt', 'is', null)
    .where('m.checkDueAt', '<=', statementBegun)
    .where('m.isInGuild', '=', true)
    .orderBy('m.checkDueAt')
    .limit(membersAtOnceMax)
    .execute();

async function dueActions(db: Db) {
  const ready = await db
    .selectFrom('discordActions as a')
    .innerJoin('discordGuilds as g', 'g.guildId', 'a.guildId')
    .select(({ eb }) => ['a.guildId', eb('a.kind', '=', 'direct-message').as('isMessage')])
    .distinct()
    .where('g.leftAt', 'is', null)
    .where(isActionReady)
    .execute();
  return ready.map(({ guildId, isMessage }) => ({ guildId, kind: isMessage ? 'messages' : 'role-changes' }) as const);
}

const dueSweeps = (db: Db) =>
  db
    .selectFrom('discordGuildConfigs as c')
    .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
    .select('c.nftContract as nftType')
    .distinct()
    .where('c.sweepDueAt', '<=', statementBegun)
    .where('g.leftAt', 'is', null)
    .execute();

/**
 * Rulings R5: the wallets of a sale or a transfer are checked at once. Marks their members due in the transaction that stores the
 * events; the checks come after the commit.
 */
export const createTradeListener = (wake: () => void): ActivityListener => ({
  name: 'discord',
  recordBatch: async (batch, trx) => {
    const { bought, sold } = walletsOf(batch);
    if (bought.size + sold.size === 0) return;
    const linked = await trx
      .selectFrom('discordWallets as w')
      .innerJoin('discordGuildConfigs as c', 'c.guildId', 'w.guildId')
      .select(['w.guildId', 'w.userId', 'w.wallet'])
      .where('c.trackedCollectionId', '=', batch.collection.id.toString())
      .where(({ eb, fn }) => eb('w.wallet', '=', fn.any(eb.val([...bought, ...sold]))))
      .execute();
    await markDue(trx, causesOf(linked, bought, sold));
  },
  batchStored: wake,
});

interface Linked {
  readonly guildId: string;
  readonly userId: string;
  readonly wallet: string;
}

/** One cause for each member, whichever of their wallets it was. */
const causesOf = (
  linked: readonly Linked[],
  bought: ReadonlySet<string>,
  sold: ReadonlySet<string>,
): readonly DueMember[] =>
  [...Map.groupBy(linked, ({ guildId, userId }) => `${guildId} ${userId}`).values()].flatMap((wallets) => {
    const has = (moved: ReadonlySet<string>): boolean => wallets.some(({ wallet }) => moved.has(wallet));
    const cause = !has(sold) ? 'bought' : has(bought) ? 'traded' : 'sold';
    return wallets.slice(0, 1).map(({ guildId, userId }) => ({ guildId, userId, cause }));
  });

/** Listings and bids change no owner. */
function walletsOf({ events, transfers }: ActivityBatch) {
  const trades = events.filter(({ kind }) => kind === 'sale' || kind === 'mint');
  // Between two kiosks of one owner nothing changes hands.
  const moves = transfers.filter(({ sender, receiver }) => sender !== receiver);
  return {
    bought: named([...trades.map(({ buyer }) => buyer), ...moves.map(({ receiver }) => receiver)]),
    sold: named([...trades.map(({ seller }) => seller), ...moves.map(({ sender }) => sender)]),
  };
}

const named = (wallets: readonly (string | null)[]): ReadonlySet<string> =>
  new Set(wallets.filter((wallet) => wallet !== null));
