import { startProduct, type Product } from '../tests/support/product.ts';
import { until } from '../tests/support/until.ts';
import { atMost, type Row } from './row.ts';
import { treeMemoryMb } from './process-usage.ts';

const coinTypes = 200;
const nfts = 1000;
const kiosks = 50;
const latencyMs = 100;
const refreshEveryMs = 10_000;
const balancesCall = 'StateService/ListBalances';
/** The count of listed pieces, and the history of the treasury. */
const ofOtherJobs = /_aggregate$|^LedgerService\//;
const outside = ['sui', 'market', 'prices', 'pricesFallback'] as const;

interface ServiceLog {
  readonly count: number;
  readonly entries: readonly { readonly at: string; readonly operations: readonly string[] }[];
}

const asOf = async (product: Product): Promise<string> => {
  const answer = await fetch(`${product.url}/api/treasury/balance`);
  if (!answer.ok) return '';
  return ((await answer.json()) as { data: { asOf: string } }).data.asOf;
};

const nextSnapshot = async (product: Product): Promise<void> => {
  const before = await asOf(product);
  await until('a new snapshot is published', async () => (await asOf(product)) !== before, 120_000);
};

/** One refresh in steady state with every answer `latencyMs` late: its calls and its duration. */
const watchRefresh = async (
  product: Product,
  latencyMs: number,
): Promise<{ calls: number; durationMs: number; seen: string }> => {
  await nextSnapshot(product);
  for (const service of outside) await product.control('/control/latency', { service, latencyMs });
  await product.control('/control/requests/reset');
  await nextSnapshot(product);
  const publishedAtMs = Date.now();
  const logs = (await product.observe('/control/requests')) as Record<string, ServiceLog>;
  const startsMs = (service: string, isCounted: (operations: readonly string[]) => boolean): number[] =>
    (logs[service]?.entries ?? []).filter(({ operations }) => isCounted(operations)).map(({ at }) => Date.parse(at));
  // A refresh begins with the balances. Earlier calls belong to other jobs.
  const beganAtMs = Math.min(...startsMs('sui', (operations) => operations.includes(balancesCall)));
  const calls = outside.map((service) =>
    startsMs(service, (operations) => !operations.some((name) => ofOtherJobs.test(name))).filter(
      (atMs) => atMs >= beganAtMs && atMs <= publishedAtMs,
    ),
  );
  return {
    calls: calls.flat().length,
    durationMs: publishedAtMs - beganAtMs,
    seen: outside.map((service, index) => `${service} ${calls[index]?.length ?? 0}`).join(', '),
  };
};

/** Issue figure: 200 coin types and 1,000 NFTs in 50 kiosks: calls, critical path and memory of one refresh. */
export const benchBigTreasury = async (): Promise<Row[]> => {
  const env = { TREASURY_REFRESH_MS: String(refreshEveryMs) };
  const small = await startProduct({ env });
  await nextSnapshot(small);
  const smallMb = treeMemoryMb(small.process.pid);
  await small.stop();

  const args = ['--treasury-coin-types', coinTypes, '--treasury-nfts', nfts, '--treasury-kiosks', kiosks];
  const big = await startProduct({ env, sandboxArgs: args.map(String) });
  try {
    await until('the first snapshot is there', async () => (await asOf(big)) !== '', 240_000);
    const prompt = await watchRefresh(big, 0);
    const late = await watchRefresh(big, latencyMs);
    const roundTrips = (late.durationMs - prompt.durationMs) / latencyMs;
    const note = `${Math.round(prompt.durationMs)} ms without, ${Math.round(late.durationMs)} ms with ${latencyMs} ms`;
    return [
      atMost(
        `${coinTypes} coins, ${nfts} NFTs, ${kiosks} kiosks: calls of a refresh`,
        late.calls,
        kiosks + 12,
        '',
        late.seen,
      ),
      atMost('the same: critical path in round trips', roundTrips, 6, '', note),
      atMost('the same: memory added', treeMemoryMb(big.process.pid) - smallMb, 60, ' MB'),
    ];
  } finally {
    await big.stop();
  }
};
