import { concurrently } from '../../process/concurrency.ts';
import { Unavailable } from '../../shared/failure.ts';
import { type MarketNft, readListedNfts } from '../../sources/tradeport/nfts.ts';
import type { HeldNft, HoldingAnswer } from '../contract.ts';
import { isOfType } from '../core/held-types.ts';
import { nftsInKiosks } from '../core/owner-table.ts';
import type { CollectionsOf } from '../look-up-collection.ts';
import { outageOf, unknownHolding, unknownReason, untilStopped } from './outages.ts';
import { kiosksMax, readCaps } from './kiosk-caps.ts';
import { findParents } from './kiosk-store.ts';
import type { OwnerTables, TableDeps } from './owner-tables.ts';

export interface ReadWalletDeps extends TableDeps {
  readonly tables: OwnerTables;
  readonly collectionsOf: CollectionsOf;
}

export interface WalletQuery {
  /** Both are canonical. */
  readonly nftType: string;
  readonly wallet: string;
}

export type ReadWallet = (query: WalletQuery, stop?: AbortSignal) => Promise<HoldingAnswer>;

const kiosksAtOnceMax = 8;

/**
 * Reads one wallet completely (rulings R5). A failed reading makes the answer 'unknown', except that an outage of the marketplace
 * changes nothing once NFTs were found on the chain. Throws what the database throws.
 */
export function createReadWallet(deps: ReadWalletDeps): ReadWallet {
  return async (query, stop) => {
    const asOf = deps.clock.now();
    const [onChain, forSale] = await Promise.all([
      outageOf(readOnChain(deps, query, stop)),
      outageOf(readForSale(deps, query, stop)),
    ]);
    if ('outage' in onChain) return unknownHolding(onChain.outage, asOf);
    const { kioskCount, nfts } = onChain.value;
    const atMarketplace =
      'outage' in forSale ? forSale : await outageOf(confirmForSale(deps, query, unseen(forSale.value, nfts), stop));
    if ('outage' in atMarketplace) {
      return nfts.length > 0 ? { kind: 'holds', nfts, asOf } : unknownHolding(atMarketplace.outage, asOf);
    }
    const all = [...nfts, ...atMarketplace.value];
    if (all.length > 0) return { kind: 'holds', nfts: all, asOf };
    return { kind: 'does-not-hold', kioskCount, asOf: onChain.value.asOf };
  };
}

interface OnChain {
  readonly nfts: readonly HeldNft[];
  readonly kioskCount: number;
  /** The time of the kiosks' contents. */
  readonly asOf: Date;
}

/** The NFTs directly owned and in every kiosk whose cap the wallet holds. */
async function readOnChain(deps: ReadWalletDeps, query: WalletQuery, stop?: AbortSignal): Promise<OnChain> {
  const { nftType, wallet } = query;
  const asOf = deps.clock.now();
  const [direct, inKiosks] = await Promise.all([
    deps.sui.listOwnedObjects({ owner: wallet, objectType: nftType }, stop),
    outageOf(readKiosks(deps, query, stop)),
  ]);
  // Each once, by its id: an NFT that moved while the wallet was read may have been seen in two places.
  const found = new Map<string, HeldNft>();
  for (const { objectId, objectType } of direct) {
    if (isOfType(nftType, objectType)) found.set(objectId, { ...inWallet, objectId });
  }
  if ('outage' in inKiosks) {
    // Anybody can send caps to a wallet: they must not hide what it owns directly.
    if (found.size === 0 || !isPermanent(inKiosks.outage)) throw inKiosks.outage;
    return { nfts: [...found.values()], kioskCount: 0, asOf };
  }
  for (const nft of inKiosks.value.nfts) found.set(nft.objectId, nft);
  return { ...inKiosks.value, nfts: [...found.values()] };
}

/** Not a passing outage: there is too much to read, and no complete list from the marketplace instead. */
const isPermanent = (outage: Unavailable): boolean =>
  ['too-many-kiosks', 'too-many-objects', 'marketplace-key-missing'].includes(unknownReason(outage));

async function readKiosks(deps: ReadWalletDeps, query: WalletQuery, stop?: AbortSignal): Promise<OnChain> {
  const { sui, capTypes, store, clock } = deps;
  const asOf = clock.now();
  const caps = await readCaps(sui, capTypes, query.wallet, stop);
  // Two caps may open the same kiosk.
  const kioskIds = [...new Set(caps.map(({ kioskId }) => kioskId))];
  const kioskCount = kioskIds.length;
  if (kioskCount > kiosksMax) return { kioskCount, ...(await readManyKiosks(deps, query, kioskIds, stop)) };
  await store.saveCaps(caps);
  const kiosks = await outageOf(
    concurrently(kioskIds, kiosksAtOnceMax, async (kioskId) => {
      const items = await sui.readKiosk(kioskId, stop);
      return items.map((item) => ({ ...item, kioskId }));
    }),
  );
  if ('outage' in kiosks) {
    // Filling a kiosk is free: a seller could keep the role that way, as with many kiosks.
    if (unknownReason(kiosks.outage) !== 'too-many-objects') throw kiosks.outage;
    return { kioskCount, ...(await readManyKiosks(deps, query, kioskIds, stop)) };
  }
  const nfts = kiosks.value
    .flat()
    .filter(({ objectType }) => isOfType(query.nftType, objectType))
    .map(({ objectId, kioskId, isListed }): HeldNft => ({ objectId, place: 'kiosk', kioskId, isListed }));
  return { nfts, kioskCount, asOf };
}

/**
 * The NFTs of a wallet whose kiosks are too many or too full to read, from the owner table of the whole collection. Kiosks are
 * cheap, and anybody can send caps to a wallet: if they made the answer 'unknown', a seller could keep the role for good.
 * Throws Unavailable, also if the marketplace does not list every NFT.
 */
async function readManyKiosks(
  { tables, collectionsOf }: ReadWalletDeps,
  { nftType, wallet }: WalletQuery,
  kioskIds: readonly string[],
  stop?: AbortSignal,
): Promise<{ readonly nfts: readonly HeldNft[]; readonly asOf: Date }> {
  const found = await untilStopped(collectionsOf(nftType), stop);
  if (found.collections.length === 0) throw tooManyKiosks();
  const { table, outage } = await untilStopped(tables.read(nftType, found, new Set([wallet])), stop);
  const nfts = nftsInKiosks(table, new Set(kioskIds));
  if (nfts === null) throw outage ?? tooManyKiosks();
  return { nfts, asOf: table.asOf };
}

const tooManyKiosks = (): Unavailable =>
  new Unavailable('too-many-kiosks', 'The wallet has too many kiosks to read, or kiosks that are too full');

const inWallet = { place: 'wallet', kioskId: null, isListed: false } as const;

/** The NFTs that the marketplace lists for the wallet: those outside kiosks are in objects that belong to no wallet. */
async function readForSale(
  { collectionsOf, market }: ReadWalletDeps,
  { nftType, wallet }: WalletQuery,
  stop?: AbortSignal,
): Promise<readonly MarketNft[]> {
  const { collections } = await collectionsOf(nftType);
  const listed = await Promise.all(
    collections.map(({ marketId }) => readListedNfts(market, { marketId, owner: wallet }, stop)),
  );
  return listed.flat();
}

function unseen(forSale: readonly MarketNft[], nfts: readonly HeldNft[]): readonly MarketNft[] {
  const seen = new Set(nfts.map(({ objectId }) => objectId));
  return forSale.filter(({ objectId }) => !seen.has(objectId));
}

/**
 * The NFTs that the marketplace lists for the wallet and the chain confirms: they exist, are of the type, and are in an object
 * that is not a kiosk (kiosks are found by their caps) or, if returned meanwhile, in the wallet. Throws Unavailable.
 */
async function confirmForSale(
  deps: ReadWalletDeps,
  { nftType, wallet }: WalletQuery,
  forSale: readonly MarketNft[],
  stop?: AbortSignal,
): Promise<readonly HeldNft[]> {
  if (forSale.length === 0) return [];
  const owners = await deps.sui.readOwners(
    forSale.map(({ objectId }) => objectId),
    stop,
  );
  const inFields = forSale.flatMap(({ objectId }) => {
    const owner = owners.get(objectId)?.owner;
    return owner?.kind === 'object' ? [{ objectId, fieldId: owner.objectId }] : [];
  });
  const parents = await findParents(deps, inFields, stop);
  return forSale.flatMap(({ objectId }): HeldNft[] => {
    const object = owners.get(objectId);
    if (object === undefined || !isOfType(nftType, object.objectType)) return [];
    if (object.owner.kind === 'wallet') return object.owner.address === wallet ? [{ ...inWallet, objectId }] : [];
    const parent = object.owner.kind === 'object' ? parents.get(object.owner.objectId) : undefined;
    if (parent === undefined || parent.isKiosk) return [];
    return [{ objectId, place: 'marketplace', kioskId: null, isListed: true }];
  });
}
