import { startSandbox } from '../sandbox/start-sandbox.ts';
import { previewAnswer } from '../src/payouts/payout-admin-contract.ts';
import { suiCoinType } from '../src/shared/sui-address.ts';
import { openPayouts } from '../tests/support/open-payouts.ts';
import { askRoute, dataOf } from '../tests/support/route-request.ts';
import { newestOf, someHolders, treasurerCalls } from '../tests/support/treasurer-calls.ts';
import { startBenchDatabase } from './bench-database.ts';
import { atMost, median, quantile, type Row } from './row.ts';

const rocks = 555;
const many = 10_000;
const repeated = 5;
const asked = 300;

/** Issue figures: preview, building with its two simulations, ten thousand recipients, and the public page of as many lines. */
export async function benchPayouts(): Promise<Row[]> {
  const sandbox = await startSandbox();
  const database = await startBenchDatabase();
  try {
    const copy = await openPayouts({ urls: sandbox.urls, facts: sandbox.facts, pool: database.pool });
    const calls = treasurerCalls(copy, (bytes) => sandbox.wallets.signTransaction('Treasury', bytes));
    const previewMs = (pieces: number): Promise<number> => {
      copy.giveRocksTo(someHolders(pieces));
      const terms = { coinType: suiCoinType, amount: { mode: 'per-rock', raw: '1000' }, leftOut: [] };
      const body = { title: 'October', reason: 'Revenue', ...terms };
      return medianMs(async () => {
        const answer = await copy.call('POST', '/api/admin/payouts/preview', { body });
        if (dataOf(previewAnswer, answer).outcome?.rocks !== pieces) throw new Error('There is no preview');
      });
    };
    const [few, all] = [await previewMs(rocks), await previewMs(many)];
    // A running product has read the ledger already and reads only what is new before it builds.
    await copy.readLedger();
    const buildMs = await medianMs(async (from) => {
      const payout = await calls.publish({ holders: someHolders(rocks, 0x10_000 * (1 + from)), raw: 1_000n });
      const beganMs = performance.now();
      const built = newestOf(await calls.build(payout));
      const tookMs = performance.now() - beganMs;
      await calls.pay(payout, built);
      return tookMs;
    });
    const paying = await payEverybody(calls);
    const pages = await askPages(copy, paying.payout);
    await copy.payouts.stop();
    await copy.ledger.stop();
    return [
      atMost(`preview of ${rocks} rocks, one holder each`, few, 2_000, ' ms'),
      atMost(`preview of ${many} rocks, one holder each`, all, 10_000, ' ms'),
      atMost(`building and simulating a transaction of ${rocks} recipients`, buildMs / 1_000, 1, ' s'),
      atMost(
        `${many} recipients: transactions`,
        paying.transactions,
        many / 1_000,
        '',
        `built, signed, sent and read in ${Math.round(paying.seconds)} s`,
      ),
      atMost(`/payouts/{id} of ${many} lines, first page, p99`, quantile(pages.firstMs, 0.99), 30, ' ms'),
      atMost(`/payouts/{id} of ${many} lines, search, p99`, quantile(pages.searchMs, 0.99), 20, ' ms'),
    ];
  } finally {
    await database.drop();
    await sandbox.stop();
  }
}

async function payEverybody(calls: ReturnType<typeof treasurerCalls>) {
  const payout = await calls.publish({ holders: someHolders(many, 0x100_000), raw: 1_000n });
  const beganMs = performance.now();
  let transactions = 0;
  for (let open = many; open > 0; transactions += 1) {
    const { digest, bytes } = newestOf(await calls.build(payout));
    await calls.pay(payout, { digest, bytes });
    open = (await calls.page(payout)).lines.open;
  }
  return { payout, transactions, seconds: (performance.now() - beganMs) / 1_000 };
}

async function askPages({ payouts }: Awaited<ReturnType<typeof openPayouts>>, payout: number) {
  const route = payouts.routes.find(({ path, method }) => path === '/api/payouts/{id}' && method === 'GET');
  if (route === undefined) throw new Error('There is no call of a payout');
  const timesOf = async (query: (at: number) => object): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let at = 0; at < asked; at += 1) {
      const beganMs = performance.now();
      JSON.stringify(await askRoute(route, { params: { id: String(payout) }, query: query(at) }));
      times.push(performance.now() - beganMs);
    }
    return times;
  };
  const holders = someHolders(many, 0x100_000);
  return {
    firstMs: await timesOf(() => ({})),
    searchMs: await timesOf((at) =>
      at % 2 === 0 ? { rock: String(1 + ((at * 37) % many)) } : { address: holders[(at * 37) % many] },
    ),
  };
}

/** The median of several runs; a run may return its own time. */
async function medianMs(run: (at: number) => Promise<number | void>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < repeated; at += 1) {
    const beganMs = performance.now();
    const tookMs = await run(at);
    times.push(tookMs ?? performance.now() - beganMs);
  }
  return median(times);
}
