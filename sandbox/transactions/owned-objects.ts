import { findCollection } from '../world/ownership.ts';
import type { WorldState } from '../world/state.ts';

/** A coin of an owner whose balances are tracked. */
export type OwnedCoin = {
  kind: 'coin';
  objectId: string;
  version: number;
  owner: string;
  coinType: string;
  amount: bigint;
  isParty?: boolean | undefined;
};
/** An NFT in a wallet. */
export type OwnedNft = { kind: 'nft'; objectId: string; version: number; owner: string; objectType: string };
export type OwnedObject = OwnedCoin | OwnedNft;

/** Finds an object that a transaction may use by its id; null: no wallet has it. */
export type ObjectLookup = (objectId: string) => OwnedObject | null;

/** Reads the coins once; valid until the world changes. */
export function objectLookup(state: WorldState): ObjectLookup {
  const coins = new Map<string, OwnedCoin>();
  for (const [owner, holdings] of state.holdings) {
    for (const [coinType, { coinObjects }] of holdings) {
      for (const { id, version, amount, isParty } of coinObjects) {
        coins.set(id, { kind: 'coin', objectId: id, version, owner, coinType, amount, isParty });
      }
    }
  }
  return (objectId) => coins.get(objectId) ?? nftInWallet(state, objectId);
}

function nftInWallet(state: WorldState, objectId: string): OwnedNft | null {
  const nft = state.nfts.get(objectId);
  if (nft?.place.kind !== 'wallet') return null;
  const { nftType: objectType } = findCollection(state, nft.collectionKey);
  return { kind: 'nft', objectId, version: nft.version, owner: nft.place.address, objectType };
}

/** The coins of one type that an owner can spend, largest first. */
export function coinsOf(state: WorldState, owner: string, coinType: string): OwnedCoin[] {
  const coins = state.holdings.get(owner)?.get(coinType)?.coinObjects ?? [];
  return coins
    .filter(({ isParty }) => isParty !== true)
    .map(({ id, version, amount }): OwnedCoin => ({ kind: 'coin', objectId: id, version, owner, coinType, amount }))
    .toSorted((one, other) => Number(other.amount - one.amount));
}

/** Whether an object exists but the sandbox cannot move it: kiosks, their caps, staked SUI, NFTs in kiosks or listings. */
export function isOutOfReach(state: WorldState, objectId: string): boolean {
  const isCap = [...state.kiosks.values()].some((kiosk) =>
    [kiosk, ...kiosk.furtherCaps].some(({ capId }) => capId === objectId),
  );
  return isCap || [state.kiosks, state.stakes, state.nfts].some((there) => there.has(objectId));
}
