import type { PoolClient } from 'pg';

/** Not in a backup: rows that grant access, or expire before anyone could need them. */
export const leftOutTables: readonly string[] = [
  'sessions',
  'login_attempts',
  'factor_challenges',
  'discord_verifications',
];
/** Created again when missing. */
const leftOutColumns: readonly string[] = ['telegram_service.webhook_secret'];

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The product's tables without `leftOutTables`, each after those it refers to. */
export async function tablesToKeep(client: PoolClient): Promise<readonly StoredTable[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[]; refers: string[] }>(`
    select relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      array(select distinct confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as refers
    from pg_class where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r' order by relname`);
  const ordered: StoredTable[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ refers }) => refers.every((other) => !waiting.has(other)));
    // Tables that refer to each other cannot be restored in any order.
    if (free.length === 0) throw new Error(`these tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns } of free) {
      waiting.delete(name);
      ordered.push({ name, columns });
    }
  }
  return ordered.filter(({ name }) => name !== 'schema_migrations' && !leftOutTables.includes(name));
}

/** `COPY … TO STDOUT`; left-out columns are written as null. */
export function copyOut({ name, columns }: StoredTable): string {
  const values = columns.map((column) => (leftOutColumns.includes(`${name}.${column}`) ? 'null' : `"${column}"`));
  return `copy (select ${values.join(', ')} from "${name}") to stdout`;
}

export function copyIn({ name, columns }: StoredTable): string {
  return `copy "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) from stdin`;
}

/** Makes every server write a value as the same text, to the last digit. */
export const textSettings = `
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'; set idle_in_transaction_session_timeout = 0`;
