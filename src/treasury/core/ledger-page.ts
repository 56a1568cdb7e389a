import { kioskType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject } from '../../sources/sui/chain-transaction.ts';
import { entryOf, type LedgerEntry } from './ledger-rules.ts';
import type { Ours } from './nft-moves.ts';

/** Transactions in the order of the chain become entries; what is the treasury's changes on the way. */

/** What the treasury had at a point of the chain. */
export interface Holdings {
  /** By cap: the kiosk that it opens. */
  readonly kiosks: ReadonlyMap<string, string>;
  /** Others sent caps of more kiosks than are followed. */
  readonly hasLeftOutKiosks: boolean;
  readonly escrowed: ReadonlySet<string>;
  /** Of which the treasury itself once bought or sold a piece. */
  readonly tradedCollections: ReadonlySet<string>;
  /** Well known, or once moved by the treasury itself. */
  readonly knownCoins: ReadonlySet<string>;
}

export interface TreasuryRules extends Pick<Ours, 'address' | 'isNft' | 'isOwnPiece'> {
  readonly isCap: (objectType: string) => boolean;
}

interface ReadPage {
  readonly entries: readonly LedgerEntry[];
  readonly holdings: Holdings;
  /** A kiosk came: from this checkpoint on its transactions are to be read too. What follows in the page was not looked at. */
  readonly againFrom: bigint | null;
}

/** Anybody can send caps, and each ten kiosks cost a call a refresh; as many as holdings are read of (decision 0006). */
export const kiosksMax = 200;

/** `kiosksOfCaps`: of every cap that comes in these transactions; one that is absent opens nothing that can be read. */
export function readPage(
  transactions: readonly ChainTransaction[],
  before: Holdings,
  rules: TreasuryRules,
  kiosksOfCaps: ReadonlyMap<string, string>,
): ReadPage {
  const kiosks = new Map(before.kiosks);
  const escrowed = new Set(before.escrowed);
  const knownCoins = new Set(before.knownCoins);
  const tradedCollections = new Set(before.tradedCollections);
  let { hasLeftOutKiosks } = before;
  const isPiece = ({ collectionType }: LedgerEntry['nfts'][number]): boolean => rules.isNft(collectionType);
  const entries: LedgerEntry[] = [];
  const page = (againFrom: bigint | null): ReadPage => ({
    entries,
    holdings: { kiosks, hasLeftOutKiosks, escrowed, tradedCollections, knownCoins },
    againFrom,
  });
  for (const tx of transactions) {
    const found = capsThatCame(tx, rules).flatMap(({ objectId: capId }) => {
      const kioskId = kiosksOfCaps.get(capId);
      return kioskId === undefined || kiosks.has(capId) ? [] : [{ capId, kioskId }];
    });
    // What the treasury brings or uses itself is always followed.
    const came = isBy(tx, rules.address) ? found : found.slice(0, Math.max(0, kiosksMax - kiosks.size));
    hasLeftOutKiosks ||= came.length < found.length;
    for (const { capId, kioskId } of came) kiosks.set(capId, kioskId);
    const ours = { ...rules, kiosks: new Set(kiosks.values()), escrowed, tradedCollections };
    if (touches(tx, ours)) {
      const entry = entryOf(tx, ours, knownCoins);
      entries.push(entry);
      follow(escrowed, entry.nfts);
      if (isBy(tx, rules.address)) addAll(knownCoins, entry.changes);
      if (isTrade(entry, rules.address)) addCollections(tradedCollections, entry.nfts.filter(isPiece));
    }
    for (const { objectId } of capsThatLeft(tx, rules)) kiosks.delete(objectId);
    if (came.length > 0) return page(tx.checkpoint);
  }
  return page(null);
}

function follow(escrowed: Set<string>, moves: LedgerEntry['nfts']): void {
  for (const { objectId, direction } of moves) {
    if (direction === 'into-escrow') escrowed.add(objectId);
    else escrowed.delete(objectId);
  }
}

function addAll(knownCoins: Set<string>, changes: LedgerEntry['changes']): void {
  for (const { coinType } of changes) knownCoins.add(coinType);
}

function addCollections(tradedCollections: Set<string>, moves: LedgerEntry['nfts']): void {
  for (const { collectionType } of moves) tradedCollections.add(collectionType);
}

/** By its own hand: what is bought out of its kiosk may be what somebody else had put there. */
const isTrade = ({ kind, sender }: LedgerEntry, address: string): boolean =>
  sender === address && (kind === 'nft-purchase' || kind === 'nft-sale');

/** Every cap that comes in these transactions, and the kiosk that it opens where the transaction says so: it made that one. */
export const capsIn = (
  transactions: readonly ChainTransaction[],
  rules: TreasuryRules,
): readonly { readonly capId: string; readonly kioskId: string | null }[] =>
  transactions.flatMap((tx) => {
    const made = tx.objects.filter(({ objectType, isCreated }) => isCreated && objectType === kioskType);
    const kioskId = made.length === 1 ? (made[0]?.objectId ?? null) : null;
    return capsThatCame(tx, rules).map(({ objectId: capId }) => ({ capId, kioskId }));
  });

const isBy = ({ sender, gasPayer }: ChainTransaction, address: string): boolean =>
  sender === address || gasPayer === address;

function touches(tx: ChainTransaction, { address, kiosks, escrowed }: Ours): boolean {
  if (isBy(tx, address) || tx.balanceChanges.some((change) => change.address === address)) return true;
  return tx.objects.some(
    ({ objectId, before, after }) =>
      kiosks.has(objectId) || escrowed.has(objectId) || isAt(before, address) || isAt(after, address),
  );
}

const isAt = (owner: ChangedObject['before'], address: string): boolean =>
  owner?.kind === 'wallet' && owner.address === address;

/** Those that the treasury uses too: one of them may have been left out when it came. */
const capsThatCame = (tx: ChainTransaction, { address, isCap }: TreasuryRules) =>
  tx.objects.filter(
    ({ objectType, before, after }) =>
      isCap(objectType) && isAt(after, address) && (!isAt(before, address) || isBy(tx, address)),
  );

const capsThatLeft = ({ objects }: ChainTransaction, { address, isCap }: TreasuryRules) =>
  objects.filter(
    ({ objectType, before, after }) => isCap(objectType) && isAt(before, address) && !isAt(after, address),
  );
