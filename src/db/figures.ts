import type { Pool } from 'pg';

import { acceptsWrites } from './outage.ts';
import { withTimeout } from '../process/in-time.ts';

/** A number about the whole product, read from the database, so that every copy reports the same. */
export interface Figure {
  /** In /metrics; ends with its unit. */
  readonly name: string;
  readonly help: string;
  /** Gives one value, or null when there is none. Must use an index, however large its tables are. */
  readonly sql: string;
}

export type FigureValues = Readonly<Record<string, number | null>>;

/** Figures may be some seconds old, and several callers may ask at once. */
const keptMs = 10_000;

/**
 * Reads all figures in one query, at most every ten seconds. Gives none if the database does not answer in time, or accepts no
 * changes: its figures would look good only because nothing moves. The rest of /metrics, needed most just then, still works.
 */
export function createFigureReader(
  pool: Pick<Pool, 'query'>,
  figures: readonly Figure[],
  { withinMs = 2_000, nowMs = () => performance.now() } = {},
): () => Promise<FigureValues> {
  const columns = figures.map(({ name, sql }) => `(${sql})::float8 as "${name}"`);
  let read: Promise<FigureValues> | null = null;
  let readAtMs = 0;
  return () => {
    if (read === null || nowMs() - readAtMs > keptMs) {
      readAtMs = nowMs();
      read = readWithin(pool, `select ${columns.join(', ')} where ${acceptsWrites}`, withinMs);
    }
    return read;
  };
}

interface Gauges {
  addGauge(name: string, help: string, read: () => number | null | Promise<number | null>): void;
}

const connections = 'Database connections of this copy';

/**
 * Figures for operators beyond requests and upstream calls: deploy/alerts.yaml and deploy/grafana-dashboard.json use them. Returns their
 * reader, for others who need the same figures.
 */
export function addDatabaseGauges(gauges: Gauges, pool: Pool, figures: readonly Figure[]): () => Promise<FigureValues> {
  const readFigures = createFigureReader(pool, figures);
  for (const { name, help } of figures) gauges.addGauge(name, help, async () => (await readFigures())[name] ?? null);
  gauges.addGauge('database_connections', `${connections}, open`, () => pool.totalCount);
  gauges.addGauge('database_connections_idle', `${connections}, idle`, () => pool.idleCount);
  gauges.addGauge('database_connections_awaited', 'Queries that wait for a connection', () => pool.waitingCount);
  return readFigures;
}

function readWithin(pool: Pick<Pool, 'query'>, query: string, withinMs: number): Promise<FigureValues> {
  const values = pool.query<FigureValues>(query).then(
    ({ rows }) => rows[0] ?? {},
    () => ({}),
  );
  return withTimeout(values, withinMs, () => ({}));
}
