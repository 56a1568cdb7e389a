import { sql } from 'kysely';

import type { AuditTrail } from '../ports.ts';
import { duePosts } from '../channel-posts.ts';
import { statementBegun } from '../../db/expressions.ts';
import type { Trx } from '../../db/transaction.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { ActivityBatch, ActivityListener } from '../../market/contract.ts';
import { configsOfPresentGuilds, presentGuildsWithDue } from '../servers/guild-config-store.ts';
import { removalJob } from './decide-removals.ts';
import { directMessageJob, dueMessages } from './direct-messages.ts';
import { type AskingDeps, checkAndExplain, explainMember } from './explain-member.ts';
import { roleChangeJob } from './give-and-take-roles.ts';
import { type LinkedWallet, linkWallet } from './linking.ts';
import { checkMember, memberCheckJob } from './member-check.ts';
import { isChangeDue, isSwitchedOn } from './member-roles.ts';
import { type DueMember, markDue } from './member-store.ts';
import { guildsWithRemovals } from './removal-store.ts';
import {
  channelPosts,
  directMessages,
  dueWork,
  memberChecks,
  removals,
  roleChanges,
  sweeps,
  type RolesDeps,
} from './role-jobs.ts';
import type { CheckCause } from './rules/findings.ts';
import { sweepJob } from './sweep.ts';

/** Holders get the role, and no one loses it by mistake (rulings R5). Without a bot only requested checks run. */
export function addRoleJobs(deps: RolesDeps): void {
  const { jobs, platform } = deps;
  jobs.add(memberCheckJob(deps));
  if (platform === null) return;
  jobs.add(dueWorkJob(deps));
  jobs.add(roleChangeJob({ ...deps, platform, check: (member, stop) => checkMember(deps, member, stop) }));
  jobs.add(directMessageJob({ ...deps, platform }));
  jobs.add(removalJob(deps));
  jobs.add(sweepJob(deps));
}

/** What /verify needs. */
export const memberRoles = (deps: AskingDeps & { readonly audit: AuditTrail }) => ({
  linkWallet: (link: LinkedWallet, trx: Trx) => linkWallet(trx, deps.audit, link),
  checkAndExplain: (guildId: string, userId: string, cause: CheckCause) =>
    checkAndExplain(deps, guildId, userId, cause),
  explain: (guildId: string, userId: string) => explainMember(deps, guildId, userId),
});
export type MemberRoles = ReturnType<typeof memberRoles>;

type Db = RolesDeps['db'];

/** Members found in one run; the next run finds more a second later. */
const membersAtOnceMax = 200;

/** Sends jobs for what the tables say is due, one per member, server or collection. */
const dueWorkJob = ({ db, jobs }: Pick<RolesDeps, 'db' | 'jobs'>): JobDefinition<object> => ({
  ...dueWork,
  failing: 'Due role work could not be read',
  run: async () => {
    const due = await readDueWork(db);
    if (due === null) return;
    await jobs.sendAll(memberChecks, due.members);
    await jobs.sendAll(roleChanges, due.roles);
    await jobs.sendAll(directMessages, due.messages);
    await jobs.sendAll(removals, due.removals);
    await jobs.sendAll(sweeps, due.sweeps);
    await jobs.sendAll(channelPosts, due.posts);
  },
});

/** null: the bot is switched off, so nothing is done. */
export async function readDueWork(db: Db) {
  const { isOn } = await db.selectNoFrom(isSwitchedOn.as('isOn')).executeTakeFirstOrThrow();
  if (!isOn) return null;
  return {
    removals: await guildsWithRemovals(db),
    members: await dueMembers(db),
    roles: await dueRoles(db),
    messages: await dueMessages(db),
    sweeps: await dueSweeps(db),
    posts: await duePosts(db),
  };
}

const dueMembers = (db: Db) =>
  configsOfPresentGuilds(db)
    .innerJoin('discordMembers as m', 'm.guildId', 'c.guildId')
    .select(['m.guildId', 'm.userId'])
    .where('m.checkDueAt', '<=', statementBegun)
    .where('m.isInGuild', '=', true)
    .orderBy('m.checkDueAt')
    .limit(membersAtOnceMax)
    .execute();

const dueRoles = async (db: Db) => {
  const { rows } = await sql<{ guildId: string }>`
    select g.guild_id from ${sql.raw(presentGuildsWithDue('discord_member_roles'))} cross join lateral (
      select from discord_member_roles r where r.guild_id = g.guild_id and ${isChangeDue} order by r.due_at limit 1) due`.execute(
    db,
  );
  return rows;
};

const dueSweeps = (db: Db) =>
  configsOfPresentGuilds(db)
    .select('c.nftContract as nftType')
    .distinct()
    .where('c.sweepDueAt', '<=', statementBegun)
    .execute();

/**
 * Rulings R5: the wallets of a sale or a transfer are checked at once. Marks their members due in the transaction that stores the
 * events; the checks come after the commit.
 */
export const tradeListener: ActivityListener = {
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
    // One cause for each member, whichever of their wallets it was.
    const byMember = Map.groupBy(linked, ({ guildId, userId }) => `${guildId} ${userId}`);
    const due = [...byMember.values()].flatMap((wallets): readonly DueMember[] => {
      const isAnyIn = (moved: ReadonlySet<string>): boolean => wallets.some(({ wallet }) => moved.has(wallet));
      const hasBought = isAnyIn(bought);
      const hasSold = isAnyIn(sold);
      const cause = hasBought && hasSold ? 'traded' : hasSold ? 'sold' : 'bought';
      return wallets.slice(0, 1).map(({ guildId, userId }) => ({ guildId, userId, cause }));
    });
    await markDue(trx, due);
  },
};

/** Listings and bids change no owner. */
function walletsOf({ events, transfers }: ActivityBatch) {
  const trades = events.filter(({ kind }) => kind === 'sale' || kind === 'mint');
  // Between two kiosks of one owner nothing changes hands.
  const moves = transfers.filter(({ sender, receiver }) => sender !== receiver);
  return {
    bought: knownWallets([...trades.map(({ buyer }) => buyer), ...moves.map(({ receiver }) => receiver)]),
    sold: knownWallets([...trades.map(({ seller }) => seller), ...moves.map(({ sender }) => sender)]),
  };
}

const knownWallets = (wallets: readonly (string | null)[]): ReadonlySet<string> =>
  new Set(wallets.filter((wallet) => wallet !== null));
