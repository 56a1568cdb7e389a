import { array, assert, integer, nat, property } from 'fast-check';
import { expect, test } from 'vitest';

import { tellTreasury } from '../../../tests/support/random-treasury.ts';
import {
  batType,
  kioskCapType,
  rockType,
  suiType,
  treasuryAddress,
  type Truth,
} from '../../../tests/support/treasury-world.ts';
import type { ChainTransaction } from '../../sources/sui/chain-transaction.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { capsIn, type Holdings, readPage, type TreasuryRules } from './ledger-page.ts';
import type { LedgerEntry } from './ledger-rules.ts';
import { lotsOf } from './sweep-lots.ts';

const rules: TreasuryRules = {
  address: treasuryAddress,
  isNft: (type) => type === batType || type === rockType || type.endsWith('::nft::Nft'),
  isOwnCollection: (type) => type === rockType,
  isCap: (type) => type === kioskCapType,
};

/** Whether a node returns the transaction: it affects the wallet or one of these kiosks. */
const isServed = ({ sender, balanceChanges, objects }: ChainTransaction, kiosks: ReadonlySet<string>): boolean =>
  sender === treasuryAddress ||
  balanceChanges.some(({ address }) => address === treasuryAddress) ||
  objects.some(
    ({ objectId, before, after }) =>
      kiosks.has(objectId) ||
      [before, after].some((owner) => owner?.kind === 'wallet' && owner.address === treasuryAddress),
  );

/** Reads the chain in pages of these sizes, in turn, and keeps each entry once. */
function readAll({ transactions }: Truth, pageSizes: readonly number[]): readonly LedgerEntry[] {
  let holdings: Holdings = {
    kiosks: new Map(),
    hasLeftOutKiosks: false,
    escrowed: new Set(),
    tradedCollections: new Set(),
    knownCoins: new Set([suiCoinType]),
  };
  const entries = new Map<string, LedgerEntry>();
  for (let next = 0, page = 0; next < transactions.length; page += 1) {
    const size = pageSizes[page % pageSizes.length] ?? 1;
    const kiosks = new Set(holdings.kiosks.values());
    const read = transactions.slice(next, next + size);
    const served = read.filter((tx) => isServed(tx, kiosks));
    const caps = capsIn(served, rules).flatMap(({ capId, kioskId }) =>
      kioskId === null ? [] : [[capId, kioskId] as const],
    );
    const { entries: found, holdings: after, againFrom } = readPage(served, holdings, rules, new Map(caps));
    for (const entry of found) if (!entries.has(entry.digest)) entries.set(entry.digest, entry);
    holdings = after;
    next = againFrom === null ? next + size : transactions.findIndex(({ checkpoint }) => checkpoint === againFrom);
  }
  return [...entries.values()].sort(
    (one, other) => Number(one.checkpoint - other.checkpoint) || one.position - other.position,
  );
}

test('in a thousand random treasuries, the ledger closes to the last unit and every kind, holding and lot is right', () => {
  const worlds = property(
    array(nat(10_000_000), { maxLength: 120, size: 'max' }),
    array(integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
    (steps, pageSizes) => {
      const truth = tellTreasury(steps);
      const entries = readAll(truth, pageSizes);
      expect(sumsOf(entries)).toEqual(withoutZero(truth.balances));
      expect(new Map(entries.map(({ digest, kind }) => [digest, kind]))).toEqual(truth.kinds);
      expect(piecesOf(entries)).toEqual(truth.pieces);
      const lots = lotsOf(entries.filter(({ isApart }) => !isApart).map(tradeOf));
      expect(lots.map(({ objectId, cost, proceeds }) => [objectId, cost.mist, proceeds?.mist ?? null])).toEqual(
        truth.bought.map(({ objectId, cost, proceeds }) => [objectId, cost, proceeds]),
      );
    },
  );
  assert(worlds, { numRuns: 1_000 });
});

function sumsOf(entries: readonly LedgerEntry[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { changes } of entries)
    for (const { coinType, raw } of changes) sums.set(coinType, (sums.get(coinType) ?? 0n) + raw);
  return withoutZero(sums);
}

const withoutZero = (sums: ReadonlyMap<string, bigint>) => new Map([...sums].filter(([, raw]) => raw !== 0n));

/** Pieces that came and did not leave; a listed piece is still the treasury's. */
function piecesOf(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const { nfts } of entries)
    for (const { objectId, direction } of nfts) {
      if (direction === 'in') pieces.add(objectId);
      if (direction === 'out') pieces.delete(objectId);
    }
  return pieces;
}

const tradeOf = ({ digest, at, kind, changes, gasMist, nfts }: LedgerEntry) => ({
  digest,
  at,
  kind,
  mist: (changes.find(({ coinType }) => coinType === suiType)?.raw ?? 0n) + gasMist,
  hasOtherCoins: changes.some(({ coinType }) => coinType !== suiType),
  suiPicoUsd: null,
  came: nfts.filter(({ direction }) => direction === 'in'),
  left: nfts.filter(({ direction }) => direction === 'out'),
});
