import { kioskType } from '../../shared/sui-address.ts';
import type { ChainTransaction } from '../../sources/sui/chain-transaction.ts';
import { entryOf, type LedgerEntry } from './ledger-rules.ts';
import { isInWallet, isOfCollection, type TreasuryThen } from './nft-moves.ts';

/** Turns transactions, in chain order, into entries, and tracks what the treasury holds on the way. */

/** What the treasury held at a point of the chain. */
export interface Holdings {
  /** Kiosk by the cap that opens it. */
  readonly kiosks: ReadonlyMap<string, string>;
  /** Whether others sent more kiosk caps than are followed. */
  readonly hasLeftOutKiosks: boolean;
  readonly escrowed: ReadonlySet<string>;
  /** Collections of which the treasury itself once bought or sold an NFT. */
  readonly tradedCollections: ReadonlySet<string>;
  /** Known coins, and coins that the treasury itself once moved. */
  readonly knownCoins: ReadonlySet<string>;
}

export interface TreasuryRules extends Pick<TreasuryThen, 'address' | 'isNft' | 'isOwnCollection'> {
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
  const entries: LedgerEntry[] = [];
  const page = (againFrom: bigint | null): ReadPage => ({
    entries,
    holdings: { kiosks, hasLeftOutKiosks, escrowed, tradedCollections, knownCoins },
    againFrom,
  });
  for (const tx of transactions) {
    const openable = capsThatCame(tx, rules).flatMap(({ objectId: capId }) => {
      const kioskId = kiosksOfCaps.get(capId);
      return kioskId === undefined || kiosks.has(capId) ? [] : [{ capId, kioskId }];
    });
    // Kiosks that the treasury itself brings in or uses are always followed.
    const room = isBy(tx, rules.address) ? openable.length : Math.max(0, kiosksMax - kiosks.size);
    const followed = openable.slice(0, room);
    hasLeftOutKiosks ||= followed.length < openable.length;
    for (const { capId, kioskId } of followed) kiosks.set(capId, kioskId);
    const treasury = { ...rules, kiosks: new Set(kiosks.values()), escrowed, tradedCollections };
    if (touches(tx, treasury)) {
      const given = capsThatLeft(tx, rules).filter(({ objectId }) => kiosks.has(objectId));
      const entry = withKiosksGiven(entryOf(tx, treasury, knownCoins), given);
      entries.push(entry);
      updateEscrowed(escrowed, entry.nfts);
      const ownChanges = isBy(tx, rules.address) ? entry.changes : [];
      for (const { coinType } of ownChanges) knownCoins.add(coinType);
      for (const collectionType of collectionsTraded(entry, rules.address)) tradedCollections.add(collectionType);
    }
    for (const { objectId } of capsThatLeft(tx, rules)) kiosks.delete(objectId);
    if (followed.length > 0) return page(tx.checkpoint);
  }
  return page(null);
}

/** With a cap someone else gets a kiosk and all that is in it, while nothing in it changes: the cap stands for it. */
function withKiosksGiven(entry: LedgerEntry, caps: ReturnType<typeof capsThatLeft>): LedgerEntry {
  const given = caps.flatMap(({ objectId, objectType: collectionType, after }) =>
    after?.kind === 'wallet' ? [{ objectId, collectionType, direction: 'out' as const, to: after.address }] : [],
  );
  const nfts = [...entry.nfts, ...given];
  const counterparty = given[0]?.to;
  if (entry.kind !== 'fee' || counterparty === undefined) return { ...entry, nfts };
  return { ...entry, nfts, kind: 'transfer-out', counterparty, sent: [] };
}

/** How far a page of transactions got. `cursor`: where it ended; undefined: the page was merged from several lists. */
interface PageEnd {
  readonly coveredCheckpoint: bigint | null;
  readonly cursor: Uint8Array | undefined;
  readonly isAtTip: boolean;
}

/**
 * Where to read on after a page that began at `fromCheckpoint`. `againFrom`: as `readPage` gave it. `coveredCheckpoint` null: no further
 * checkpoint has been read in full.
 */
export function nextPage(
  fromCheckpoint: bigint,
  page: PageEnd,
  againFrom: bigint | null,
): PageEnd & { readonly fromCheckpoint: bigint } {
  const covered = againFrom === null ? page.coveredCheckpoint : againFrom - 1n;
  const isAtTip = page.isAtTip && againFrom === null;
  if (covered !== null && covered >= fromCheckpoint) {
    return { coveredCheckpoint: covered, fromCheckpoint: covered + 1n, cursor: undefined, isAtTip };
  }
  // The same checkpoint: from its beginning if a kiosk came in it, else it has more transactions than a page.
  const cursor = againFrom === null ? page.cursor : undefined;
  return { coveredCheckpoint: null, fromCheckpoint, cursor, isAtTip };
}

function updateEscrowed(escrowed: Set<string>, moves: LedgerEntry['nfts']): void {
  for (const { objectId, direction } of moves) {
    if (direction === 'into-escrow') escrowed.add(objectId);
    else escrowed.delete(objectId);
  }
}

/** Only in its own trades: an NFT bought out of its kiosk may have been put there by someone else. */
function collectionsTraded({ kind, sender, nfts }: LedgerEntry, address: string): readonly string[] {
  if (sender !== address || (kind !== 'nft-purchase' && kind !== 'nft-sale')) return [];
  return nfts.filter(isOfCollection).map(({ collectionType }) => collectionType);
}

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

function touches(tx: ChainTransaction, { address, kiosks, escrowed }: TreasuryThen): boolean {
  if (isBy(tx, address) || tx.balanceChanges.some((change) => change.address === address)) return true;
  return tx.objects.some(
    ({ objectId, before, after }) =>
      kiosks.has(objectId) || escrowed.has(objectId) || isInWallet(before, address) || isInWallet(after, address),
  );
}

/** Includes caps that the treasury uses: one of them may have been left out when it came. */
const capsThatCame = (tx: ChainTransaction, { address, isCap }: TreasuryRules) =>
  tx.objects.filter(
    ({ objectType, before, after }) =>
      isCap(objectType) && isInWallet(after, address) && (!isInWallet(before, address) || isBy(tx, address)),
  );

const capsThatLeft = ({ objects }: ChainTransaction, { address, isCap }: TreasuryRules) =>
  objects.filter(
    ({ objectType, before, after }) => isCap(objectType) && isInWallet(before, address) && !isInWallet(after, address),
  );
