import type { GraphQLFieldResolver } from 'graphql';
import { defaultFieldResolver } from 'graphql';
import type { WorldContext } from '../world/state.ts';
import { collectionStats } from './collection-stats.ts';
import { tableNames } from './columns.ts';
import type { Selection } from './selecting.ts';
import { narrowingOf, related, select } from './selecting.ts';
import type { Row, TableName, Tables } from './tables.ts';

function tableOf(typeName: string): TableName | undefined {
  return tableNames.find((name) => name === typeName);
}

type Source = Record<string, unknown>;

/** One resolver for all fields: the schema only has tables, relations, aggregates and collection statistics. */
export function fieldResolver(tables: Tables, world: WorldContext): GraphQLFieldResolver<unknown, unknown> {
  return (source, args: Selection & Record<string, unknown>, context, info) => {
    const { fieldName } = info;
    const parent = info.parentType.name;
    if (parent === 'sui') return chainField(tables, world, fieldName, args);
    const table = tableOf(parent);
    const found = table && related(tables, table, source as Row, fieldName);
    if (found) {
      const rows = select(tables, found.to, found.rows, args);
      return info.returnType.toString().startsWith('[') ? rows : (rows[0] ?? null);
    }
    if (fieldName === 'count') return countOf((source as Source).rows as Row[], args);
    return defaultFieldResolver(source, args, context, info);
  };
}

function chainField(tables: Tables, world: WorldContext, fieldName: string, args: Selection & Record<string, unknown>) {
  if (fieldName === 'collection_stats') return collectionStats(world, String(args.slug));
  if (fieldName === 'recent_actions') return select(tables, 'actions', tables.actions(narrowingOf(args.where)), args);
  const table = tableOf(fieldName.replace(/_aggregate$/, ''));
  if (!table) return null;
  const rows = select(tables, table, tables[table](narrowingOf(args.where)), args);
  if (!fieldName.endsWith('_aggregate')) return rows;
  return { nodes: rows, aggregate: { rows, min: extremes(rows, -1), max: extremes(rows, 1) } };
}

function countOf(rows: Row[], args: Record<string, unknown>): number {
  const columns = Array.isArray(args.columns) ? args.columns.map(String) : [];
  if (columns.length === 0) return rows.length;
  const values = rows.map((row) => JSON.stringify(columns.map((column) => row[column])));
  return args.distinct === true ? new Set(values).size : values.length;
}

const amountColumns = ['price', 'floor', 'volume'];

function extremes(rows: readonly Row[], sign: 1 | -1): Row {
  return Object.fromEntries(amountColumns.map((column) => [column, extreme(rows, column, sign)]));
}

function extreme(rows: readonly Row[], column: string, sign: 1 | -1): string | null {
  let found: bigint | null = null;
  for (const row of rows) {
    const value = row[column];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const amount = BigInt(value);
    if (found === null || (sign === 1 ? amount > found : amount < found)) found = amount;
  }
  return found === null ? null : String(found);
}
