import { addressFrom } from './derived-ids.ts';
import type { Coin, CoinMetadata, Holding, Price, WorldContext, WorldState } from './state.ts';
import { canonicalType } from './sui-names.ts';

export type AddCoin = {
  coinType: string;
  /** Null: a coin that never published metadata. */
  metadata: (Omit<CoinMetadata, 'id' | 'description' | 'iconUrl'> & Partial<CoinMetadata>) | null;
};

/** Adds a coin type to the chain, replacing an earlier one of the same type. */
export function addCoin(world: WorldContext, wanted: AddCoin): Coin {
  const coinType = canonicalType(wanted.coinType);
  const metadata = wanted.metadata && {
    id: addressFrom(`metadata/${coinType}`),
    description: '',
    iconUrl: null,
    ...wanted.metadata,
  };
  const coin: Coin = { coinType, metadata };
  world.state.coins.set(coinType, coin);
  return coin;
}

/** Base units in coin objects. */
export function coinObjectTotal(holding: Holding): bigint {
  return holding.coinObjects.reduce((total, coin) => total + coin.amount, 0n);
}

export type SetPrice = {
  coinType: string;
  /** Decimal string in USD; null removes the price. */
  priceUsd: string | null;
  confidence?: number;
  ageMs?: number;
  services?: Price['services'];
};

/** Sets or removes the price of one coin at the price services. */
export function setPrice(world: WorldContext, wanted: SetPrice): void {
  const coinType = canonicalType(wanted.coinType);
  if (wanted.priceUsd === null) {
    world.state.prices.delete(coinType);
    return;
  }
  const earlier = world.state.prices.get(coinType);
  world.state.prices.set(coinType, {
    coinType,
    priceUsd: wanted.priceUsd,
    confidence: wanted.confidence ?? earlier?.confidence ?? 0.99,
    ageMs: wanted.ageMs ?? earlier?.ageMs ?? 0,
    services: wanted.services ?? earlier?.services ?? ['prices', 'pricesFallback'],
  });
}

/** The price of one SUI in USD as a number for display columns; null when unknown. */
export function suiPriceUsd(state: WorldState): number | null {
  const price = [...state.prices.values()].find((each) => each.coinType.endsWith('::sui::SUI'));
  return price ? Number(price.priceUsd) : null;
}
