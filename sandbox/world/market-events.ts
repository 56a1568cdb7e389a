import { addressFrom } from './derived-ids.ts';
import type { ChainEvent } from './state.ts';
import { poolPackage } from './sui-names.ts';

/** The packages that emit these trade events on mainnet. */
const kioskListings = {
  packageId: '0xec175e537be9e48f75fa6929291de6454d2502f1091feb22c0d26a22821bbf28',
  module: 'kiosk_listings',
};
const simpleListings = {
  packageId: '0xff2251ea99230ed1cbe3a347a209352711c6723fcdcd9286e16636e65bb55cab',
  module: 'tradeport_listings',
};
const biddings = {
  packageId: '0x53134eb544c5a0b5085e99efaf7eab13b28ad123de35d61f941f8c8c40b72033',
  module: 'tradeport_biddings',
};

function eventOf(
  source: { packageId: string; module: string },
  name: string,
  json: Record<string, string>,
): ChainEvent {
  return { ...source, eventType: `${source.packageId}::${source.module}::${name}`, json };
}

type Sale = { nftId: string; priceMist: bigint; seller: string; kioskId: string | null };

/** A kiosk NFT is listed through its kiosk, any other through a listing object of the marketplace. */
export function listEvent(sale: Sale): ChainEvent {
  const json = { nft_id: sale.nftId, price: String(sale.priceMist), seller: sale.seller };
  return sale.kioskId === null
    ? eventOf(simpleListings, 'CreateSimpleListingEvent', json)
    : eventOf(kioskListings, 'ListEvent', { ...json, kiosk_id: sale.kioskId });
}

export function unlistEvent(sale: Omit<Sale, 'priceMist'>): ChainEvent {
  const json = { nft_id: sale.nftId, seller: sale.seller };
  return sale.kioskId === null
    ? eventOf(simpleListings, 'CancelSimpleListingEvent', json)
    : eventOf(kioskListings, 'UnlistEvent', { ...json, kiosk_id: sale.kioskId });
}

export function buyEvent(sale: Sale & { buyer: string }): ChainEvent {
  const json = { nft_id: sale.nftId, price: String(sale.priceMist), seller: sale.seller, buyer: sale.buyer };
  return sale.kioskId === null
    ? eventOf(simpleListings, 'BuySimpleListingEvent', json)
    : eventOf(kioskListings, 'BuyEvent', { ...json, kiosk_id: sale.kioskId });
}

export function bidEvent(name: string, json: Record<string, string>): ChainEvent {
  return eventOf(biddings, name, json);
}

/** The collection's own event: there is no standard mint event. */
export function mintEvent(nftType: string, json: Record<string, string>): ChainEvent {
  const [packageId = '', module = ''] = nftType.split('::');
  return eventOf({ packageId, module }, 'MintEvent', json);
}

/** The trade event of an exchange with liquidity pools. */
export function swapEvent(json: Record<string, string>): ChainEvent {
  return eventOf({ packageId: poolPackage, module: 'pool' }, 'SwapEvent', json);
}

const system = { packageId: `0x${'3'.padStart(64, '0')}`, module: 'validator' };

export const stakingPool = addressFrom('staking-pool');

export function stakeEvent(staker: string, amount: bigint): ChainEvent {
  return eventOf(system, 'StakingRequestEvent', {
    amount: String(amount),
    staker_address: staker,
    validator_address: addressFrom('validator'),
    pool_id: stakingPool,
  });
}
