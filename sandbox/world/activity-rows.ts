import { addressFrom, digestFrom, uuidFrom } from './derived-ids.ts';
import { mint } from './minting.ts';
import { findCollection, findNft, nftsOfCollection, ownerOf } from './ownership.ts';
import type { ActionRow, Collection, Nft, WorldContext } from './state.ts';
import { Impossible, markedLabel, nextSequence } from './state.ts';
import { activeListing, buy, list } from './trading.ts';

/** Marketplace rows without any change on chain: unusual rows that readers must handle. */

export type ReportAction = {
  collection: string;
  /** Any text, including unknown types. */
  type: string;
  /** Null or omitted: an action without an NFT. */
  nftId?: string | null;
  priceMist?: bigint | null;
  /** The type of the coin that was paid; SUI by default. */
  priceCoin?: string;
  sender?: string | null;
  receiver?: string | null;
  marketName?: string | null;
  /** The id of an existing transaction; a new one by default. */
  txId?: string;
  /** How long ago it happened: the row appears now, with an older block time. */
  agoMs?: number;
};

/** Adds one activity row. */
export function reportAction(world: WorldContext, wanted: ReportAction): ActionRow {
  const { state } = world;
  const collection = findCollection(state, wanted.collection);
  const nftId = wanted.nftId == null ? null : findNft(state, wanted.nftId).id;
  const sequence = nextSequence(state);
  const row: ActionRow = {
    id: uuidFrom(markedLabel(state, `action/${sequence}`)),
    type: wanted.type,
    collectionKey: collection.key,
    nftId,
    priceMist: wanted.priceMist ?? null,
    usdPrice: null,
    sender: wanted.sender ?? addressFrom('holder/1'),
    receiver: wanted.receiver ?? null,
    txId: wanted.txId ?? digestFrom(markedLabel(state, `transaction/${sequence}`)),
    txIndex: sequence,
    blockTimeMs: world.now().getTime() - (wanted.agoMs ?? 0),
    marketName: wanted.marketName === undefined ? 'tradeport' : wanted.marketName,
    nonce: null,
    priceCoin: wanted.priceCoin ?? null,
  };
  state.actions.push(row);
  return row;
}

export type RepeatAction = {
  /** The newest action (of the given type, if any) by default. */
  actionId?: string;
  type?: string;
  /** Another market reports the same transaction under another row id. By default the same row is repeated, id included. */
  marketName?: string;
  times?: number;
};

/** Reports an earlier action again. */
export function repeatAction(world: WorldContext, wanted: RepeatAction): ActionRow[] {
  const { state } = world;
  const source = state.actions.findLast((row) =>
    wanted.actionId === undefined ? wanted.type === undefined || row.type === wanted.type : row.id === wanted.actionId,
  );
  if (!source) throw new Impossible('No such action');
  const { marketName } = wanted;
  const rows = Array.from({ length: wanted.times ?? 1 }, () =>
    marketName === undefined
      ? { ...source }
      : {
          ...source,
          marketName,
          id: uuidFrom(markedLabel(state, `action/${nextSequence(state)}`)),
          txIndex: nextSequence(state),
        },
  );
  state.actions.push(...rows);
  return rows;
}

export type Burst = { collection: string; kind: 'mint' | 'list' | 'buy'; count: number; priceMist?: bigint };

/** Makes many mints, listings or sales at once and returns their NFTs. Throws Impossible when there are too few NFTs. */
export function burst(world: WorldContext, wanted: Burst): Nft[] {
  const { state } = world;
  const collection = findCollection(state, wanted.collection);
  if (wanted.kind === 'mint') {
    return Array.from({ length: wanted.count }, (_, index) =>
      mint(world, { address: addressFrom(`holder/${index % 40}`), collection: collection.key }),
    );
  }
  const wantsListed = wanted.kind === 'buy';
  const nfts = candidates(world, collection, wantsListed).slice(0, wanted.count);
  if (nfts.length < wanted.count) {
    throw new Impossible(`Only ${nfts.length} are ${wantsListed ? 'listed' : 'available to list'}`);
  }
  for (const nft of nfts) {
    if (wantsListed) buy(world, { nftId: nft.id, buyer: addressFrom('holder/7') });
    else list(world, { nftId: nft.id, priceMist: wanted.priceMist ?? 12_500_000_000n });
  }
  return nfts;
}

function candidates(world: WorldContext, collection: Collection, wantsListed: boolean): Nft[] {
  const { state } = world;
  return nftsOfCollection(state, collection.key).filter(
    (nft) =>
      ownerOf(state, nft) !== state.treasuryAddress && (activeListing(state, nft.id) !== undefined) === wantsListed,
  );
}

export type AddCollections = { count: number; nftsEach?: number; title?: string };

/** Adds verified collections, each with a few NFTs, for measurements. Returns their keys and types. */
export function addCollections(world: WorldContext, wanted: AddCollections): Pick<Collection, 'key' | 'nftType'>[] {
  const { state } = world;
  return Array.from({ length: wanted.count }, () => {
    const number = state.collections.size;
    const key = `collection-${number}`;
    const collection: Collection = {
      key,
      rowId: uuidFrom(`collection/${key}`),
      nftType: `${addressFrom(`package/${key}`)}::pebble::Pebble`,
      title: `${wanted.title ?? 'Pebbles'} ${number}`,
      semanticSlug: key,
      description: 'One of many.',
      verified: true,
      onMarketplace: true,
      maxSupply: 10_000,
      mintPriceMist: 1_000_000_000n,
      floorRule: { kind: 'lowest-listing' },
      volumeMist: 0n,
    };
    state.collections.set(key, collection);
    for (let each = 0; each < (wanted.nftsEach ?? 2); each += 1) {
      const nft = mint(world, { address: addressFrom(`holder/${each}`), collection: key });
      if (each === 0) list(world, { nftId: nft.id, priceMist: 5_000_000_000n });
    }
    return { key, nftType: collection.nftType };
  });
}
