import { createDatabase } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { type Product, startProduct } from '../tests/support/product.ts';
import { temporaryDataDir } from '../tests/support/temporary-data-dir.ts';
import { until } from '../tests/support/until.ts';
import { peakResidentMb } from './process-usage.ts';
import { atMost, quantile, type Row } from './row.ts';
import type { VisitAnswer } from './visitor-load.ts';
import { startVisitors } from './visitors-process.ts';

const visitorCount = 1_000;
const worthlessCoins = 3_000;
const days = 90;
const longestWaitMs = 1_000;
const mostMemoryMb = 400;

interface PublicUrl {
  readonly path: string;
  /** The expected status; 200 when left out. */
  readonly status?: number;
}

const urls: readonly PublicUrl[] = [
  ...['/', '/nft', '/rockfolio', '/telegram', '/privacy', '/terms', '/auth', '/robots.txt'].map((path) => ({ path })),
  { path: '/no-such-rock', status: 404 },
  { path: '/api/no-such-call', status: 404 },
  ...['/api/treasury/balance', `/api/treasury/history?days=${days}`].map((path) => ({ path })),
  ...['/api/treasury/export.csv', '/api/treasury/export.json', '/api/collection'].map((path) => ({ path })),
  ...['/api/sources', '/api/openapi.json', '/healthz', '/readyz'].map((path) => ({ path })),
  { path: '/api/auth/check', status: 401 },
  { path: `/api/verify/${'A'.repeat(43)}`, status: 404 },
];

/** `npm run bench public-urls`, also part of `visitors`: 1,000 connections ask for each public address at the same moment. */
export const publicUrlsAtOnce = async (): Promise<Row[]> => {
  const world = await startOldInstallation();
  const visitors = startVisitors();
  const origin = world.product.url.replace('localhost', '127.0.0.1');
  const crowd = { visitorCount, visits: visitorCount, visitsPerSecond: Number.MAX_SAFE_INTEGER };
  try {
    // Connects every visitor before anything is measured.
    await visitors.visit({ ...crowd, urls: [`${origin}/`] });
    const rows: Row[] = [];
    for (const url of urls) {
      const answer = await visitors.visit({ ...crowd, urls: [origin + url.path], status: url.status ?? 200 });
      rows.push(rowOf(url, answer));
    }
    const memoryMb = peakResidentMb(world.product.process.pid);
    return [...rows, atMost('the most memory the process ever had', memoryMb, mostMemoryMb, ' MB')];
  } finally {
    visitors.stop();
    await world.stop();
  }
};

/** The slowest answer; an answer other than expected makes the row fail. */
const rowOf = ({ path }: PublicUrl, answer: VisitAnswer): Row => {
  const took = answer.tookMs.flat();
  const [middle, slowest] = [quantile(took, 0.5), quantile(took, 1)];
  const note = `half within ${middle.toFixed(0)} ms; wrong ${answer.failed}`;
  const row = atMost(`${visitorCount} at once on ${path}: the slowest`, slowest, longestWaitMs, ' ms', note);
  return { ...row, ok: row.ok && answer.failed === 0 };
};

/** An installation with 90 days of history and thousands of worthless coins. */
const startOldInstallation = async (): Promise<{ readonly product: Product; readonly stop: () => Promise<void> }> => {
  const dataDir = await temporaryDataDir('disk');
  const { pool, url, stop } = await createDatabase({ url: null, dataDir: dataDir.path, log: silentLog });
  const stopOwn = async (): Promise<void> => {
    await stop();
    await dataDir.remove();
  };
  const env = {
    DATABASE_URL: url,
    SESSION_SECRET: 'not a secret: these are measurements',
    TREASURY_REFRESH_MS: '60000',
  };
  const product = await startProduct({ env }).catch(async (error: unknown) => {
    await stopOwn();
    throw error;
  });
  await sendWorthlessCoins(product);
  await pool.query(insertHistory, ['mainnet', product.sandbox.facts.treasuryAddress, days * 24]);
  await product.restart();
  await until('the exports are there', async () => (await bytesAt(product, '/api/treasury/export.csv')) > 0, 120_000);
  return {
    product,
    stop: async () => {
      await product.stop();
      await stopOwn();
    },
  };
};

const bytesAt = async ({ url }: Product, path: string): Promise<number> => {
  const answer = await fetch(url + path);
  return answer.ok ? (await answer.arrayBuffer()).byteLength : 0;
};

/** Tries twice: on a busy machine the sandbox may have closed the kept connection. */
const ask = async (product: Product, path: string, body: object): Promise<void> => {
  const send = (): Promise<unknown> => product.control(path, body);
  await send().catch(send);
};

const sendWorthlessCoins = async (product: Product): Promise<void> => {
  for (let index = 0; index < worthlessCoins; index += 1) {
    const coinType = `0x${(65_536 + index).toString(16).padStart(64, '0')}::s::S`;
    await ask(product, '/control/add-coin', { coinType, metadata: null });
    await ask(product, '/control/set-balance', { coinType, coinBalance: '1' });
  }
};

const insertHistory = `
  insert into treasury_history (network, treasury_address, hour, at, total_micro_usd, token_micro_usd, nft_micro_usd)
  select $1, $2, hour, hour + interval '59 minutes', 9667000000 + age::bigint * 1000003, 8420300000 + age::bigint * 1000003, 1246700000
  from generate_series(1, $3::int) as age, lateral (select date_trunc('hour', now()) - age * interval '1 hour' as hour) as of
  on conflict do nothing`;
