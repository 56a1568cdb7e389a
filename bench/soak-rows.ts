import { atLeast, atMost, median, type Row } from './row.ts';
import { stays } from '../tests/support/what-stays.ts';
import type { SoakSample } from './soak-samples.ts';
import type { SoakDoings } from './soak-world.ts';

export interface Soaked {
  readonly minutes: number;
  readonly samples: readonly SoakSample[];
  /** Rows of every table after the warm-up, and at the end. */
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
  readonly purgedRows: number;
  readonly overdueRows: number;
  readonly doings: SoakDoings;
}

const grownMax = 1.1;
/** A minute counts as fifteen days, messages are kept for 90, and the purge runs every ten minutes. */
const purgesAfterMinutes = 17;
/** Connections open and close: a difference of this many means nothing. */
const handlesMoreMax = 8;
/** These grow with what happens, as does what is kept forever (tests/support/what-stays.ts): the market mints, the past is priced. */
const growsWithEvents = new Set(['ledger_day_prices', 'owner_names', 'purge_runs', 'rocks', 'telegram_deliveries']);

/** Issue figures: memory of the last third within 10 % of the first; no growth of handles, queues or database beyond retention. */
export const soakRows = ({ minutes, samples, before, after, purgedRows, overdueRows, doings }: Soaked): Row[] => {
  const third = Math.floor(samples.length / 3);
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const middle = (part: readonly SoakSample[], name: keyof SoakSample): number =>
    median(part.map((each) => each[name]));
  const ratio = (name: keyof SoakSample): readonly [number, string] => {
    const [from, to] = [middle(first, name), middle(last, name)];
    return [to / from, `${from.toFixed(1)} → ${to.toFixed(1)} MB`];
  };
  const more = (name: keyof SoakSample): readonly [number, string] => {
    const [from, to] = [middle(first, name), middle(last, name)];
    return [to - from, `${from} → ${to}`];
  };
  const against = 'median of the last third against the first';
  const [resident, residentNote] = ratio('residentMb');
  const [heap, heapNote] = ratio('heapMb');
  const [handles, handlesNote] = more('fileDescriptors');
  const [sockets, socketsNote] = more('sockets');
  const [connections, connectionsNote] = more('databaseConnections');
  const grown = staying.filter((table) => (after.get(table) ?? 0) > (before.get(table) ?? 0));
  const lag = middle(samples, 'eventLoopLagP99Ms').toFixed(0);
  return [
    atMost(`resident memory, ${against}`, resident, grownMax, '', residentNote),
    atMost(`heap in use, ${against}`, heap, grownMax, '', heapNote),
    atMost(`file descriptors more, ${against}`, handles, handlesMoreMax, '', handlesNote),
    atMost(`sockets more, ${against}`, sockets, handlesMoreMax, '', socketsNote),
    atMost(`database connections more, ${against}`, connections, 2, '', connectionsNote),
    atMost('left in the queues a minute after the load ended', doings.leftWaiting, 0),
    atMost('tables that should not grow and did', grown.length, 0, '', grown.join(', ')),
    atMost('rows that should have been purged', overdueRows, 0),
    atLeast('rows purged meanwhile', purgedRows, minutes < purgesAfterMinutes ? 0 : 1, '', databaseNote(first, last)),
    atMost('calls of visitors and of the admin that failed', doings.failedCalls, 0, '', doingsNote(doings, lag)),
  ];
};

const staying = Object.entries(stays)
  .filter(([table, reason]) => !growsWithEvents.has(table) && !reason.includes('forever'))
  .map(([table]) => table);

const databaseNote = (first: readonly SoakSample[], last: readonly SoakSample[]): string =>
  `database ${first[0]?.databaseMb.toFixed(1)} → ${last.at(-1)?.databaseMb.toFixed(1)} MB`;

const doingsNote = ({ visits, adminCalls, messagesSent }: SoakDoings, lag: string): string =>
  `${visits} visits, ${adminCalls} admin calls, ${messagesSent} messages, event-loop lag p99 ${lag} ms`;
