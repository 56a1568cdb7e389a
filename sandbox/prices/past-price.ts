import { knownCoins } from '../seed/coins.ts';
import { numberFrom } from '../world/derived-ids.ts';
import { createRandom } from '../world/random.ts';
import type { Price, WorldContext } from '../world/state.ts';
import { canonicalType } from '../world/sui-names.ts';

/** The service has one price for every five minutes. */
export const markMs = 300_000;
const dayMs = 86_400_000;
/** Fourteen months, starting a few days before the world's first transaction. */
const pastDays = 430;

/** The sine waves whose sum is a price's logarithm. They are bounded, so that no price drifts away over the years. */
const waves = [
  { height: 0.3, days: 233 },
  { height: 0.14, days: 61 },
  { height: 0.06, days: 17.3 },
  { height: 0.025, days: 4.7 },
  { height: 0.01, days: 1.03 },
  { height: 0.004, days: 0.29 },
];
/** The share of these waves in a dollar stablecoin's price: it moves by two thousandths at most. */
const stableShare = 0.004;

const seededPrices = new Map(knownCoins.map((coin) => [canonicalType(coin.coinType), Number(coin.priceUsd)]));

type PricePoint = { atMs: number; priceUsd: number };

/** The price records of one coin. `nearest`: the record nearest to a time, null when none is within the width. */
type PriceRecords = { nearest: (atMs: number, widthMs: number) => PricePoint | null };

/**
 * Up to the start of the world, a coin's price depends only on seed, coin and time, even if its price is changed later. From there
 * it moves to the current price. The whole past of a coin that is not in the seed leads to its current price.
 */
export function recordsOf(world: WorldContext, price: Price, seed: number): PriceRecords {
  const { startedAtMs } = world.state;
  const newestMs = floorTo(world.now().getTime() - price.ageMs, markMs);
  const firstMs = floorTo(startedAtMs - pastDays * dayMs, dayMs);
  const priceAt = priceCurve(price, { seed, startedAtMs, newestMs });
  return {
    nearest: (atMs, widthMs) => {
      const recordMs = Math.min(newestMs, Math.max(firstMs, Math.round(atMs / markMs) * markMs));
      if (newestMs < firstMs || Math.abs(recordMs - atMs) > widthMs) return null;
      return { atMs: recordMs, priceUsd: priceAt(recordMs) };
    },
  };
}

type Times = { seed: number; startedAtMs: number; newestMs: number };

function priceCurve({ coinType, priceUsd }: Price, { seed, startedAtMs, newestMs }: Times): (atMs: number) => number {
  const current = Number(priceUsd);
  const isAfterStart = newestMs > startedAtMs;
  const base = isAfterStart ? (seededPrices.get(coinType) ?? current) : current;
  if (!(current > 0 && base > 0)) return () => current;
  const fromMs = isAfterStart ? startedAtMs : newestMs;
  const wave = waveOf(`${seed}/${coinType}`, Math.abs(base - 1) < 0.02 ? stableShare : 1);
  const [atStart, atEnd] = [Math.log(base) - wave(fromMs), Math.log(current) - wave(newestMs)];
  return (atMs) => {
    if (atMs >= newestMs) return current;
    const part = Math.max(0, (atMs - fromMs) / (newestMs - fromMs || 1));
    return Number(Math.exp(wave(atMs) + atStart + part * (atEnd - atStart)).toPrecision(6));
  };
}

function waveOf(label: string, share: number): (atMs: number) => number {
  const random = createRandom(numberFrom(`past-price/${label}`));
  const shifted = waves.map((wave) => ({ ...wave, shift: random.next() }));
  return (atMs) =>
    shifted.reduce(
      (sum, { height, days, shift }) => sum + share * height * Math.sin(2 * Math.PI * (atMs / (days * dayMs) + shift)),
      0,
    );
}

function floorTo(atMs: number, stepMs: number): number {
  return Math.floor(atMs / stepMs) * stepMs;
}
