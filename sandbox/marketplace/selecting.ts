import { marketTables } from './columns.ts';
import type { Narrowing, Row, TableName, Tables } from './tables.ts';

export type Selection = {
  where?: Where | null;
  order_by?: OrderBy[] | null;
  limit?: number | null;
  offset?: number | null;
};
type Where = { [key: string]: unknown };
type OrderBy = { [key: string]: string | OrderBy };

/** A guess: the indexer publishes no maximum. */
const mostRows = 10_000;

/** Applies where, order_by, offset and limit to a table's rows, as Hasura does. */
export function select(tables: Tables, table: TableName, rows: readonly Row[], selection: Selection): Row[] {
  const { where, order_by: orderBy, limit, offset } = selection;
  const kept = where ? rows.filter((row) => matches(tables, table, row, where)) : [...rows];
  const orders = (orderBy ?? []).flatMap((each) => Object.entries(each));
  if (orders.length > 0) kept.sort((one, other) => compareBy(tables, table, orders, one, other));
  const start = offset ?? 0;
  return kept.slice(start, start + Math.min(limit ?? mostRows, mostRows));
}

/** The id, collection and time that a condition requires of every row. */
export function narrowingOf(where: Where | null | undefined): Narrowing {
  const required = (condition: unknown, name: string, operator = '_eq'): string | undefined => {
    const column: unknown = isObject(condition) ? condition[name] : undefined;
    const value = isObject(column) ? column[operator] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const since = required(where, 'block_time', '_gte');
  const found = {
    id: required(where, 'id'),
    collectionId: required(where, 'collection_id') ?? required(where?.collection, 'id'),
    collectionSlug: required(where?.collection, 'slug'),
    sinceMs: since !== undefined && timestamp.test(since) ? instantOf(since) : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The rows of a relation; null when the table has no such relation. */
export function related(
  tables: Tables,
  table: TableName,
  row: Row,
  name: string,
): { to: TableName; rows: Row[] } | null {
  const relation = marketTables[table].relations[name];
  if (!relation) return null;
  const key = row[relation.from];
  if (key === null) return { to: relation.table, rows: [] };
  const isById = relation.to === 'id' && typeof key === 'string';
  const some = tables[relation.table](isById ? { id: key } : {});
  const rows = some.filter((each) => each[relation.to] === key);
  return { to: relation.table, rows };
}

function matches(tables: Tables, table: TableName, row: Row, where: Where): boolean {
  return Object.entries(where).every(([key, wanted]) => {
    if (wanted === null || wanted === undefined) return true;
    if (key === '_and') return listOf(wanted).every((each) => matches(tables, table, row, each));
    if (key === '_or') return listOf(wanted).some((each) => matches(tables, table, row, each));
    if (key === '_not') return !matches(tables, table, row, wanted as Where);
    const relation = related(tables, table, row, key);
    if (relation) return relation.rows.some((each) => matches(tables, relation.to, each, wanted as Where));
    return Object.entries(wanted as Where).every(([operator, value]) => compare(row[key], operator, value));
  });
}

/** A single item where a list is expected: GraphQL passes it on without a list. */
function listOf(value: unknown): Where[] {
  return (Array.isArray(value) ? value : [value]) as Where[];
}

type Test = (left: Sortable, right: unknown) => boolean;
type Sortable = number | bigint | string | boolean;

const tests: Record<string, Test> = {
  _eq: (left, right) => order(left, right) === 0,
  _neq: (left, right) => order(left, right) !== 0,
  _in: (left, right) => Array.isArray(right) && right.some((each) => order(left, each) === 0),
  _nin: (left, right) => Array.isArray(right) && !right.some((each) => order(left, each) === 0),
  _gt: (left, right) => order(left, right) > 0,
  _gte: (left, right) => order(left, right) >= 0,
  _lt: (left, right) => order(left, right) < 0,
  _lte: (left, right) => order(left, right) <= 0,
  _like: (left, right) => pattern(String(right), '').test(String(left)),
  _ilike: (left, right) => pattern(String(right), 'i').test(String(left)),
};

/** SQL's rule: of null, only _is_null is true. */
function compare(value: unknown, operator: string, wanted: unknown): boolean {
  if (operator === '_is_null') return (value === null) === wanted;
  const test = tests[operator];
  return test !== undefined && isSortable(value) && wanted !== null && test(value, wanted);
}

function isSortable(value: unknown): value is Sortable {
  return ['number', 'bigint', 'string', 'boolean'].includes(typeof value);
}

const timestamp = /^\d{4}-\d\d-\d\dT/;
const integer = /^-?\d+$/;

/** A time without a zone is UTC. */
function instantOf(text: string): number {
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

/** Amounts compare as numbers, even when they are strings; timestamps compare as instants. */
function comparable(value: unknown): number | bigint | string {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  const text = String(value);
  if (integer.test(text)) return BigInt(text);
  if (timestamp.test(text)) return instantOf(text);
  return text;
}

function order(left: unknown, right: unknown): number {
  const [one, other] = [comparable(left), comparable(right)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function pattern(like: string, flags: string): RegExp {
  const escaped = like
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/%/g, '.*')
    .replace(/_/g, '.');
  return new RegExp(`^${escaped}$`, `s${flags}`);
}

function compareBy(
  tables: Tables,
  table: TableName,
  orders: [string, string | OrderBy][],
  one: Row,
  other: Row,
): number {
  for (const [column, direction] of orders) {
    const result =
      typeof direction === 'string'
        ? compareColumn(one[column], other[column], direction)
        : compareRelated(tables, table, column, direction, [one, other]);
    if (result !== 0) return result;
  }
  return 0;
}

function compareRelated(tables: Tables, table: TableName, name: string, inner: OrderBy, pair: [Row, Row]): number {
  const [one, other] = pair.map((row) => related(tables, table, row, name));
  if (!one?.rows[0] || !other?.rows[0]) return 0;
  return compareBy(tables, one.to, Object.entries(inner), one.rows[0], other.rows[0]);
}

/** PostgreSQL's default: nulls last ascending, first descending. */
function compareColumn(one: unknown, other: unknown, direction: string): number {
  const descending = direction.startsWith('desc');
  const nullsFirst = direction.endsWith('nulls_first') || (descending && !direction.endsWith('nulls_last'));
  if (one === null || other === null) {
    if (one === other) return 0;
    return (one === null) === nullsFirst ? -1 : 1;
  }
  return descending ? -order(one, other) : order(one, other);
}
