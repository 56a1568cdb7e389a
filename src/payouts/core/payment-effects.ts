import { shortAddress, shortType, suiCoinType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject, Simulated } from '../../sources/sui/chain-transaction.ts';

/** Rulings R9: before anybody sees a transaction, its simulation is compared, to the unit, with what it is meant to do. Pure. */

interface Payment {
  readonly address: string;
  readonly raw: bigint;
}

/** What was asked for. */
export interface Meant {
  /** Who pays the gas, too. */
  readonly sender: string;
  readonly coinType: string;
  /** Each address once. */
  readonly payments: readonly Payment[];
  readonly gasCoins: readonly { readonly objectId: string }[];
  readonly coins: readonly { readonly objectId: string }[];
  readonly budgetMist: bigint;
}

/** What it costs in all; below zero where more storage is given back than used. */
export const gasMistOf = ({ computationMist, storageMist, rebateMist }: Simulated['gas']): bigint =>
  computationMist + storageMist - rebateMist;

/** So many units of gas more than were used, as the SDK has it: what is read may cost a little more by then. */
const safetyUnits = 1_000n;

/** A budget for a transaction that used so much. What is given back is not counted on alone. */
export function budgetFor(gas: Simulated['gas'], gasPriceMist: bigint): bigint {
  const computationMist = gas.computationMist + safetyUnits * gasPriceMist;
  const netMist = computationMist + gas.storageMist - gas.rebateMist;
  return netMist > computationMist ? netMist : computationMist;
}

/** The first thing that is not as it was meant, as a sentence; null: it does exactly what the plan says. */
export function differenceFrom(meant: Meant, simulated: Simulated): string | null {
  const { sender, budgetMist } = meant;
  if (simulated.sender !== sender || simulated.gasPayer !== sender || simulated.budgetMist !== budgetMist)
    return 'The node simulated a different transaction from the one it was given.';
  if (gasMistOf(simulated.gas) > budgetMist) return 'In the simulation it costs more gas than its budget.';
  return balanceDifference(meant, simulated) ?? objectDifference(meant, simulated.objects);
}

function balanceDifference({ sender, coinType, payments }: Meant, { gas, balanceChanges }: Simulated): string | null {
  const out = { address: sender, coinType, raw: -payments.reduce((sum, { raw }) => sum + raw, 0n) };
  const gasPaid = { address: sender, coinType: suiCoinType, raw: -gasMistOf(gas) };
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
  const spent = new Set([...meant.coins, ...meant.gasCoins].map(({ objectId }) => objectId));
  for (const { objectId, objectType, after, isCreated } of objects) {
    const to = after?.kind === 'wallet' ? after.address : null;
    const isPayment = isCreated && objectType === coin && to !== null && waiting.delete(to);
    const isOwn = !isCreated && spent.has(objectId) && (after === null || to === meant.sender);
    if (!isPayment && !isOwn) return `In the simulation it touches ${shortAddress(objectId)}, which is not part of it.`;
  }
  const [unpaid] = waiting;
  return unpaid === undefined ? null : `In the simulation ${shortAddress(unpaid)} gets no coin object.`;
}
