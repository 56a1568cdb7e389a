import { expect, test } from 'vitest';

import { createManualClock } from '../../../tests/support/manual-clock.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { TablePiece } from '../core/owner-table.ts';
import type { LearnedStore } from './learned-store.ts';
import type { OwnerReader } from './holdings.ts';
import { createReadWallet } from './read-wallet.ts';
import { type LiveTable, resolveKiosks } from './owner-tables.ts';

/** What anybody can bring about on the chain must neither stop everybody's answers nor be a way to keep a role. */
const nftType = '0x1::rock::Rock';
const wallet = '0x2';
const clock = createManualClock();
/** Nothing is for sale. */
const market = (() => Promise.resolve({ nfts: [] })) as unknown as MarketCall;

const capsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    capId: `cap ${index}`,
    kioskId: `kiosk ${index}`,
    kind: 'kiosk-owner-cap' as const,
  }));

/** A chain on which the wallet holds so many caps, and a piece `n` lies in kiosk `n`. */
function chainOf(capCount: number): { readonly reader: OwnerReader; readonly derived: () => number } {
  let derived = 0;
  const reader: OwnerReader = {
    readDirect: () => Promise.resolve([]),
    readCaps: () => Promise.resolve(capsOf(capCount)),
    readKiosk: () => Promise.reject(new Unavailable('too-many-pages', 'The Sui full node has more than 20 pages')),
    readOwners: (ids) =>
      Promise.resolve(
        new Map(
          ids.map((objectId) => {
            const owner = { kind: 'object', objectId: objectId.replace('field', 'kiosk') } as const;
            return [objectId, { objectId, objectType: 'a field', owner }];
          }),
        ),
      ),
    readKioskOwnerFields: () => Promise.resolve(new Map()),
    kioskFieldId: (kioskId, objectId) => {
      derived += 1;
      return `${kioskId} ${objectId}` === `kiosk ${objectId} ${objectId}` ? `field ${objectId}` : 'another';
    },
  };
  return { reader, derived: () => derived };
}

const store: LearnedStore = {
  capsOfKiosks: () => Promise.resolve([]),
  learnCaps: () => Promise.resolve(),
  forgetCaps: () => Promise.resolve(),
  parentsOf: () => Promise.resolve(new Map()),
  learnParents: () => Promise.resolve(),
};

const piecesOf = (count: number): readonly TablePiece[] =>
  Array.from({ length: count }, (_, index) => ({
    objectId: String(index),
    name: null,
    isListed: false,
    hint: wallet,
    spot: { kind: 'field', fieldId: `field ${index}` },
    listing: null,
    imageUrl: null,
    index,
  }));

const tableOf = (pieces: readonly TablePiece[]): LiveTable => ({
  table: { asOf: clock.now(), isComplete: true, pieces, holders: new Map() },
  askedWallets: new Set(),
  kioskHints: null,
});

test('a wallet with thousands of caps is placed without trying every piece with every kiosk', async () => {
  const { reader, derived } = chainOf(5_000);
  const live = tableOf(piecesOf(50));
  await resolveKiosks({ reader, store, market, clock }, live, new Set([wallet]));
  expect(live.table.pieces.map(({ spot }) => spot.kind)).toEqual(Array.from({ length: 50 }, () => 'kiosk'));
  expect(live.table.holders.get('kiosk 49')).toEqual(new Set([wallet]));
  expect(derived()).toBe(50);
});

test('a kiosk with more in it than anybody reads is answered by where every piece lies: nobody keeps the role of a sold piece by filling one', async () => {
  const { reader } = chainOf(1);
  const found = { collections: [{ marketId: 'rocks' }], isComplete: true } as never;
  const readWallet = createReadWallet({
    reader,
    store,
    market,
    clock,
    collectionsOf: () => Promise.resolve(found),
    tables: { read: () => Promise.resolve({ table: tableOf([]).table, outage: null }) },
  });
  expect(await readWallet({ nftType, wallet })).toMatchObject({ kind: 'does-not-hold', kioskCount: 1 });
});
