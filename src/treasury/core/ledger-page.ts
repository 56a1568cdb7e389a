import { kioskType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject } from '../../sources/sui/chain-transaction.ts';
import { entryOf, type LedgerEntry } from './ledger-rules.ts';
import type { Ours } from './nft-moves.ts';

/** Turns transactions, in chain order, into entries, and tracks what the treasury holds on the way. */

/** What the treasury held at a point of the chain. */
export interface Holdings {
  /** Kiosk by the cap that opens it. */
  readonly kiosks: ReadonlyMap<string, string>;
  /** Whether others sent more kiosk caps than are followed. */
  readonly hasLeftOutKiosks: boolean;
  readonly escrowed: ReadonlySet<string>;
  /** Collections of which the treasury itself once bought or sold a piece. */
  readonly tradedCollections: ReadonlySet<string>;
  /** Known coins, and coins that the treasury itself once moved. */
  readonly knownCoins: ReadonlySet<string>;
}

export interface TreasuryRules extends Pick<Ours, 'address' | 'isNft' | 'isOwnNft'> {
  readonly isCap: (objectType: string) => boolean;
}

interface ReadPage {
  readonly entries: readonly LedgerEntry[];
  readonly holdings: Holdings;
  /** Set when a kiosk came: its transactions must be read too, from this checkpoint on. The rest of the page was not processed. */
  readonly againFrom: bigint | null;
}

/** Anyone can send caps, and every ten kiosks cost one call per refresh. The same limit as for holdings (decision 0006). */
export const kiosksMax = 200;

/** `kiosksOfCaps`: the kiosk of every cap that comes in these transactions; an absent cap opens no readable kiosk. */
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
    // Kiosks that the treasury itself brings in or uses are always followed.
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

/** Only its own trades: a piece bought out of its kiosk may have been put there by someone else. */
const isTrade = ({ kind, sender }: LedgerEntry, address: string): boolean =>
  sender === address && (kind === 'nft-purchase' || kind === 'nft-sale');

/** Every cap that comes in these transactions, and its kiosk if the same transaction created it. */
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

/** Includes caps that the treasury uses: one of them may have been left out when it came. */
const capsThatCame = (tx: ChainTransaction, { address, isCap }: TreasuryRules) =>
  tx.objects.filter(
    ({ objectType, before, after }) =>
      isCap(objectType) && isAt(after, address) && (!isAt(before, address) || isBy(tx, address)),
  );

const capsThatLeft = ({ objects }: ChainTransaction, { address, isCap }: TreasuryRules) =>
  objects.filter(
    ({ objectType, before, after }) => isCap(objectType) && isAt(before, address) && !isAt(after, address),
  );
