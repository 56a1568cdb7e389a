import { type Expression, type RawBuilder, sql } from 'kysely';

/** Right side of `=`: a list of any length is one parameter, where `in` takes 65,535 at most. */
export const anyOf = (values: readonly (string | bigint)[], type: 'text' | 'bigint'): RawBuilder<string> =>
  sql<string>`any(${values.map(String)}::${sql.raw(type)}[])`;

/** For `on conflict … do update`: these columns as they would have been inserted. */
export const excluded = <Column extends string>(...columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])) as Readonly<
    Record<Column, RawBuilder<never>>
  >;

/** The database's clock, which query builders have no function for: copies of the product need no common clock. */
export const databaseNow = sql<Date>`clock_timestamp()`;

/** The same throughout a statement, so that a comparison with it can use an index. */
export const statementBegun = sql<Date>`statement_timestamp()`;

export const databaseNowPlus = (ms: number) =>
  sql<Date>`(clock_timestamp() + ${ms}::float8 * interval '1 millisecond')`;

const msBefore = (moment: Expression<Date | null>, ms: number) =>
  sql<Date>`(${moment} - ${ms} * interval '1 millisecond')`;

/** The moment `ms` ago; the same throughout a statement. */
export const msAgo = (ms: number) => msBefore(statementBegun, ms);

/** The JSON object in that column without one of its fields. */
export const withoutField = (column: string, field: string) => sql`${sql.ref(column)} - ${field}::text`;

/** Milliseconds since the time in that column. */
export const msSince = (column: string) =>
  sql<number>`(extract(epoch from clock_timestamp() - ${sql.ref(column)}) * 1000)::float8`;
