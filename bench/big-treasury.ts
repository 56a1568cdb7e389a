import { startProduct, type Product } from '../tests/support/product.ts';
import { until } from '../tests/support/until.ts';
import { atMost, type Row } from './row.ts';
import { treeMemoryMb } from './start-up.ts';

const coinTypes = 200;
const nfts = 1000;
const kiosks = 50;
const latencyMs = 100;
const refreshEveryMs = 10_000;
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

/** Calls of one steady refresh, and its length in round trips of the injected latency. */
const watchRefresh = async (product: Product): Promise<{ calls: number; roundTrips: number; seen: string }> => {
  await nextSnapshot(product);
  for (const service of outside) await product.control('/control/latency', { service, latencyMs });
  await product.control('/control/requests/reset');
  await nextSnapshot(product);
  const logs = (await product.observe('/control/requests')) as Record<string, ServiceLog>;
  const entries = outside.flatMap((service) => logs[service]?.entries ?? []);
  const startedAtMs = entries.map(({ at }) => Date.parse(at));
  const counts = outside.map((service) => `${service} ${logs[service]?.count ?? 0}`);
  return {
    calls: entries.length,
    roundTrips: (Math.max(...startedAtMs) - Math.min(...startedAtMs)) / latencyMs + 1,
    seen: counts.join(', '),
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
    const { calls, roundTrips, seen } = await watchRefresh(big);
    return [
      atMost(`${coinTypes} coins, ${nfts} NFTs, ${kiosks} kiosks: calls of a refresh`, calls, kiosks + 12, '', seen),
      atMost('the same: critical path in round trips of 100 ms', roundTrips, 6),
      atMost('the same: memory added', treeMemoryMb(big.process.pid) - smallMb, 60, ' MB'),
    ];
  } finally {
    await big.stop();
  }
};
