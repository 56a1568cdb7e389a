import { type Kysely, sql, type Transaction } from 'kysely';

import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { openTransaction } from '../../platform/database/open-transaction.ts';
import type { AuditTrail, CollectionWatching } from '../ports.ts';
import type { DiscordTables } from './tables.ts';

export interface GuildPurgePorts {
  readonly watching: Pick<CollectionWatching, 'unwatch'>;
  readonly audit: AuditTrail;
}

/** Rulings R6: kept so long after the bot was put out of a server, or an authorized wallet was taken away. */
const keptDays = 30;
const keptActionDays = 90;
const rowsMax = 5_000;

/** Each with what refers to it before it. */
const tablesOfGuild = [
  'discord_actions',
  'discord_removal_batches',
  'discord_authorized_wallets',
  'discord_verifications',
  'discord_wallets',
  'discord_members',
] as const;

/**
 * One step of removing for good the server that the bot left longest ago, with all its rows: at most some thousand of them, so that no
 * transaction lasts long. True: there may be more. Each server is one copy's at a time.
 */
export const purgeGuild = (db: Kysely<DiscordTables>, ports: GuildPurgePorts): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ guild_id: string; name: string; left_at: Date; tracked: string | null }>`
      select g.guild_id, g.name, g.left_at,
        (select c.tracked_collection_id from discord_guild_configs c where c.guild_id = g.guild_id) as tracked
      from discord_guilds g where g.left_at <= statement_timestamp() - ${keptDays} * interval '1 day'
      order by g.left_at limit 1 for no key update of g skip locked`.execute(trx);
    const [due] = rows;
    if (due === undefined) return false;
    if (!(await deleteSome(trx, due.guild_id))) return true;
    const opened = openTransaction(trx);
    if (due.tracked !== null) await ports.watching.unwatch(BigInt(due.tracked), due.guild_id, opened);
    await trx.deleteFrom('discord_guild_configs').where('guild_id', '=', due.guild_id).execute();
    await trx.deleteFrom('discord_guilds').where('guild_id', '=', due.guild_id).execute();
    await auditPurge(ports.audit, opened, due);
    return true;
  });

/** False: there are more rows of the server. */
async function deleteSome(trx: Transaction<DiscordTables>, guildId: string): Promise<boolean> {
  let left = rowsMax;
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
  due: { readonly guild_id: string; readonly name: string; readonly left_at: Date },
): Promise<void> =>
  audit.record(
    {
      actor: { kind: 'system', name: 'purge' },
      action: 'discord-server-purged',
      subject: { kind: 'discord-guild', id: due.guild_id, label: due.name },
      before: { leftAt: due.left_at.toISOString() },
      after: null,
    },
    opened,
  );

/**
 * What nobody looks at any more: role changes of long ago, authorized wallets that ended a month ago. True: there may be more.
 * Found through an index on the time, which a time that moves while it is read would keep from being used.
 */
export async function purgeOldRows(db: Kysely<DiscordTables>): Promise<boolean> {
  const actions = await sql`
    delete from discord_actions where id = any(array(
      select id from discord_actions where state in ('done', 'failed', 'dropped')
        and done_at < statement_timestamp() - ${keptActionDays} * interval '1 day' order by done_at limit ${rowsMax} for update skip locked))`.execute(
    db,
  );
  const wallets = await sql`
    delete from discord_authorized_wallets where id = any(array(
      select id from discord_authorized_wallets
      where removed_at < statement_timestamp() - ${keptDays} * interval '1 day' order by removed_at limit ${rowsMax} for update skip locked))`.execute(
    db,
  );
  return actions.numAffectedRows === BigInt(rowsMax) || wallets.numAffectedRows === BigInt(rowsMax);
}
