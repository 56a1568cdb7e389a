import type { Kysely } from 'kysely';

import { databaseNow, databaseNowPlus, statementBegun } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';

/** What a sweep found, as it is stored. */
export interface SweepRow {
  readonly checked: number;
  readonly holding: number;
  readonly notHolding: number;
  readonly unknown: number;
  readonly durationMs: number;
  /** A stable code, when it ended early. */
  readonly failure: string | null;
  /** Since when it ends early (ISO): the longer, the longer the pause. */
  readonly failingSince?: string | null;
}

type Db = Kysely<Database>;

/** A server whose members are to be checked. */
export interface DueSweep {
  readonly guildId: string;
  /** As the database writes it: another value means that the server was reconfigured. */
  readonly dueAt: string;
}

/** Servers of that NFT type, if one is due; those due within `aheadMs` are included. Only while the bot is switched on. */
export async function readDueSweeps(db: Db, nftType: string, aheadMs: number): Promise<readonly DueSweep[]> {
  const due = await db
    .selectFrom('discordGuildConfigs as c')
    .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
    .select(({ eb }) => [
      'c.guildId',
      eb.cast<string>('c.sweepDueAt', 'text').as('dueAt'),
      eb('c.sweepDueAt', '<=', statementBegun).as('isDue'),
    ])
    .where('c.nftContract', '=', nftType)
    .where('g.leftAt', 'is', null)
    .where('c.sweepDueAt', '<=', databaseNowPlus(aheadMs))
    .where((eb) => eb.exists(eb.selectFrom('discordService').select('wanted').where('wanted', '=', 'active')))
    .orderBy('c.guildId')
    .execute();
  return due.some(({ isDue }) => isDue) ? due : [];
}

/** A sweep is running or due: members need not be read on their own. */
export async function isSweepDue(db: Db, guildId: string): Promise<boolean> {
  const due = db.selectFrom('discordGuildConfigs').select('guildId').where('guildId', '=', guildId);
  return (await due.where('sweepDueAt', '<=', databaseNow).execute()).length > 0;
}

/** Every wallet linked in these servers, once. */
export async function walletsOfGuilds(db: Db, guildIds: readonly string[]) {
  const { now } = await db.selectNoFrom(databaseNow.as('now')).executeTakeFirstOrThrow();
  const linked = await db
    .selectFrom('discordWallets as w')
    .innerJoin('discordMembers as m', (join) =>
      join.onRef('m.guildId', '=', 'w.guildId').onRef('m.userId', '=', 'w.userId'),
    )
    .select('w.wallet')
    .distinct()
    .where('w.guildId', 'in', guildIds)
    .where('m.isInGuild', '=', true)
    .execute();
  return { wallets: linked.map(({ wallet }) => wallet), now };
}

/** null: the server was reconfigured meanwhile. */
export async function holdSweep(trx: Db, { guildId, dueAt }: DueSweep) {
  const config = await trx
    .selectFrom('discordGuildConfigs')
    .select(['nftContract', 'lastSweep'])
    .where('guildId', '=', guildId)
    .where(({ eb }) => eb(eb.cast('sweepDueAt', 'text'), '=', dueAt))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return config === undefined ? null : { ...config, lastSweep: config.lastSweep as SweepRow | null };
}

/** The next sweep begins after `dueInMs`. */
export async function endSweep(trx: Db, guildId: string, found: SweepRow, dueInMs: number): Promise<void> {
  await trx
    .updateTable('discordGuildConfigs')
    .set({ lastSweep: JSON.stringify(found), lastSweepAt: databaseNow, sweepDueAt: databaseNowPlus(dueInMs) })
    .where('guildId', '=', guildId)
    .execute();
}

export async function putOffSweep(db: Db, guildIds: readonly string[], dueInMs: number): Promise<void> {
  const configs = db.updateTable('discordGuildConfigs').set({ sweepDueAt: databaseNowPlus(dueInMs) });
  await configs.where('guildId', 'in', guildIds).execute();
}

/** The server's next sweep begins at once; one that is running no longer counts. */
export async function makeSweepDue(trx: Db, guildId: string): Promise<void> {
  const configs = trx.updateTable('discordGuildConfigs').set({ sweepDueAt: databaseNow });
  await configs.where('guildId', '=', guildId).execute();
}
