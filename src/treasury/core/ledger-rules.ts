import { isUsableType, stakedSuiType, suiCoinType } from '../../shared/sui-address.ts';
import type { ChainTransaction } from '../../sources/sui/chain-transaction.ts';
import type { LedgerKind } from './ledger-words.ts';
import { type NftMove, type Ours, nftMovesOf, type Place } from './nft-moves.ts';

/** Rulings R8: what a transaction was for the treasury. Pure: the same transaction always gives the same entry. */

export interface LedgerEntry {
  readonly digest: string;
  readonly checkpoint: bigint;
  /** Its position in its checkpoint. */
  readonly position: number;
  readonly at: Date;
  readonly sender: string;
  readonly kind: LedgerKind;
  /** The other side, as far as the chain shows it. */
  readonly counterparty: string | null;
  /** Gas that the treasury paid; included in its SUI change. */
  readonly gasMist: bigint;
  /** Change of the treasury's balance by coin; only coins of a usable type. */
  readonly changes: readonly CoinChange[];
  readonly nfts: readonly NftMove[];
  /** Who received how much: of the coins that a transfer or payout sent, or of any coin in another transaction that the treasury signed. */
  readonly sent: readonly SentCoins[];
  /** Unsolicited: the treasury took no part and nothing that it knows came. Listed separately, since anyone can send anything. */
  readonly isApart: boolean;
}

interface CoinChange {
  readonly coinType: string;
  readonly raw: bigint;
}

interface SentCoins extends CoinChange {
  readonly address: string;
}

/** What a kind is derived from. */
interface Facts {
  /** Its balance changes are without gas. */
  readonly tx: ChainTransaction;
  readonly ours: Ours;
  readonly isOurs: boolean;
  /** Changes of the treasury. */
  readonly ins: readonly CoinChange[];
  readonly outs: readonly CoinChange[];
  readonly nfts: readonly NftMove[];
}

export function entryOf(read: ChainTransaction, ours: Ours, knownCoins: ReadonlySet<string>): LedgerEntry {
  const { address } = ours;
  const isPayer = read.gasPayer === address;
  const changes = changesOf(read, address).filter(isUsable);
  const tx = { ...read, balanceChanges: withoutGas(read) };
  const moved = changesOf(tx, address);
  const coins: Facts = {
    tx,
    ours,
    isOurs: tx.sender === address || isPayer,
    ins: moved.filter(({ raw }) => raw > 0n),
    outs: moved.filter(({ raw }) => raw < 0n),
    nfts: nftMovesOf(tx, ours),
  };
  const facts = isStaking(coins) ? coins : { ...coins, nfts: [...coins.nfts, ...stakeMovesOf(tx, ours)] };
  const isApart = isUnsolicited(facts, knownCoins);
  const kind = isApart ? 'other' : kindOf(facts);
  const { digest, checkpoint, position, at, sender, gasMist } = tx;
  const sent = isTransfer(kind) ? recipientsOf(facts) : sender === ours.address ? receiversOf(facts) : [];
  const moves = { changes, nfts: facts.nfts, sent: sent.filter(isUsable) };
  const entry = { digest, checkpoint, position, at, sender, kind, ...moves, isApart };
  return { ...entry, gasMist: isPayer ? gasMist : 0n, counterparty: counterpartyOf(facts, kind) };
}

/** A type too long for a database key would stop the ledger for ever, and anyone can send a coin of such a type. */
const isUsable = ({ coinType }: { readonly coinType: string }): boolean => isUsableType(coinType);

/** In an entry of any other kind, payments are only part of what the treasury gave and got. */
export const isTransfer = (kind: LedgerKind): boolean => kind === 'payout' || kind === 'transfer-out';

const changesOf = ({ balanceChanges }: ChainTransaction, whose: string): readonly CoinChange[] =>
  balanceChanges.flatMap(({ address, coinType, raw }) => (address === whose && raw !== 0n ? [{ coinType, raw }] : []));

/** Everyone's changes without gas: gas goes to nobody, and a rebate is not a payment. */
function withoutGas({ balanceChanges, gasPayer, gasMist }: ChainTransaction): ChainTransaction['balanceChanges'] {
  const isPayersSui = ({ address, coinType }: SentCoins): boolean => address === gasPayer && coinType === suiCoinType;
  const raw = (balanceChanges.find(isPayersSui)?.raw ?? 0n) + gasMist;
  const others = balanceChanges.filter((change) => !isPayersSui(change));
  return raw === 0n ? others : [{ address: gasPayer, coinType: suiCoinType, raw }, ...others];
}

function isUnsolicited({ isOurs, ins, outs, nfts, ours }: Facts, knownCoins: ReadonlySet<string>): boolean {
  if (isOurs || outs.length > 0 || ins.some(({ coinType }) => knownCoins.has(coinType))) return false;
  // A piece of a collection that the treasury trades may come from an accepted bid, and then the seller sends the transaction.
  return nfts.every(
    ({ direction, collectionType: type }) =>
      direction === 'in' && !ours.isOwnNft(type) && !ours.tradedCollections.has(type),
  );
}

function kindOf(facts: Facts): LedgerKind {
  const { ins, outs, nfts, isOurs } = facts;
  if (isStaking(facts)) return 'staking';
  const trade = kindOfTrade(facts);
  if (trade !== null) return trade;
  if (ins.length > 0) return outs.length > 0 ? 'swap' : kindOfIncome(facts);
  if (outs.length > 0) return kindOfExpense(facts);
  if (moves(nfts, 'in')) return 'transfer-in';
  if (moves(nfts, 'out')) return 'transfer-out';
  return isOurs && nfts.length === 0 ? 'fee' : 'other';
}

const moves = (nfts: readonly NftMove[], wanted: NftMove['direction']): boolean =>
  nfts.some(({ direction }) => direction === wanted);

/** An NFT on one side, coins on the other. null: no trade. */
function kindOfTrade(facts: Facts): LedgerKind | null {
  const { ins, outs, isOurs } = facts;
  const nfts = facts.nfts.filter(({ collectionType }) => collectionType !== stakedSuiType);
  if (moves(nfts, 'in') && outs.length > 0 && isBought(facts)) return 'nft-purchase';
  // A piece that leaves a kiosk of the treasury in someone else's transaction was bought there; the price waits in the kiosk.
  if (!isOurs && moves(nfts, 'out')) return 'nft-sale';
  if (ins.length > 0 && moves(nfts.filter(isHandedOver(facts)), 'out')) return 'nft-sale';
  return ins.length > 0 && mintsOwnPiece(facts) ? 'mint-income' : null;
}

function kindOfExpense(facts: Facts): LedgerKind {
  if (isPayout(facts)) return 'payout';
  return recipientsOf(facts).length > 0 ? 'transfer-out' : 'other';
}

/** A pool position is created for the deposit and no address receives the coins, so it is not a purchase. */
function isBought(facts: Facts): boolean {
  const made = new Set(facts.tx.objects.flatMap(({ objectId, isCreated }) => (isCreated ? [objectId] : [])));
  const isTraded = facts.nfts.some(({ objectId, direction }) => direction === 'in' && !made.has(objectId));
  return isTraded || recipientsOf(facts).length > 0;
}

/** A closed pool position is destroyed in return for its coins: nobody owns it now, so nobody bought it. */
const isHandedOver = ({ tx }: Facts) => {
  const destroyed = new Set(tx.objects.flatMap(({ objectId, isDeleted }) => (isDeleted ? [objectId] : [])));
  return ({ objectId }: NftMove): boolean => !destroyed.has(objectId);
};

/** SUI given to validators or taken back, and nothing else: the SUI change is the change of the stake. */
function isStaking(facts: Facts): boolean {
  const { tx, ours, isOurs, ins, outs } = facts;
  const isOf = (place: Place): boolean => place?.kind === 'wallet' && place.address === ours.address;
  const stakes = tx.objects.filter(
    ({ objectType, before, after }) => objectType === stakedSuiType && (isOf(before) || isOf(after)),
  );
  const moved = [...ins, ...outs];
  return (
    isOurs &&
    stakes.length > 0 &&
    stakes.every(({ after, isDeleted }) => isOf(after) || isDeleted) &&
    (moved.length > 0 || stakes.some(({ after }) => isOf(after))) &&
    moved.every(({ coinType }) => coinType === suiCoinType) &&
    receiversOf(facts).length === 0
  );
}

/** Staked SUI that moves in any other way counts as an object: no transaction gives its amount. */
const stakeMovesOf = (tx: ChainTransaction, ours: Ours): readonly NftMove[] =>
  nftMovesOf(tx, { ...ours, isNft: (type) => type === stakedSuiType }).map((move) =>
    move.direction === 'into-escrow' ? { ...move, direction: 'out' } : move,
  );

function mintsOwnPiece({ tx, ours }: Facts): boolean {
  return tx.objects.some(({ objectType, isCreated }) => isCreated && ours.isOwnNft(objectType));
}

/** Coins came in, none went out. From one of its own kiosks: the proceeds of sales there. */
function kindOfIncome({ tx, ours, isOurs, ins }: Facts): LedgerKind {
  if (!isOurs) return 'transfer-in';
  if (tx.objects.some(({ objectId }) => ours.kiosks.has(objectId))) return 'nft-sale';
  const coinTypes = new Set(ins.map(({ coinType }) => coinType));
  const isGiven = tx.balanceChanges.some(({ coinType, raw }) => raw < 0n && coinTypes.has(coinType));
  return isGiven ? 'transfer-in' : 'other';
}

const payoutRecipientsMin = 3;

/** One coin sent to several, each a multiple of the smallest amount: so much per rock (roadmap: distributions to holders). */
function isPayout(facts: Facts): boolean {
  const recipients = recipientsOf(facts);
  if (facts.outs.length !== 1 || facts.nfts.length > 0 || recipients.length < payoutRecipientsMin) return false;
  const smallest = recipients.reduce((least, { raw }) => (raw < least ? raw : least), recipients[0]?.raw ?? 1n);
  return recipients.every(({ raw }) => raw % smallest === 0n);
}

/** Everyone who received a coin that the treasury gave. */
function recipientsOf({ tx, ours, outs }: Facts) {
  const given = new Set(outs.map(({ coinType }) => coinType));
  return tx.balanceChanges.filter(
    ({ address, coinType, raw }) => raw > 0n && address !== ours.address && given.has(coinType),
  );
}

/** Everyone who received any coin: after an unstake or a swap, the treasury itself may have more of the coin that it paid. */
const receiversOf = ({ tx, ours }: Facts) =>
  tx.balanceChanges.filter(({ address, raw }) => raw > 0n && address !== ours.address);

/** Everyone who gave a coin that the treasury received. */
function giversOf({ tx, ours, ins }: Facts) {
  const got = new Set(ins.map(({ coinType }) => coinType));
  return tx.balanceChanges.filter(
    ({ address, coinType, raw }) => raw < 0n && address !== ours.address && got.has(coinType),
  );
}

function counterpartyOf(facts: Facts, kind: LedgerKind): string | null {
  const { tx, ours, nfts, isOurs } = facts;
  if (kind === 'payout') return null;
  const buyer = nfts.find(({ direction, to }) => direction === 'out' && to !== null)?.to ?? null;
  if (kind === 'nft-sale' && buyer !== null) return buyer;
  const outs = largest(recipientsOf(facts));
  const ins = largest(giversOf(facts));
  const other = facts.outs.length > 0 ? outs : facts.ins.length > 0 ? (isOurs ? ins : tx.sender) : buyer;
  if (other !== null) return other;
  return tx.sender === ours.address ? null : tx.sender;
}

function largest(changes: readonly { readonly address: string; readonly raw: bigint }[]): string | null {
  const size = (raw: bigint): bigint => (raw < 0n ? -raw : raw);
  const first = changes.toSorted((one, other) => (size(one.raw) > size(other.raw) ? -1 : 1))[0];
  return first?.address ?? null;
}
