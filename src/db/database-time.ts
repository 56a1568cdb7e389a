import { sql } from 'kysely';

/** The database's clock, for builders that cannot write it themselves: copies of the product need no common clock. */
export const databaseNow = sql<Date>`clock_timestamp()`;

/** The same throughout a statement, so that an index serves a comparison with it. */
export const statementBegun = sql<Date>`statement_timestamp()`;

export const databaseNowPlus = (ms: number) =>
  sql<Date>`(clock_timestamp() + ${ms}::float8 * interval '1 millisecond')`;
