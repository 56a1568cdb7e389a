import type { Kysely } from 'kysely';

import { statementBegun } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { isActionReady } from './action-queue.ts';
import { dueWork, memberChecks, removals, roleActions, sweeps } from './job-names.ts';
import { guildsWithRemovals } from './removal-store.ts';
import type { RolesDeps } from './role-deps.ts';

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
