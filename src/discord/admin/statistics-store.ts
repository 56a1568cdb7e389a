import type { ExpressionBuilder, Kysely, NotNull } from 'kysely';

import type { MembersAnswer, StatisticsAnswer } from '../members-contract.ts';
import type { Database } from '../../db/schema.ts';
import { failedChanges, pauseReason } from '../roles/member-roles.ts';
import { isAuthorizationActive, isVerified } from '../roles/member-store.ts';

type Db = Kysely<Database>;
type Statistics = StatisticsAnswer;
type SweepRow = Omit<NonNullable<Statistics['lastSweep']>, 'at'>;

const failuresShown = 50;
const namesShown = 50;
const pageSize = 50;

const memberNameOf = (row: { readonly userId: string; readonly displayName: string | null }) => ({
  userId: row.userId,
  displayName: row.displayName ?? 'Former member',
});

export async function readStatistics(db: Db, guildId: string): Promise<Statistics | null> {
  const figures = await readGuildFigures(db, guildId);
  if (figures === null) return null;
  const { nftName: _nftName, lastSweep: sweep, lastSweepAt, sweepDueAt, ...counts } = figures;
  return {
    ...counts,
    lastSweep: sweep === null || lastSweepAt === null ? null : { ...sweep, at: lastSweepAt.toISOString() },
    nextSweepAt: sweepDueAt?.toISOString() ?? null,
    waitingRemoval: await readWaitingRemoval(db, guildId),
    failedActionCount: await countFailures(db, guildId),
    failedActions: await readFailures(db, guildId),
  };
}

/** A server's figures for /stats and the dashboard; null: the bot has never been there. */
export async function readGuildFigures(db: Db, guildId: string) {
  const guild = await db
    .selectFrom('discordGuilds as g')
    .leftJoin('discordGuildConfigs as c', 'c.guildId', 'g.guildId')
    .select(['g.memberCount', 'c.nftName', 'c.lastSweep', 'c.lastSweepAt', 'c.sweepDueAt'])
    .select(pauseReason.as('pauseReason'))
    .$narrowType<{ lastSweep: SweepRow | null }>()
    .select((eb) => {
      const wallets = eb.selectFrom('discordWallets').where('guildId', '=', guildId);
      const authorized = eb
        .selectFrom('discordAuthorizedWallets as a')
        .where('a.guildId', '=', guildId)
        .where(isAuthorizationActive);
      const roles = eb.selectFrom('discordMemberRoles').where('guildId', '=', guildId);
      const waiting = roles.where('dueAt', 'is not', null);
      const count = eb.fn.countAll().as('count');
      return [
        eb.cast<number>(wallets.select(count), 'integer').as('walletCount'),
        eb.cast<number>(authorized.select(count), 'integer').as('authorizedWalletCount'),
        eb.cast<number>(waiting.select(count), 'integer').as('pendingActionCount'),
      ];
    })
    .where('g.guildId', '=', guildId)
    .executeTakeFirst();
  if (guild === undefined) return null;
  const members = await db
    .selectFrom('discordMembers as m')
    .select((eb) => {
      const all = eb.fn.countAll();
      return [
        eb.cast<number>(all.filterWhere(isVerified), 'integer').as('verifiedCount'),
        eb
          .cast<number>(all.filterWhere(isVerified).filterWhere('m.hasRole', '=', true), 'integer')
          .as('roleHolderCount'),
        eb.cast<number>(all.filterWhere('m.roleState', '=', 'doubt'), 'integer').as('inDoubtCount'),
        eb.cast<number>(all.filterWhere('m.roleState', 'in', ['grace', 'braked']), 'integer').as('pendingRemovalCount'),
        eb.cast<number>(all.filterWhere('m.answer', '=', 'unknown'), 'integer').as('unknownCount'),
      ];
    })
    .where('m.guildId', '=', guildId)
    .where('m.isInGuild', '=', true)
    .executeTakeFirstOrThrow();
  return { ...guild, ...members };
}

async function readWaitingRemoval(db: Db, guildId: string): Promise<Statistics['waitingRemoval']> {
  const batch = await db
    .selectFrom('discordRemovalBatches')
    .selectAll()
    .where('guildId', '=', guildId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (batch === undefined) return null;
  const braked = db
    .selectFrom('discordMembers')
    .where('guildId', '=', guildId)
    .where('roleState', '=', 'braked')
    .where('isInGuild', '=', true);
  const names = braked.select(['userId', 'displayName']).orderBy('displayName').orderBy('userId').limit(namesShown);
  const members = await names.execute();
  // About as many as an approval would cover now: members who hold again or have left are excluded.
  const count = braked.select(({ fn }) => fn.countAll<string>().as('count'));
  return {
    id: batch.id,
    createdAt: batch.createdAt.toISOString(),
    removalCount: Number((await count.executeTakeFirstOrThrow()).count),
    holderCount: batch.holderCount,
    members: members.map(memberNameOf),
  };
}

async function countFailures(db: Db, guildId: string): Promise<number> {
  const count = failedChanges(db, guildId).select(({ fn }) => fn.countAll<string>().as('count'));
  return Number((await count.executeTakeFirstOrThrow()).count);
}

async function readFailures(db: Db, guildId: string): Promise<Statistics['failedActions']> {
  const rows = await failedChanges(db, guildId)
    .leftJoin('discordMembers as m', (join) =>
      join.onRef('m.guildId', '=', 'r.guildId').onRef('m.userId', '=', 'r.userId'),
    )
    .select(['r.id', 'r.wanted', 'r.userId', 'm.displayName', 'r.failure', 'r.changedAt'])
    .$narrowType<{ wanted: NotNull; failure: NotNull }>()
    .orderBy('r.changedAt', 'desc')
    .limit(failuresShown)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.wanted,
    member: memberNameOf(row),
    failure: row.failure,
    at: row.changedAt.toISOString(),
  }));
}

const addressPartMin = 4;

/** Members with a linked wallet, or still with the role after unlinking, by user id; `search`: part of a name, an id or an address. */
export async function readMembers(
  db: Db,
  guildId: string,
  { search, after }: { readonly search: string | null; readonly after: string | null },
): Promise<MembersAnswer> {
  const rows = await db
    .selectFrom('discordMembers as m')
    .select(['m.userId', 'm.displayName', 'm.isInGuild', 'm.roleState', 'm.hasRole', 'm.answeredAt'])
    .select((eb) => eb.cast<number>(walletsOf(eb).select(eb.fn.countAll().as('count')), 'integer').as('walletCount'))
    .where('m.guildId', '=', guildId)
    .where((eb) => eb.or([eb('m.hasRole', '=', true), eb('m.roleState', '<>', 'none'), eb.exists(walletsOf(eb))]))
    .$if(after !== null, (query) =>
      query.where((eb) => eb(byNumber(eb), '>', eb.cast<string>(eb.val(after), 'numeric'))),
    )
    .$if(search !== null, (query) => query.where((eb) => matchesSearch(eb, search ?? '')))
    .orderBy(byNumber)
    .limit(pageSize + 1)
    .execute();
  const shown = rows.slice(0, pageSize);
  return {
    members: shown.map((row) => ({ ...row, ...memberNameOf(row), answeredAt: row.answeredAt?.toISOString() ?? null })),
    nextAfter: rows.length > pageSize ? (shown.at(-1)?.userId ?? null) : null,
  };
}

type OfMember = ExpressionBuilder<Database & { m: Database['discordMembers'] }, 'm'>;

const byNumber = (eb: OfMember) => eb.cast<string>('m.userId', 'numeric');

const walletsOf = (eb: OfMember) =>
  eb.selectFrom('discordWallets as w').whereRef('w.guildId', '=', 'm.guildId').whereRef('w.userId', '=', 'm.userId');

function matchesSearch(eb: OfMember, search: string) {
  const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const isAddressPart = search.length >= addressPartMin;
  const wallets = walletsOf(eb).where((w) => w.fn<boolean>('starts_with', ['w.wallet', w.val(search.toLowerCase())]));
  return eb.or([
    eb('m.displayName', 'ilike', part),
    eb('m.userId', '=', search),
    ...(isAddressPart ? [eb.exists(wallets.select('w.wallet'))] : []),
  ]);
}
