import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Pool } from 'pg';
import { format, resolveConfig } from 'prettier';

import { createDatabase } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { migrate } from '../src/db/migrate.ts';

/**
 * `npm run schema-types`: writes src/db/schema.ts, the row types of the product's tables, from a migrated database.
 * A test fails while the file is out of date.
 */
export const schemaFile = join(import.meta.dirname, '..', 'src', 'db', 'schema.ts');

const header = `import type { ColumnType, GeneratedAlways } from 'kysely';

/** Made by \`npm run schema-types\` from the migrations: do not edit. */
type WithDefault<T> = T extends ColumnType<infer Read, infer Insert, infer Update> ? ColumnType<Read, Insert | undefined, Update> : ColumnType<T, T | undefined, T>;
/** Read as text: what does not fit into a number must not be rounded. */
type Int8 = ColumnType<string, string | number | bigint, string | number | bigint>;
/** Amounts in whole base units (connect.ts). */
type Numeric = ColumnType<bigint, string | number | bigint>;
/** Written as text; read as what its writer put there, so it is parsed. */
type Json = ColumnType<unknown, string>;
`;

const typeNames: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Uint8Array',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'Int8',
  json: 'Json',
  jsonb: 'Json',
  numeric: 'Numeric',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly defaulted: boolean;
  readonly generated: boolean;
  /** A check that lists the allowed values: `CHECK ((state = ANY (ARRAY['open'::text, …])))`. */
  readonly allowed: string | null;
}

const columns = `
  select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable,
         a.atthasdef or a.attidentity <> '' as defaulted, a.attidentity = 'a' or a.attgenerated <> '' as generated,
         (select pg_get_constraintdef(k.oid) from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
            and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%::text%') as allowed
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

/** The file's text for a migrated database. */
export async function schemaTypes(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Column>(columns);
  const tables = Object.entries(Object.groupBy(rows, ({ table }) => table)).map(
    ([table, of = []]) => `${camelCase(table)}: {\n${of.map(lineOf).join('\n')}\n};`,
  );
  const source = `${header}\nexport interface Database {\n${tables.join('\n')}\n}\n`;
  return format(source, { ...(await resolveConfig(schemaFile)), filepath: schemaFile });
}

const lineOf = (column: Column): string => `${camelCase(column.name)}: ${columnType(column)};`;

function columnType(column: Column): string {
  const valueType = valueTypeOf(column);
  const type = column.nullable ? `${valueType} | null` : valueType;
  if (column.generated) return `GeneratedAlways<${valueType === 'Int8' ? 'string' : type}>`;
  return column.defaulted ? `WithDefault<${type}>` : type;
}

/** PostgreSQL writes `_text` for an array of `text`. */
function valueTypeOf({ name, type, allowed }: Column): string {
  if (allowed !== null) return [...allowed.matchAll(/'([^']+)'::text/g)].map(([, value]) => `'${value}'`).join(' | ');
  const typeName = typeNames[type.replace(/^_/, '')];
  if (typeName === undefined) throw new Error(`${name} is of the type ${type}: add it to typeNames`);
  return type.startsWith('_') ? `readonly ${typeName}[]` : typeName;
}

const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

async function writeSchemaFile(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'schema-types-'));
  const { pool, stop } = await createDatabase({ url: null, dataDir, log: silentLog });
  try {
    await migrate(pool, silentLog);
    await writeFile(schemaFile, await schemaTypes(pool));
  } finally {
    await stop();
    await rm(dataDir, { recursive: true });
  }
}

if (import.meta.main) await writeSchemaFile();
