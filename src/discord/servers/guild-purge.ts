import { type Kysely, sql, type Transaction } from 'kysely';

import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { openTransaction } from '../../db/open-transaction.ts';
import { keptSince, type Purge, purgeOf, type PurgeStep, rowsAtOnceMax, stepOf } from '../../retention/purge.ts';
import type { AuditTrail } from '../ports.ts';
import { listener, type Watching } from './collection-watching.ts';
import type { Database } from '../../db/schema.ts';

export interface GuildPurgePorts {
  readonly watching: Pick<Watching, 'unwatch'>;
  readonly audit: AuditTrail;
}

/** What the community-server bot keeps for a limited time. */
export const discordPurges = (db: Kysely<Database>, ports: GuildPurgePorts): readonly Purge[] => [
  { table: 'discord_guilds', step: () => purgeGuild(db, ports) },
  purgeOf(db, {
    table: 'discord_actions',
    isDue: sql`state in ('done', 'failed', 'dropped') and done_at < ${keptSince('discord_actions')}`,
    oldestBy: 'done_at',
  }),
  purgeOf(db, {
    table: 'discord_authorized_wallets',
    isDue: sql`removed_at < ${keptSince('discord_authorized_wallets')}`,
  }),
  purgeOf(db, {
    table: 'discord_removal_batches',
    isDue: sql`state <> 'waiting' and decided_at < ${keptSince('discord_removal_batches')}`,
  }),
  purgeOf(db, {
    table: 'discord_verifications',
    isDue: sql`expires_at < ${keptSince('discord_verifications')}`,
    oldestBy: 'expires_at',
  }),
];

/** Each after the tables that refer to it. */
const tablesOfGuild = [
  'discord_actions',
  'discord_removal_batches',
  'discord_authorized_wallets',
  'discord_verifications',
  'discord_wallets',
  'discord_members',
] as const;

/**
 * One step of purging the server that the bot left longest ago: at most some thousand rows, so that transactions stay short. Each
 * server is purged by one copy at a time.
 */
const purgeGuild = (db: Kysely<Database>, ports: GuildPurgePorts): Promise<PurgeStep> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ guildId: string; name: string; leftAt: Date; tracked: string | null }>`
      select g.guild_id, g.name, g.left_at,
        (select c.tracked_collection_id from discord_guild_configs c where c.guild_id = g.guild_id) as tracked
      from discord_guilds g where g.left_at <= ${keptSince('discord_guilds')}
      order by g.left_at limit 1 for no key update of g skip locked`.execute(trx);
    const [due] = rows;
    if (due === undefined) return stepOf(0);
    if (!(await deleteSome(trx, due.guildId))) return { purgedRows: 0, hasMore: true };
    const opened = openTransaction(trx);
    if (due.tracked !== null) await ports.watching.unwatch(listener, BigInt(due.tracked), due.guildId, opened);
    await trx.deleteFrom('discordGuildConfigs').where('guildId', '=', due.guildId).execute();
    await trx.deleteFrom('discordGuilds').where('guildId', '=', due.guildId).execute();
    await auditPurge(ports.audit, opened, due);
    return { purgedRows: 1, hasMore: true };
  });

/** False: more rows of the server remain. */
async function deleteSome(trx: Transaction<Database>, guildId: string): Promise<boolean> {
  let left = rowsAtOnceMax;
  for (const table of tablesOfGuild) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where guild_id = ${guildId} limit ${left}))`.execute(trx);
    left -= Number(numAffectedRows);
    if (left === 0) return false;
  }
  return true;
}

const auditPurge = (
  audit: AuditTrail,
  opened: OpenTransaction,
  due: { readonly guildId: string; readonly name: string; readonly leftAt: Date },
): Promise<void> =>
  audit.record(
    {
      actor: { kind: 'system', name: 'purge' },
      action: 'discord-server-purged',
      subject: { kind: 'discord-guild', id: due.guildId, label: due.name },
      before: { leftAt: due.leftAt.toISOString() },
      after: null,
    },
    opened,
  );
