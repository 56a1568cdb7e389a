import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import type { Pool } from 'pg';

/** One sample of the product under load. Fields without a unit are counts. */
export interface SoakSample {
  readonly atSeconds: number;
  readonly residentMb: number;
  readonly heapMb: number;
  readonly fileDescriptors: number;
  readonly sockets: number;
  readonly eventLoopLagP99Ms: number;
  readonly telegramWaiting: number;
  readonly inboxWaiting: number;
  readonly roleChangesWaiting: number;
  readonly checksOverdue: number;
  readonly databaseMb: number;
  readonly databaseConnections: number;
}

/** The lengths of the queues, and the database. A check counts once it is half a minute late. */
const counts = `
  select
    (select count(*) from telegram_messages where state in ('pending', 'sending'))::int as "telegramWaiting",
    (select count(*) from telegram_inbox where handled_at is null)::int as "inboxWaiting",
    (select count(*) from discord_member_roles where due_at <= clock_timestamp())::int
      as "roleChangesWaiting",
    (select count(*) from discord_members where check_due_at < clock_timestamp() - interval '30 seconds')::int
      as "checksOverdue",
    (pg_database_size(current_database()) / 1048576.0)::float8 as "databaseMb",
    (select count(*) from pg_stat_activity where application_name like 'product %')::int as "databaseConnections"`;

type Counted = Omit<
  SoakSample,
  'atSeconds' | 'residentMb' | 'heapMb' | 'fileDescriptors' | 'sockets' | 'eventLoopLagP99Ms'
>;

/** Reads /proc, the product's metrics and its tables. */
export const takeSample = async (
  { pid, url, pool }: { readonly pid: number; readonly url: string; readonly pool: Pool },
  atSeconds: number,
): Promise<SoakSample> => {
  const [metrics, { rows }] = await Promise.all([
    fetch(`${url}/metrics`).then((answer) => answer.text()),
    pool.query<Counted>(counts),
  ]);
  const [counted] = rows;
  if (counted === undefined) throw new Error('The tables could not be counted');
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  const residentKb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const handles = handlesOf(pid);
  return {
    atSeconds,
    residentMb: Number(residentKb) / 1024,
    heapMb: figure('nodejs_heap_size_used_bytes') / 1024 ** 2,
    fileDescriptors: handles.length,
    sockets: handles.filter((target) => target.startsWith('socket:')).length,
    eventLoopLagP99Ms: figure('nodejs_eventloop_lag_p99_seconds') * 1_000,
    ...counted,
  };
};

/** The target of each open file descriptor. */
const handlesOf = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });

/** Rows of every table. */
export const countRows = async (pool: Pool): Promise<ReadonlyMap<string, number>> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const found = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    found.set(name, rows[0]?.count ?? 0);
  }
  return found;
};

const steps = '▁▂▃▄▅▆▇█';
const chartWidth = 60;

/** One line for each figure: its course over time between its minimum and its maximum, each column a median. */
export const chartOf = (samples: readonly SoakSample[]): readonly string[] => {
  const names = Object.keys(samples[0] ?? {}).filter((name): name is keyof SoakSample => name !== 'atSeconds');
  const width = Math.min(chartWidth, samples.length);
  return names.map((name) => {
    const columns = Array.from({ length: width }, (_none, column) => {
      const part = samples.slice((column * samples.length) / width, ((column + 1) * samples.length) / width);
      return part.map((sample) => sample[name]).toSorted((one, other) => one - other)[Math.floor(part.length / 2)] ?? 0;
    });
    const [least, most] = [Math.min(...columns), Math.max(...columns)];
    const step = (value: number): string =>
      steps[most === least ? 0 : Math.round(((value - least) / (most - least)) * (steps.length - 1))] ?? '';
    return `${name.padEnd(20)} ${columns.map(step).join('')} ${least.toFixed(1)} to ${most.toFixed(1)}`;
  });
};

export const csvOf = (samples: readonly SoakSample[]): string => {
  const names = Object.keys(samples[0] ?? {});
  const lines = samples.map((sample) =>
    Object.values(sample)
      .map((value: number) => Number(value.toFixed(3)))
      .join(','),
  );
  return `${[names.join(','), ...lines].join('\n')}\n`;
};
