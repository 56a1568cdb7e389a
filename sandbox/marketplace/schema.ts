import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'graphql';
import type { ColumnType } from './columns.ts';
import { marketTables, tableNames } from './columns.ts';
import type { TableName } from './tables.ts';

const comparable: readonly ColumnType[] = ['uuid', 'String', 'bigint', 'Int', 'Boolean', 'timestamp', 'float8'];

function comparison(type: ColumnType): string {
  const like = type === 'String' ? ' _ilike: String _like: String' : '';
  const operators = `_eq: ${type} _neq: ${type} _in: [${type}!] _nin: [${type}!] _gt: ${type} _gte: ${type}`;
  return `input ${type}_comparison_exp { ${operators} _lt: ${type} _lte: ${type} _is_null: Boolean${like} }`;
}

const listArguments = (table: TableName): string =>
  `(where: ${table}_bool_exp, order_by: [${table}_order_by!], limit: Int, offset: Int)`;

function tableTypes(table: TableName): string {
  const { columns, relations } = marketTables[table];
  const fields = Object.entries(columns).map(([name, type]) => `${name}: ${type}`);
  const filters = Object.entries(columns)
    .filter(([, type]) => comparable.includes(type))
    .map(([name, type]) => `${name}: ${type}_comparison_exp`);
  const orders = Object.keys(columns).map((name) => `${name}: order_by`);
  const inner = Object.entries(relations);
  const relationFields = inner.map(([name, to]) =>
    to.many ? `${name}${listArguments(to.table)}: [${to.table}!]!` : `${name}: ${to.table}`,
  );
  const relationFilters = inner.map(([name, to]) => `${name}: ${to.table}_bool_exp`);
  const relationOrders = inner.filter(([, to]) => !to.many).map(([name, to]) => `${name}: ${to.table}_order_by`);
  const logic = `_and: [${table}_bool_exp!] _or: [${table}_bool_exp!] _not: ${table}_bool_exp`;
  const numbers = Object.entries(columns).filter(([, type]) => type === 'bigint');
  const extremes = numbers.map(([name]) => `${name}: bigint`).join(' ');
  return [
    `type ${table} { ${[...fields, ...relationFields].join(' ')} }`,
    `input ${table}_bool_exp { ${logic} ${[...filters, ...relationFilters].join(' ')} }`,
    `input ${table}_order_by { ${[...orders, ...relationOrders].join(' ')} }`,
    `enum ${table}_select_column { ${Object.keys(columns).join(' ')} }`,
    extremes ? `type ${table}_extremes { ${extremes} }` : '',
    `type ${table}_aggregate_fields { count(columns: [${table}_select_column!], distinct: Boolean): Int!`,
    extremes ? `min: ${table}_extremes max: ${table}_extremes }` : '}',
    `type ${table}_aggregate { aggregate: ${table}_aggregate_fields nodes: [${table}!]! }`,
  ].join('\n');
}

/** The sandbox's own schema in the style of the indexer: one namespace per chain, one list per table. */
export function marketSchema(): GraphQLSchema {
  const chain = tableNames.map(
    (table) =>
      `${table}${listArguments(table)}: [${table}!]! ${table}_aggregate${listArguments(table)}: ${table}_aggregate!`,
  );
  return buildSchema(`
    scalar uuid scalar bigint scalar timestamp scalar float8 scalar jsonb
    enum order_by { asc asc_nulls_first asc_nulls_last desc desc_nulls_first desc_nulls_last }
    type collection_stats_row {
      total_volume: bigint total_usd_volume: float8 total_sales: Int total_mints: Int total_mint_volume: bigint
      day_volume: bigint day_sales: Int day_usd_volume: float8
    }
    ${comparable.map(comparison).join('\n')}
    ${tableNames.map(tableTypes).join('\n')}
    type sui {
      ${chain.join('\n')}
      recent_actions${listArguments('actions')}: [actions!]!
      collection_stats(slug: String!): collection_stats_row
    }
    type Query { sui: sui! }
  `);
}
