import { expect, test, vi } from 'vitest';

import { createManualClock } from '../../../tests/support/manual-clock.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { TableNft } from '../core/owner-table.ts';
import type { KioskStore } from './kiosk-store.ts';
import { capTypesOf, kioskFieldId, type OwnerSource } from './kiosk-caps.ts';
import { createReadWallet } from './read-wallet.ts';
import { type LiveTable, resolveKiosks } from './owner-tables.ts';

/** Objects that anybody can create on the chain must neither block other answers nor help to keep a role. */
const nftType = '0x1::rock::Rock';
const wallet = '0x2';
const clock = createManualClock();
const capTypes = capTypesOf('testnet');
/** Nothing is for sale. */
const market = (() => Promise.resolve({ nfts: [] })) as unknown as MarketCall;

const idOf = (kind: string, index: number): string => `0x${kind}${index.toString(16).padStart(62, '0')}`;
const kioskOf = (index: number): string => idOf('aa', index);
const pieceOf = (index: number): string => idOf('cc', index);
const fieldOf = (index: number): string => kioskFieldId(kioskOf(index), pieceOf(index));

/** A cap of kiosk `index`, as the node gives it: its own id and the kiosk's. */
const capOf = (index: number) => {
  const objectId = idOf('bb', index);
  const contents = Buffer.from(objectId.slice(2) + kioskOf(index).slice(2), 'hex');
  return { objectId, objectType: capTypes[0]?.objectType ?? '', display: null, contents };
};

/** A chain where the wallet holds `capCount` caps, and piece `n` is in kiosk `n`. */
const chainOf = (capCount: number): OwnerSource => ({
  listOwnedObjects: ({ include }) =>
    Promise.resolve(include === 'contents' ? Array.from({ length: capCount }, (_, index) => capOf(index)) : []),
  readKiosk: () => Promise.reject(new Unavailable('too-many-pages', 'The Sui full node has more than 20 pages')),
  readOwners: (ids) => {
    const parents = new Map(Array.from({ length: 50 }, (_, index) => [fieldOf(index), kioskOf(index)]));
    const thingOf = (objectId: string) => {
      const owner = { kind: 'object', objectId: parents.get(objectId) ?? '' } as const;
      return { objectId, objectType: 'a field', owner };
    };
    return Promise.resolve(new Map(ids.map((objectId) => [objectId, thingOf(objectId)])));
  },
  readKioskOwnerFields: () => Promise.resolve(new Map()),
});

const store: KioskStore = {
  capsOfKiosks: () => Promise.resolve([]),
  saveCaps: () => Promise.resolve(),
  deleteCaps: () => Promise.resolve(),
  parentsOf: () => Promise.resolve(new Map()),
  saveParents: () => Promise.resolve(),
};

const nftsOf = (count: number): readonly TableNft[] =>
  Array.from({ length: count }, (_, index) => ({
    objectId: pieceOf(index),
    name: null,
    isListed: false,
    hint: wallet,
    spot: { kind: 'field', fieldId: fieldOf(index) },
    listing: null,
    imageUrl: null,
    index,
  }));

const tableOf = (nfts: readonly TableNft[]): LiveTable => ({
  table: { asOf: clock.now(), isComplete: true, nfts, holders: new Map() },
  walletsRead: new Set(),
  kioskHints: null,
});

test('the pieces of a wallet with thousands of caps are placed without trying every piece with every kiosk', async () => {
  const sui = chainOf(5_000);
  const live = tableOf(nftsOf(50));
  const readOwners = vi.spyOn(sui, 'readOwners');
  await resolveKiosks({ sui, capTypes, store, market, clock }, live, new Set([wallet]));
  // The fields' parents come from the node instead.
  expect(readOwners).toHaveBeenCalledWith(
    nftsOf(50).map(({ spot }) => 'fieldId' in spot && spot.fieldId),
    undefined,
  );
  expect(live.table.nfts.map(({ spot }) => spot.kind)).toEqual(Array.from({ length: 50 }, () => 'kiosk'));
  expect(live.table.holders.get(kioskOf(49))).toEqual(new Set([wallet]));
});

test('a kiosk too full to read is answered from the owner table: filling a kiosk keeps no role after a sale', async () => {
  const found = { collections: [{ marketId: 'rocks' }], isComplete: true } as never;
  const readWallet = createReadWallet({
    sui: chainOf(1),
    capTypes,
    store,
    market,
    clock,
    collectionsOf: () => Promise.resolve(found),
    tables: { read: () => Promise.resolve({ table: tableOf([]).table, outage: null }) },
  });
  expect(await readWallet({ nftType, wallet })).toMatchObject({ kind: 'does-not-hold', kioskCount: 1 });
});
