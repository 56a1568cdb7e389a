import { addressFrom } from '../world/derived-ids.ts';
import type { Random } from '../world/random.ts';
import type { WorldContext } from '../world/state.ts';
import { setBalance } from '../world/balances.ts';
import { addCoin, setPrice } from '../world/tokens.ts';
import { knownCoins } from './coins.ts';

/** Coins that must not count towards the treasury's value, one for each reason. */
const troubles = {
  impersonator: `${addressFrom('package/impersonator')}::usdc::USDC`,
  spamWithAddress: `${addressFrom('package/spam-address')}::claim::CLAIM`,
  spamWithMarkup: `${addressFrom('package/spam-markup')}::free::FREE`,
  withoutMetadata: `${addressFrom('package/pool')}::lp::LP<0x2::sui::SUI>`,
  lowConfidence: `${addressFrom('package/rocket')}::rocket::ROCKET`,
  unpriced: `${addressFrom('package/cave')}::cave::CAVE`,
} as const;

/** The types of coins that are held but never counted. */
export const troubleCoins: Readonly<Record<keyof typeof troubles, string>> = troubles;

/** Adds the seed's coins and their prices. `treasuryStory` gives them to the treasury. */
export function seedTreasuryTokens(world: WorldContext): void {
  for (const { coinType, symbol, name, decimals, priceUsd } of knownCoins) {
    addCoin(world, {
      coinType,
      metadata: { symbol, name, decimals, iconUrl: `https://icons.example/${decimals}.svg` },
    });
    setPrice(world, { coinType, priceUsd });
  }
  seedTroubles(world);
}

/** Restores the balances of the known coins after a big treasury has spent some on setup. */
export function settleTreasury(world: WorldContext): void {
  for (const { coinType, coinBalance, addressBalance } of knownCoins) {
    setBalance(world, { coinType, coinBalance, addressBalance, coinObjects: coinBalance > 10n ? 3 : 1 });
  }
}

/** Unsolicited coins, each arriving on its own day. */
export const troubleArrivals: readonly { day: number; coinType: string; amount: bigint }[] = [
  { day: 41, coinType: troubles.spamWithAddress, amount: 5000n },
  { day: 97, coinType: troubles.unpriced, amount: 42_000_000_000_000n },
  { day: 160, coinType: troubles.withoutMetadata, amount: 123_456_789n },
  { day: 222, coinType: troubles.lowConfidence, amount: 900_000_000_000n },
  { day: 290, coinType: troubles.impersonator, amount: 1_000_000_000_000n },
  { day: 371, coinType: troubles.spamWithMarkup, amount: 77_000_000_000n },
];

function seedTroubles(world: WorldContext): void {
  const add = (coinType: string, symbol: string, name: string, decimals: number): void => {
    addCoin(world, { coinType, metadata: { symbol, name, decimals } });
  };
  add(troubles.impersonator, 'USDC', 'USD Coin', 6);
  setPrice(world, { coinType: troubles.impersonator, priceUsd: '1', confidence: 0.99, services: ['prices'] });
  add(troubles.spamWithAddress, 'CLAIM-5000-SUI', 'claim-sui-reward.example', 0);
  add(troubles.spamWithMarkup, '<b>FREE</b>', '<img src=x onerror=alert(1)> https://free-wal.example', 9);
  addCoin(world, { coinType: troubles.withoutMetadata, metadata: null });
  add(troubles.lowConfidence, 'ROCKET', 'Rocket', 6);
  setPrice(world, { coinType: troubles.lowConfidence, priceUsd: '4.2', confidence: 0.42 });
  add(troubles.unpriced, 'CAVE', 'Cave Token', 9);
}

/** Fills the treasury up to `coinTypes` different coins, for measurements. */
export function seedMoreTokens(world: WorldContext, coinTypes: number, random: Random): void {
  const held = world.state.holdings.get(world.state.treasuryAddress)?.size ?? 0;
  for (let index = held; index < coinTypes; index += 1) {
    const coinType = `${addressFrom(`package/more/${index}`)}::stone_${index}::STONE_${index}`;
    const decimals = random.pick([6, 8, 9, 18]);
    addCoin(world, { coinType, metadata: { symbol: `STN${index}`, name: `Stone ${index}`, decimals } });
    setBalance(world, { coinType, coinBalance: 10n ** BigInt(Math.min(decimals, 17)) * BigInt(1 + random.below(50)) });
    if (random.next() < 0.9) setPrice(world, { coinType, priceUsd: (0.001 + random.next()).toFixed(6) });
  }
}
