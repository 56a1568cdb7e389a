import type { PlanOutcome } from '../payout-admin-contract.ts';
import type { PayoutPlan } from '../payouts-contract.ts';
import type { DraftTerms } from './draft-terms.ts';
import { linesPerTransaction } from './reconcile.ts';
import { gasMistAbout } from './transaction-rules.ts';
import { amountText, noMetadata, type RefusedTerm, someRocks } from './payout-words.ts';

/** Rulings R9: one rock, one equal share; what cannot be shared equally stays in the treasury. */

/** What the team drafted, and for which treasury and collection. The treasury's own rocks are never paid, whoever else is left out. */
export interface PlanTerms extends Omit<DraftTerms, 'coinType'> {
  readonly payout: number;
  readonly network: string;
  readonly treasury: string;
  readonly collection: string;
  /** `decimals` null: the chain has no metadata for it, or it was not read yet. */
  readonly coin: { readonly type: string; readonly symbol: string; readonly decimals: number | null };
}

/** The owner of every minted rock at one checkpoint. */
export interface OwnerSnapshot {
  readonly checkpoint: bigint;
  readonly chainId: string | null;
  readonly at: Date;
  readonly rocks: readonly { readonly number: number; readonly owner: string | null }[];
}

export type Planned = { readonly kind: 'plan'; readonly plan: PayoutPlan } | Refusal;
interface Refusal {
  readonly kind: 'refused';
  /** Why no plan is possible, as a sentence for the person who drafts it. */
  readonly message: string;
  readonly about: RefusedTerm | null;
  /** The rocks whose owner is not known, if they are the reason. */
  readonly unowned?: readonly number[];
}

const treasuryReason = 'The treasury pays nothing to itself';
const listedMax = 5;

/** `balanceRaw`: the treasury's balance of the coin; null: not known. */
export function makePlan(terms: PlanTerms, snapshot: OwnerSnapshot, balanceRaw: bigint | null): Planned {
  const { coin, amount, ...described } = terms;
  const { decimals } = coin;
  const amountRaw = BigInt(amount.raw);
  if (decimals === null) return refused(noMetadata, 'coin');
  const divided = divideOwners(terms, snapshot);
  if (divided.kind === 'refused') return divided;

  const { holders, leftOut } = divided;
  const paidRocks = holders.reduce((count, { rocks }) => count + rocks.length, 0);
  const shareRaw = amount.mode === 'total' ? amountRaw / BigInt(paidRocks) : amountRaw;
  if (shareRaw === 0n)
    return refused(`The amount is too small: each of ${paidRocks} rocks would get less than one base unit.`, 'amount');
  const totalRaw = shareRaw * BigInt(paidRocks);
  if (balanceRaw !== null && totalRaw > balanceRaw) {
    const text = (raw: bigint): string => amountText(String(raw), coin);
    return refused(`The treasury has ${text(balanceRaw)}. This payout needs ${text(totalRaw)}.`, 'amount');
  }
  const plan: PayoutPlan = {
    ...described,
    version: 1,
    chainId: snapshot.chainId,
    coin: { ...coin, decimals },
    amount,
    snapshot: { checkpoint: String(snapshot.checkpoint), at: snapshot.at.toISOString(), rocks: snapshot.rocks.length },
    leftOut: [...leftOut.filter(({ rocks }) => rocks.length > 0), ...rocksLeftOut(terms)],
    shareRaw: String(shareRaw),
    totalRaw: String(totalRaw),
    remainderRaw: String(amount.mode === 'total' ? amountRaw - totalRaw : 0n),
    lines: holders.map(({ address, rocks }) => ({ address, raw: String(shareRaw * BigInt(rocks.length)), rocks })),
  };
  return { kind: 'plan', plan };
}

/** Who is paid, at least one, and who is left out, always with the treasury: both sorted by address, with their rocks in order. */
function divideOwners(terms: PlanTerms, snapshot: OwnerSnapshot) {
  if (snapshot.rocks.length === 0) return refused('No rock is minted yet, so there is nobody to pay.');
  const refusal = refusalOfRocks(terms, snapshot);
  if (refusal !== null) return refusal;

  const owned = snapshot.rocks.flatMap(({ number, owner }) => (owner === null ? [] : [{ number, owner }]));
  const owners = Map.groupBy(owned, ({ owner }) => owner);
  const rocksOf = (address: string): number[] =>
    (owners.get(address) ?? []).map(({ number }) => number).sort((one, other) => one - other);
  const reasons = reasonsByAddress(terms);
  const leftOut = [...reasons]
    .map(([address, reason]) => ({ address, reason, rocks: rocksOf(address) }))
    .sort((one, other) => (one.address < other.address ? -1 : 1));
  const withoutRocks = leftOut.find(({ address, rocks }) => rocks.length === 0 && address !== terms.treasury);
  if (withoutRocks !== undefined)
    return refused(`${withoutRocks.address} holds no rock, so it cannot be left out.`, 'left-out');

  const paid = [...owners.keys()].filter((address) => !reasons.has(address)).sort();
  if (paid.length === 0) return refused('Nobody is left to pay: every rock is left out.', 'left-out');
  return { kind: 'divided', holders: paid.map((address) => ({ address, rocks: rocksOf(address) })), leftOut } as const;
}

/** Why each address is left out. An address that is named twice is left out once, for the first reason. */
function reasonsByAddress({ treasury, leftOut }: PlanTerms): ReadonlyMap<string, string> {
  const reasons = new Map([[treasury, treasuryReason]]);
  for (const { address, reason } of leftOut)
    if (address !== null && !reasons.has(address)) reasons.set(address, reason);
  return reasons;
}

/** The rocks without a known owner that are left out by their numbers. */
const rocksLeftOut = ({ leftOut }: Pick<PlanTerms, 'leftOut'>) =>
  leftOut.flatMap(({ address, reason, rocks = [] }) =>
    address === null ? [{ address, reason, rocks: rocks.toSorted((one, other) => one - other) }] : [],
  );

/** A rock without a known owner stops the plan unless it is left out by its number; only such rocks can be. null: nothing stops it. */
function refusalOfRocks(terms: PlanTerms, { rocks }: OwnerSnapshot): Refusal | null {
  const owners = new Map(rocks.map(({ number, owner }) => [number, owner]));
  const byNumber = rocksLeftOut(terms).flatMap((row) => row.rocks);
  for (const [index, number] of byNumber.entries()) {
    const owner = owners.get(number);
    if (owner === undefined) return refused(`Rock ${number} is not minted, so it cannot be left out.`, 'left-out');
    if (owner !== null) return refused(`Rock ${number} has an owner. Leave out the address instead.`, 'left-out');
    if (byNumber.indexOf(number) < index) return refused(`Rock ${number} is left out twice.`, 'left-out');
  }
  const leftOut = new Set(byNumber);
  const unowned = rocks.flatMap(({ number, owner }) => (owner === null && !leftOut.has(number) ? [number] : []));
  return unowned.length === 0 ? null : { ...refused(ownersUnknown(unowned)), unowned };
}

export const refused = (message: string, about: RefusedTerm | null = null): Refusal => ({
  kind: 'refused',
  message,
  about,
});

const ownersUnknown = (numbers: readonly number[]): string =>
  numbers.length === 1
    ? `The owner of rock ${numbers[0]} is not known, so no plan can be made. If it has none, leave it out by its number.`
    : `The owners of ${someRocks(numbers, listedMax)} are not known, so no plan can be made. If they have none, leave them out by their numbers.`;

/** The figures of a plan, for the person who decides. `last`: the plan that was published before it. Pure. */
export function outcomeOf(plan: PayoutPlan, balanceRaw: bigint | null, last: PayoutPlan | null): PlanOutcome {
  const { lines, shareRaw, totalRaw, remainderRaw, leftOut } = plan;
  const transactions = Math.ceil(lines.length / linesPerTransaction);
  const paid = new Set(lines.map(({ address }) => address));
  const paidBefore = last === null ? null : new Set(last.lines.map(({ address }) => address));
  return {
    rocks: lines.reduce((sum, { rocks }) => sum + rocks.length, 0),
    holders: lines.length,
    shareRaw,
    totalRaw,
    remainderRaw,
    leftRaw: balanceRaw === null ? null : String(balanceRaw - BigInt(totalRaw)),
    leftOut,
    transactions,
    gasMist: String(gasMistAbout(lines.length, transactions)),
    newHolders: paidBefore === null ? null : countMissing(paid, paidBefore),
    goneHolders: paidBefore === null ? null : countMissing(paidBefore, paid),
  };
}

/** How many of these are not among the others. */
const countMissing = (these: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...these].filter((address) => !others.has(address)).length;
