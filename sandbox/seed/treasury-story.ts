import { arrangeCoins } from '../world/balances.ts';
import { addressFrom } from '../world/derived-ids.ts';
import { gasMist, heldOf } from '../world/moving-coins.ts';
import { nftsOfCollection, ownerOf } from '../world/ownership.ts';
import { pay, payout, receive, swap } from '../world/paying.ts';
import type { WorldContext } from '../world/state.ts';
import { canonicalType, suiCoinType } from '../world/sui-names.ts';
import { coinTypeOfSymbol, knownCoins } from './coins.ts';
import { troubleArrivals } from './treasury-tokens.ts';

const sui = 1_000_000_000n;

/** An event on a day of the past; its first day is day 0. */
export type Chapter = { day: number; happen: (world: WorldContext) => void };

/** Provides the treasury's starting funds. */
const team = addressFrom('team');
/** The mints that the story below assumes; with more or fewer, the team's starting funds are lower or higher. */
const usualMints = 412;
const teamBegins = 15_500n * sui;

type Swap = [day: number, from: string, amountIn: bigint, to: string, amountOut: bigint];

/** In base units. Coins that the treasury no longer holds are swapped back. */
const swaps: readonly Swap[] = [
  [20, 'SUI', 1_500n * sui, 'USDC', 2_731_404_118n],
  [35, 'SUI', 720n * sui, 'CETUS', 23_250_000_000_000n],
  [60, 'SUI', 600n * sui, 'DEEP', 15_000_500_000n],
  [75, 'SUI', 270n * sui, 'WAL', 2_480_750_000_000n],
  [110, 'SUI', 150n * sui, 'NAVX', 9_600_000_000_000n],
  [140, 'SUI', 3n * sui, 'NS', 90_000_400n],
  [150, 'CETUS', 5_000n * sui, 'SUI', 171_884_213_905n],
  [200, 'NS', 90_000_000n, 'SUI', 2_611_907_330n],
  [230, 'USDC', 846_003_000n, 'BUCK', 845_120_000_000n],
  [265, 'SUI', 825n * sui, 'suiUSDT', 1_502_300_000n],
  [300, 'USDC', 320_400_000n, 'wUSDC', 320_118_442n],
];

const payouts = [
  { day: 118, amountEach: 1_500_000_000n },
  { day: 241, amountEach: 2n * sui },
  { day: 362, amountEach: 2_500_000_000n },
] as const;

/** The treasury's income and spending, except mints and NFT trades. */
export function treasuryStory(mintedRocks: number): Chapter[] {
  return [
    { day: 0, happen: (world) => fromTeam(world, 'SUI', teamBegins + BigInt(usualMints - mintedRocks) * 10n * sui) },
    { day: 0.2, happen: (world) => fromTeam(world, 'USDC', 4_000_000_000n) },
    ...swaps.map(([day, from, amountIn, to, amountOut]): Chapter => ({
      day,
      happen: (world) => swap(world, { fromCoin: coinOf(from), amountIn, toCoin: coinOf(to), amountOut }),
    })),
    ...payouts.map(({ day, amountEach }): Chapter => ({ day, happen: (world) => payHolders(world, amountEach) })),
    ...troubleArrivals.map(({ day, coinType, amount }): Chapter => ({
      day,
      happen: (world) => receive(world, { from: addressFrom(`sender/${coinType}`), coinType, amount }),
    })),
    { day: 404, happen: swapForTheRest },
    { day: 414, happen: settle },
  ];
}

function coinOf(symbol: string): string {
  return coinTypeOfSymbol(symbol);
}

function fromTeam(world: WorldContext, symbol: string, amount: bigint): void {
  receive(world, { from: team, coinType: coinOf(symbol), amount });
}

/** Pays the same amount to every rock holder except the treasury. */
function payHolders(world: WorldContext, amountEach: bigint): void {
  const { state } = world;
  const owners = nftsOfCollection(state, state.ownCollectionKey).map((nft) => ownerOf(state, nft));
  const recipients = [...new Set(owners)].filter((owner) => owner !== state.treasuryAddress);
  payout(world, { recipients, coinType: suiCoinType, amountEach });
}

/** Swaps SUI for USDC up to the current USDC balance. */
function swapForTheRest(world: WorldContext): void {
  const usdc = coinOf('USDC');
  const amountOut = todayOf('USDC') - (heldOf(world.state, world.state.treasuryAddress, canonicalType(usdc)) ?? 0n);
  const amountIn = (amountOut * 1_000_000_000n) / 1_812_000n;
  swap(world, { fromCoin: suiCoinType, amountIn, toCoin: usdc, amountOut });
}

function todayOf(symbol: string): bigint {
  const coin = knownCoins.find((each) => each.symbol === symbol);
  return coin ? coin.coinBalance + coin.addressBalance : 0n;
}

/** Rearranges the coins and returns surplus SUI to the team, so that every balance is the current one. */
function settle(world: WorldContext): void {
  const { state } = world;
  for (const { coinType, coinBalance, addressBalance } of knownCoins.toReversed()) {
    arrangeCoins(world, { coinType, addressBalance, coinObjects: coinBalance > 10n ? 3 : 1 });
  }
  const held = heldOf(state, state.treasuryAddress, suiCoinType) ?? 0n;
  pay(world, { to: team, coinType: suiCoinType, amount: held - gasMist - todayOf('SUI') });
}
