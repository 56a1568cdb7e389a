import { isUsableType, stakedSuiType, suiCoinType } from '../../shared/sui-address.ts';
import type { ChainTransaction } from '../../sources/sui/chain-transaction.ts';
import type { LedgerKind } from './ledger-words.ts';
import { isInWallet, isOfCollection, type NftMove, nftMovesOf, type Place, type TreasuryThen } from './nft-moves.ts';

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
  readonly treasury: TreasuryThen;
  /** The treasury signed it or paid its gas. */
  readonly isByTreasury: boolean;
  /** Changes of the treasury. */
  readonly ins: readonly CoinChange[];
  readonly outs: readonly CoinChange[];
  readonly isStaking: boolean;
  readonly nfts: readonly NftMove[];
}

export function entryOf(read: ChainTransaction, treasury: TreasuryThen, knownCoins: ReadonlySet<string>): LedgerEntry {
  const facts = factsOf(read, treasury);
  const isApart = isUnsolicited(facts, knownCoins);
  const kind = isApart ? 'other' : kindOf(facts);
  const { digest, checkpoint, position, at, sender, gasPayer, gasMist } = read;
  const transaction = { digest, checkpoint, position, at, sender };
  return {
    ...transaction,
    kind,
    counterparty: counterpartyOf(facts, kind),
    gasMist: gasPayer === treasury.address ? gasMist : 0n,
    changes: changesOf(read, treasury.address).filter(isUsable),
    nfts: facts.nfts,
    sent: sentIn(facts, kind).filter(isUsable),
    isApart,
  };
}

function factsOf(read: ChainTransaction, treasury: TreasuryThen): Facts {
  const { address } = treasury;
  const tx = { ...read, balanceChanges: withoutGas(read) };
  const moved = changesOf(tx, address);
  const coins = {
    tx,
    treasury,
    isByTreasury: tx.sender === address || tx.gasPayer === address,
    ins: moved.filter(({ raw }) => raw > 0n),
    outs: moved.filter(({ raw }) => raw < 0n),
  };
  const isStaking = isOnlyStaking(coins);
  const nfts = nftMovesOf(tx, treasury);
  return { ...coins, isStaking, nfts: isStaking ? nfts : [...nfts, ...stakeMovesOf(tx, treasury)] };
}

/** A type too long for a database key would stop the ledger for ever, and anyone can send a coin of such a type. */
const isUsable = ({ coinType }: { readonly coinType: string }): boolean => isUsableType(coinType);

/** In an entry of any other kind, payments are only part of what the treasury gave and got. */
export const isTransfer = (kind: LedgerKind): boolean => kind === 'payout' || kind === 'transfer-out';

function sentIn(facts: Facts, kind: LedgerKind): readonly SentCoins[] {
  if (isTransfer(kind)) return recipientsOfGivenCoins(facts);
  return facts.tx.sender === facts.treasury.address ? recipientsOfAnyCoin(facts) : [];
}

const changesOf = ({ balanceChanges }: ChainTransaction, whose: string): readonly CoinChange[] =>
  balanceChanges.flatMap(({ address, coinType, raw }) => (address === whose && raw !== 0n ? [{ coinType, raw }] : []));

/** Everyone's changes without gas: gas goes to nobody, and a rebate is not a payment. */
function withoutGas({ balanceChanges, gasPayer, gasMist }: ChainTransaction): ChainTransaction['balanceChanges'] {
  const isPayersSui = ({ address, coinType }: SentCoins): boolean => address === gasPayer && coinType === suiCoinType;
  const raw = (balanceChanges.find(isPayersSui)?.raw ?? 0n) + gasMist;
  const others = balanceChanges.filter((change) => !isPayersSui(change));
  return raw === 0n ? others : [{ address: gasPayer, coinType: suiCoinType, raw }, ...others];
}

function isUnsolicited({ isByTreasury, ins, outs, nfts, treasury }: Facts, knownCoins: ReadonlySet<string>): boolean {
  if (isByTreasury || outs.length > 0 || ins.some(({ coinType }) => knownCoins.has(coinType))) return false;
  // An NFT of a collection that the treasury trades may come from an accepted bid, and then the seller sends the transaction.
  return nfts.every(
    ({ direction, collectionType: type }) =>
      direction === 'in' && !treasury.isOwnCollection(type) && !treasury.tradedCollections.has(type),
  );
}

function kindOf(facts: Facts): LedgerKind {
  const { ins, outs, nfts, isByTreasury } = facts;
  if (facts.isStaking) return 'staking';
  const trade = kindOfTrade(facts);
  if (trade !== null) return trade;
  if (ins.length > 0) return outs.length > 0 ? 'swap' : kindOfIncome(facts);
  if (outs.length > 0) return kindOfExpense(facts);
  if (hasMove(nfts, 'in')) return 'transfer-in';
  if (hasMove(nfts, 'out')) return 'transfer-out';
  return isByTreasury && nfts.length === 0 ? 'fee' : 'other';
}

const hasMove = (nfts: readonly NftMove[], wanted: NftMove['direction']): boolean =>
  nfts.some(({ direction }) => direction === wanted);

/** An NFT on one side, coins on the other. null: no trade. */
function kindOfTrade(facts: Facts): LedgerKind | null {
  const { tx, ins, outs, isByTreasury } = facts;
  const nfts = facts.nfts.filter(isOfCollection);
  if (hasMove(nfts, 'in') && outs.length > 0 && isBought(facts)) return 'nft-purchase';
  // An NFT that leaves a kiosk of the treasury in someone else's transaction was bought there; the price waits in the kiosk.
  if (!isByTreasury && hasMove(nfts, 'out')) return 'nft-sale';
  if (ins.length > 0 && hasMove(withoutDestroyed(nfts, tx), 'out')) return 'nft-sale';
  return ins.length > 0 && mintsOwnCollection(facts) ? 'mint-income' : null;
}

function kindOfExpense(facts: Facts): LedgerKind {
  if (isPayout(facts)) return 'payout';
  return recipientsOfGivenCoins(facts).length > 0 ? 'transfer-out' : 'other';
}

/** A pool position is created for the deposit and no address receives the coins, so it is not a purchase. */
function isBought(facts: Facts): boolean {
  const created = new Set(facts.tx.objects.flatMap(({ objectId, isCreated }) => (isCreated ? [objectId] : [])));
  const isTraded = facts.nfts.some(({ objectId, direction }) => direction === 'in' && !created.has(objectId));
  return isTraded || recipientsOfGivenCoins(facts).length > 0;
}

/** A closed pool position is destroyed in return for its coins: nobody owns it now, so nobody bought it. */
function withoutDestroyed(nfts: readonly NftMove[], tx: ChainTransaction): readonly NftMove[] {
  const destroyed = new Set(tx.objects.flatMap(({ objectId, isDeleted }) => (isDeleted ? [objectId] : [])));
  return nfts.filter(({ objectId }) => !destroyed.has(objectId));
}

type CoinFacts = Omit<Facts, 'isStaking' | 'nfts'>;

/** SUI given to validators or taken back, and nothing else: the SUI change is the change of the stake. */
function isOnlyStaking(facts: CoinFacts): boolean {
  const { tx, treasury, ins, outs } = facts;
  if (!facts.isByTreasury || recipientsOfAnyCoin(facts).length > 0) return false;
  const coins = [...ins, ...outs];
  if (coins.some(({ coinType }) => coinType !== suiCoinType)) return false;
  const isHeld = (place: Place): boolean => isInWallet(place, treasury.address);
  const stakes = tx.objects.filter(
    ({ objectType, before, after }) => objectType === stakedSuiType && (isHeld(before) || isHeld(after)),
  );
  if (stakes.some(({ after, isDeleted }) => !isHeld(after) && !isDeleted)) return false;
  return stakes.some(({ after }) => isHeld(after)) || (stakes.length > 0 && coins.length > 0);
}

/** Staked SUI that moves in any other way counts as an object: no transaction gives its amount. */
const stakeMovesOf = (tx: ChainTransaction, treasury: TreasuryThen): readonly NftMove[] =>
  nftMovesOf(tx, { ...treasury, isNft: (type) => type === stakedSuiType }).map((move) =>
    move.direction === 'into-escrow' ? { ...move, direction: 'out' } : move,
  );

const mintsOwnCollection = ({ tx, treasury }: Facts): boolean =>
  tx.objects.some(({ objectType, isCreated }) => isCreated && treasury.isOwnCollection(objectType));

/** Coins came in, none went out. From one of its own kiosks: the proceeds of sales there. */
function kindOfIncome({ tx, treasury, isByTreasury, ins }: Facts): LedgerKind {
  if (!isByTreasury) return 'transfer-in';
  if (tx.objects.some(({ objectId }) => treasury.kiosks.has(objectId))) return 'nft-sale';
  const coinTypes = new Set(ins.map(({ coinType }) => coinType));
  const isGiven = tx.balanceChanges.some(({ coinType, raw }) => raw < 0n && coinTypes.has(coinType));
  return isGiven ? 'transfer-in' : 'other';
}

const payoutRecipientsMin = 3;

/** One coin sent to several, each a multiple of the smallest amount: so much per rock (roadmap: distributions to holders). */
function isPayout(facts: Facts): boolean {
  const recipients = recipientsOfGivenCoins(facts);
  if (facts.outs.length !== 1 || facts.nfts.length > 0 || recipients.length < payoutRecipientsMin) return false;
  const smallest = recipients.reduce((least, { raw }) => (raw < least ? raw : least), recipients[0]?.raw ?? 1n);
  return recipients.every(({ raw }) => raw % smallest === 0n);
}

/** Everyone who received a coin that the treasury gave. */
function recipientsOfGivenCoins({ outs, ...facts }: Facts) {
  const given = new Set(outs.map(({ coinType }) => coinType));
  return recipientsOfAnyCoin(facts).filter(({ coinType }) => given.has(coinType));
}

/** After an unstake or a swap, the treasury itself may have more of the coin that it paid. */
const recipientsOfAnyCoin = ({ tx, treasury }: Pick<Facts, 'tx' | 'treasury'>) =>
  tx.balanceChanges.filter(({ address, raw }) => raw > 0n && address !== treasury.address);

/** Everyone who gave a coin that the treasury received. */
function giversOf({ tx, treasury, ins }: Facts) {
  const received = new Set(ins.map(({ coinType }) => coinType));
  return tx.balanceChanges.filter(
    ({ address, coinType, raw }) => raw < 0n && address !== treasury.address && received.has(coinType),
  );
}

function counterpartyOf(facts: Facts, kind: LedgerKind): string | null {
  const { tx, treasury, nfts } = facts;
  if (kind === 'payout') return null;
  const buyer = nfts.find(({ direction, to }) => direction === 'out' && to !== null)?.to ?? null;
  if (kind === 'nft-sale' && buyer !== null) return buyer;
  const hasCoins = facts.ins.length > 0 || facts.outs.length > 0;
  const other = (hasCoins ? otherSideOfCoins(facts) : buyer) ?? tx.sender;
  return other === treasury.address ? null : other;
}

/** Who received most of what the treasury gave, else who gave most of what it received. */
function otherSideOfCoins(facts: Facts): string | null {
  if (facts.outs.length > 0) return largest(recipientsOfGivenCoins(facts));
  return facts.isByTreasury ? largest(giversOf(facts)) : facts.tx.sender;
}

function largest(changes: readonly { readonly address: string; readonly raw: bigint }[]): string | null {
  const size = (raw: bigint): bigint => (raw < 0n ? -raw : raw);
  const first = changes.toSorted((one, other) => (size(one.raw) > size(other.raw) ? -1 : 1))[0];
  return first?.address ?? null;
}
