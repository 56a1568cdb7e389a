import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { startSandbox, type Sandbox } from '../sandbox/start-sandbox.ts';
import { startChild } from '../tests/support/child.ts';
import { openLedger } from '../tests/support/open-ledger.ts';
import { askRoute } from '../tests/support/route-request.ts';
import { startBenchDatabase } from './bench-database.ts';
import { atMost, quantile, type Row } from './row.ts';

const readerScript = fileURLToPath(new URL('ledger-reader.ts', import.meta.url));
const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
const transactions = 20_000;
/** A transaction creates at most 2,048 objects, so a million worthless ones come in a thousand transactions. */
const spamTransactions = 1_000;
const spamEach = 1_000;
const asked = 300;
/** How often memory is measured while the CSV is read. */
const measureEachBytes = 250_000;

interface Reading {
  readonly peakMb: number;
  readonly processorSeconds: number;
  readonly calls: number;
  readonly seconds: number;
}

/** So small that the reader needs nearly all of it: with more room, garbage that is not collected yet would be measured too. */
const smallHeap = ['--max-semi-space-size=4', '--max-old-space-size=96'];
/** As in `npm start`. */
const productHeap = ['--max-semi-space-size=4', '--max-old-space-size=1024'];

/** In its own process, so that only the reader's memory is measured. */
async function read(
  { urls, facts, requests }: Sandbox,
  databaseUrl: string,
  heap: readonly string[] = smallHeap,
): Promise<Reading> {
  requests.reset();
  const beganMs = performance.now();
  const reader = startChild(readerScript, [JSON.stringify({ urls, facts, databaseUrl })], {}, heap);
  const [peakMb = 0, processorSeconds = 0] = (await reader.firstLine()).split(' ').map(Number);
  await reader.exited;
  return { peakMb, processorSeconds, calls: requests.of('sui').count, seconds: (performance.now() - beganMs) / 1_000 };
}

type Ground = Pick<Sandbox, 'urls' | 'facts'>;
type BenchDatabase = Awaited<ReturnType<typeof startBenchDatabase>>;

async function readEverything(database: BenchDatabase, empty: BenchDatabase): Promise<{ rows: Row[]; ground: Ground }> {
  const sandbox = await startSandbox();
  try {
    const { urls, facts, world } = sandbox;
    const small = await read(sandbox, empty.url);
    for (let at = 0; at < transactions; at += 1) {
      world.pay({ to: `0x${(at % 500) + 1}`, coinType: suiType, amount: 1n });
    }
    const long = await read(sandbox, database.url);
    const again = await read(sandbox, database.url);
    for (let at = 0; at < spamTransactions; at += 1) world.spam({ what: 'nfts', count: spamEach });
    const spam = await read(sandbox, database.url, productHeap);
    const what = `${transactions} transactions`;
    const seconds = (reading: Reading): string => `${Math.round(reading.seconds)} s`;
    const rows = [
      atMost(`${what}: calls of the first read`, long.calls, transactions / 100 + 30, '', seconds(long)),
      atMost(`${what}: extra memory of the first read, compared with 600`, long.peakMb - small.peakMb, 60, ' MB'),
      atMost(`${what}: calls of a refresh once it is read`, again.calls, 2),
      // The reader's alone: the sandbox takes longer to generate them.
      atMost(
        'a million worthless NFTs: processor time of reading them',
        spam.processorSeconds,
        60,
        ' s',
        seconds(spam),
      ),
    ];
    return { rows, ground: { urls, facts } };
  } finally {
    await sandbox.stop();
  }
}

/** Issue figure: the first read of a long past, a refresh after it, and calls answered from it. */
export const benchLedger = async (): Promise<Row[]> => {
  const database = await startBenchDatabase();
  const empty = await startBenchDatabase();
  try {
    const { rows, ground } = await readEverything(database, empty);
    // The sandbox has stopped by then: collecting its million NFTs as garbage would be measured too.
    return [...rows, ...(await askEverything(ground, database))];
  } finally {
    await database.drop();
    await empty.drop();
  }
};

async function askEverything({ urls, facts }: Ground, database: BenchDatabase) {
  // After a million rows at once the database is busy with its own work for minutes; this ends that.
  await database.pool.query('vacuum analyze');
  await database.pool.query('checkpoint');
  const { ledger } = await openLedger({ urls, facts, pool: database.pool });
  const route = (path: string) => {
    const found = ledger.routes.find((each) => each.path === path);
    if (found === undefined) throw new Error(`There is no ${path}`);
    return found;
  };
  const pageMs: number[] = [];
  const queries = [{}, { kind: 'transfer-out' }, { coin: suiType }, { apart: 'true' }];
  for (const query of queries) await askRoute(route('/api/treasury/ledger'), { query });
  for (let at = 0; at < asked; at += 1) {
    const query = { ...queries[at % queries.length], page: String(1 + ((at * 37) % 20)) };
    const beganMs = performance.now();
    await askRoute(route('/api/treasury/ledger'), { query });
    pageMs.push(performance.now() - beganMs);
  }
  setFlagsFromString('--expose-gc');
  const clear = runInNewContext('gc') as () => void;
  /** Heap in use after garbage collection. */
  const usedBytes = (): number => {
    clear();
    return process.memoryUsage().heapUsed;
  };
  const beforeBytes = usedBytes();
  let [mostBytes, length, measureAt] = [0, 0, 0];
  const answer = await askRoute(route('/api/treasury/ledger.csv'));
  if (!('download' in answer)) throw new Error('The CSV is a download');
  for await (const part of answer.download.parts) {
    length += part.length;
    if (length < measureAt) continue;
    measureAt = length + measureEachBytes;
    mostBytes = Math.max(mostBytes, usedBytes() - beforeBytes);
  }
  await ledger.stop();
  return [
    atMost(
      'a page of the ledger, p99',
      quantile(pageMs, 0.99),
      20,
      ' ms',
      `median ${Math.round(quantile(pageMs, 0.5))} ms`,
    ),
    atMost('the whole CSV: memory', mostBytes / 1e6, 60, ' MB', `${Math.round(length / 1e6)} MB written`),
  ];
}
