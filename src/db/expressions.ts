import { type RawBuilder, sql } from 'kysely';

/** Right side of `=`: a list of any length is one parameter, where `in` takes 65,535 at most. */
export const anyOf = (values: readonly (string | bigint)[], type: 'text' | 'bigint'): RawBuilder<string> =>
  sql<string>`any(${values.map(String)}::${sql.raw(type)}[])`;

/** For `on conflict … do update`: these columns as they would have been inserted. */
export const excluded = <Column extends string>(...columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])) as Readonly<
    Record<Column, RawBuilder<never>>
  >;
