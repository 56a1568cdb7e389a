import { type RawBuilder, sql } from 'kysely';

/** What Kysely's builder cannot say, once for all stores. Columns are written as in src/db/schema.ts. */

/** The database's clock now, also in the middle of a transaction: the same for every copy of the product. */
export const databaseNow: RawBuilder<Date> = sql<Date>`clock_timestamp()`;

/** Milliseconds since that time; null where there is none. */
export const msSince = (column: string): RawBuilder<number> =>
  sql<number>`(extract(epoch from clock_timestamp() - ${sql.ref(column)}) * 1000)::float8`;

/** The moment so long ago. Constant within a statement, so that an index on the time can be used. */
export const msAgo = (ms: number): RawBuilder<Date> =>
  sql<Date>`(statement_timestamp() - ${ms} * interval '1 millisecond')`;

/** Right side of `=`: a list of any length is one parameter, where `in` takes 65,535 at most. */
export const anyOf = (values: readonly (string | bigint)[], type: 'text' | 'bigint'): RawBuilder<string> =>
  sql<string>`any(${values.map(String)}::${sql.raw(type)}[])`;

/** For `on conflict … do update`: these columns as they would have been inserted. */
export const excluded = <Column extends string>(...columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])) as Readonly<
    Record<Column, RawBuilder<never>>
  >;
