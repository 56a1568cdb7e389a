import type { TreasurySnapshot } from '../../../src/treasury/contract.ts';
import { until } from '../until.ts';
import type { Feature, Outcome } from './feature.ts';
import type { FaultWorld } from './world.ts';

const suiType = '0x2::sui::SUI';
const oneSuiMist = 1_000_000_000n;

interface TreasuryMemory {
  readonly before: TreasurySnapshot;
  /** The SUI balance after the addition during the fault. */
  readonly newSui: number;
}

const balance = async ({ call }: FaultWorld): Promise<TreasurySnapshot> => {
  const { status, body } = await call('GET', '/api/treasury/balance');
  if (status !== 200) throw new Error(`the treasury answered ${status}: ${body.message}`);
  return body.data;
};

/** Adds one SUI to the treasury's wallet. */
function addSui({ sandbox }: FaultWorld): void {
  const { state } = sandbox.world;
  const held = [...(state.holdings.get(state.treasuryAddress) ?? new Map<string, never>())].find(([coinType]) =>
    /^0x0*2::sui::SUI$/.test(coinType),
  );
  if (held === undefined) throw new Error('the treasury holds no SUI');
  const [, { coinObjects, addressBalance }] = held;
  const coins = (coinObjects as readonly { amount: bigint }[]).reduce((sum, { amount }) => sum + amount, 0n);
  sandbox.world.setBalance({ coinType: suiType, coinBalance: coins + oneSuiMist, addressBalance });
}

const isNear = (one: number | null | undefined, other: number | null | undefined, by: number): boolean =>
  typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= by;

/** Every answer must show the figures from before or the current ones, and nothing else. */
function checkFigures({ before, newSui }: TreasuryMemory, now: TreasurySnapshot): void {
  const sui = now.balance?.balanceInSui;
  const addedUsd = (before.suiPriceUsd ?? 0) * (isNear(sui, newSui, 1e-6) ? 1 : 0);
  const isBalance = isNear(sui, newSui, 1e-6) || isNear(sui, before.balance?.balanceInSui, 1e-6);
  // The prices of the sandbox's two services differ by a thousandth at most.
  const isTotal = isNear(now.totalUsdValue, (before.totalUsdValue ?? 0) + addedUsd, (before.totalUsdValue ?? 0) / 500);
  const isWhole =
    now.nftTotalValueSui === before.nftTotalValueSui && now.tokenBreakdown.length === before.tokenBreakdown.length;
  if (isBalance && isTotal && isWhole) return;
  throw new Error(
    `wrong figures: ${sui} SUI, ${now.totalUsdValue} USD, NFTs ${now.nftTotalValueSui}, ${now.tokenBreakdown.length} tokens`,
  );
}

/** Whether a refresh that began since then has ended, successfully or not. By the database's clock, which is this machine's. */
function refreshedSince(world: FaultWorld, since: Date): () => Promise<boolean> {
  return async () => {
    const over = await world.rows(
      `select 1 from pgboss.job where name = 'treasury-refresh' and state <> 'active' and started_on >= '${since.toISOString()}'`,
    );
    return over.length > 0;
  };
}

/** Live by the current clock: a reading made while the clock was ahead does not count. */
const isLive = (
  world: FaultWorld,
  { state, asOf }: { readonly state: string; readonly asOf: string | null },
): boolean => state === 'live' && Date.parse(asOf ?? '') <= world.productNowMs();

export const treasury: Feature<TreasuryMemory> = {
  name: 'treasury page',
  seenBy: 'visitor',
  remember: async (world) => {
    await until('the treasury is live', async () => isLive(world, await balance(world)));
    const before = await balance(world);
    return { before, newSui: (before.balance?.balanceInSui ?? 0) + 1 };
  },
  during: async (world, { upstream, productAtMs }, memory) => {
    addSui(world);
    // On a busy machine a reading soon looks old again, so the first state shown counts.
    let shownFirst: TreasurySnapshot | null = null;
    const now = async (): Promise<TreasurySnapshot> => {
      const snapshot = await balance(world);
      checkFigures(memory, snapshot);
      if (snapshot.state !== 'stale' && Date.parse(snapshot.asOf) >= productAtMs) shownFirst ??= snapshot;
      return shownFirst ?? snapshot;
    };
    const isTried = upstream === 'database' ? async () => true : refreshedSince(world, new Date());
    await until('a refresh was tried', async () => (await now()) === shownFirst || isTried());
    // Old figures must be marked as old; live figures were read during the fault.
    const isMarked = ({ state, asOf }: TreasurySnapshot): boolean =>
      state !== 'live' || Date.parse(asOf) >= productAtMs;
    await until('the figures are new or marked as old', async () => isMarked(await now()));
    const byState: Readonly<Record<TreasurySnapshot['state'], Outcome>> = {
      live: 'as ever',
      estimated: 'second source',
      stale: 'last known',
      unavailable: 'says so',
    };
    return byState[(await now()).state];
  },
  recovered: (world, { newSui }) =>
    until('the treasury is live again', async () => {
      const { state, balance: now } = await balance(world);
      return state === 'live' && isNear(now?.balanceInSui, newSui, 1e-6);
    }),
};
