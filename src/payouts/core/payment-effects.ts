import { shortAddress, shortType, suiCoinType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject } from '../../sources/sui/chain-transaction.ts';
import { toDecimalText } from '../../shared/money.ts';

/**
 * Rulings R9: what a transaction does is compared with what it is meant to do: its simulation, to the unit, before anybody sees it; and a
 * copy of it, before anybody signs that. Pure.
 */

interface Payment {
  readonly address: string;
  readonly raw: bigint;
}

/** What was asked for. */
export interface Meant {
  readonly treasury: string;
  readonly coinType: string;
  /** Each address once. */
  readonly payments: readonly Payment[];
  /** Of the coin objects that it names. */
  readonly objectIds: ReadonlySet<string>;
  readonly budgetMist: bigint;
}

/** What the node says would happen. */
export interface Simulation {
  readonly gas: { readonly computationMist: bigint; readonly storageMist: bigint; readonly rebateMist: bigint };
  readonly balanceChanges: ChainTransaction['balanceChanges'];
  readonly objects: readonly ChangedObject[];
  readonly sender: string | null;
  readonly gasPayer: string | null;
  readonly budgetMist: bigint | null;
}

/** What it costs in all; below zero where more storage is given back than used. */
export const gasMistOf = ({ computationMist, storageMist, rebateMist }: Simulation['gas']): bigint =>
  computationMist + storageMist - rebateMist;

/** So many units of gas more than were used, as the SDK has it: what is read may cost a little more by then. */
const safetyUnits = 1_000n;

/** A budget for a transaction that used so much. What is given back is not counted on alone. */
export function budgetFor(gas: Simulation['gas'], gasPriceMist: bigint): bigint {
  const computationMist = gas.computationMist + safetyUnits * gasPriceMist;
  const netMist = computationMist + gas.storageMist - gas.rebateMist;
  return netMist > computationMist ? netMist : computationMist;
}

/** The first thing that is not as it was meant, as a sentence; null: it does exactly what the plan says. */
export function differenceFrom(meant: Meant, simulated: Simulation): string | null {
  const { treasury, budgetMist } = meant;
  if (simulated.sender !== treasury || simulated.gasPayer !== treasury || simulated.budgetMist !== budgetMist)
    return 'The node simulated a different transaction from the one it was given.';
  if (gasMistOf(simulated.gas) > budgetMist) return 'In the simulation it costs more gas than its budget.';
  return balanceDifference(meant, simulated) ?? objectDifference(meant, simulated.objects);
}

function balanceDifference(
  { treasury, coinType, payments }: Meant,
  { gas, balanceChanges }: Simulation,
): string | null {
  const out = { address: treasury, coinType, raw: -payments.reduce((sum, { raw }) => sum + raw, 0n) };
  const gasPaid = { address: treasury, coinType: suiCoinType, raw: -gasMistOf(gas) };
  const keyOf = (change: ChainTransaction['balanceChanges'][number]): string => `${change.address} ${change.coinType}`;
  const expected = sums([...payments.map((each) => ({ ...each, coinType })), out, gasPaid], keyOf);
  const said = sums(balanceChanges, keyOf);
  for (const key of new Set([...expected.keys(), ...said.keys()])) {
    const [one, other] = [said.get(key) ?? 0n, expected.get(key) ?? 0n];
    if (one === other) continue;
    const [address = '', type = ''] = key.split(' ');
    return `In the simulation ${shortAddress(address)} gains ${one} base units of ${shortType(type)}, in the plan ${other}.`;
  }
  return null;
}

function sums<Each extends Payment>(all: readonly Each[], keyOf: (each: Each) => string): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const each of all) found.set(keyOf(each), (found.get(keyOf(each)) ?? 0n) + each.raw);
  return found;
}

/** Each recipient gets one new coin object, and nothing else changes hands. */
function objectDifference(meant: Meant, objects: readonly ChangedObject[]): string | null {
  const coin = `0x${'2'.padStart(64, '0')}::coin::Coin<${meant.coinType}>`;
  const waiting = new Set(meant.payments.map(({ address }) => address));
  for (const { objectId, objectType, after, isCreated } of objects) {
    const to = after?.kind === 'wallet' ? after.address : null;
    const isPayment = isCreated && objectType === coin && to !== null && waiting.delete(to);
    const isOwn = !isCreated && meant.objectIds.has(objectId) && (after === null || to === meant.treasury);
    if (!isPayment && !isOwn) return `In the simulation it touches ${shortAddress(objectId)}, which is not part of it.`;
  }
  const [unpaid] = waiting;
  return unpaid === undefined ? null : `In the simulation ${shortAddress(unpaid)} gets no coin object.`;
}

/** What the bytes of a transaction say. */
interface Payments {
  readonly sender: string;
  readonly gasPayer: string;
  readonly budgetMist: bigint;
  readonly gasPriceMist: bigint;
  readonly expiresEpoch: bigint | null;
  readonly objects: readonly string[];
  readonly payments: readonly Payment[];
  readonly oddities: readonly string[];
}

interface Coin {
  readonly symbol: string;
  readonly decimals: number;
}

const sentencesMax = 20;

/** What the copy does otherwise, as sentences; never none, as it is asked for copies with other bytes. */
export function differencesOf(built: Payments, copy: Payments | null, coin: Coin): readonly string[] {
  if (copy === null) return ['These are not the bytes of a transaction, or they are cut off.'];
  const all = [
    ...(copy.sender === built.sender ? [] : [`It is sent by ${copy.sender}, not by the treasury.`]),
    ...(copy.gasPayer === built.gasPayer ? [] : [`Its gas is paid by ${copy.gasPayer}, not by the treasury.`]),
    ...copy.oddities,
    ...paymentDifferences(built, copy, coin),
    ...(copy.budgetMist === built.budgetMist
      ? []
      : [`Its gas may cost up to ${sui(copy.budgetMist)}, not ${sui(built.budgetMist)}.`]),
    ...(copy.gasPriceMist === built.gasPriceMist ? [] : ['It has a different gas price.']),
    ...(copy.expiresEpoch === built.expiresEpoch ? [] : [expirySentence(copy.expiresEpoch, built.expiresEpoch)]),
    ...(copy.objects.join() === built.objects.join()
      ? []
      : ['It spends different coin objects, or different versions of them.']),
  ];
  if (all.length === 0) return ['It pays the same, but its bytes differ.'];
  if (all.length <= sentencesMax) return all;
  return [...all.slice(0, sentencesMax - 1), `And ${all.length - sentencesMax + 1} more differences.`];
}

const sui = (mist: bigint): string => `${toDecimalText(mist, 9)} SUI`;

const expirySentence = (copy: bigint | null, built: bigint | null): string =>
  copy === null ? 'It never expires.' : `It expires after epoch ${copy}, not ${built}.`;

function paymentDifferences(built: Payments, copy: Payments, { symbol, decimals }: Coin): readonly string[] {
  const text = (raw: bigint): string => `${toDecimalText(raw, decimals)} ${symbol}`;
  const sumsOf = ({ payments }: Payments) => sums(payments, ({ address }) => address);
  const [meant, found] = [sumsOf(built), sumsOf(copy)];
  const paid = [...found].flatMap(([address, raw]) => {
    const planned = meant.get(address);
    if (planned === raw) return [];
    if (planned === undefined) return [`It pays ${text(raw)} to ${address}, who gets nothing in the plan.`];
    return [`It pays ${shortAddress(address)} ${text(raw)} instead of ${text(planned)}.`];
  });
  const missing = [...meant].flatMap(([address, raw]) =>
    found.has(address) ? [] : [`It does not pay ${text(raw)} to ${address}.`],
  );
  return [...paid, ...missing];
}
