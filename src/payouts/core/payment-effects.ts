import { shortAddress, shortType, suiCoinType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject } from '../../sources/sui/chain-transaction.ts';

/** Rulings R9: what a simulation says is compared with the plan, to the unit, before anybody sees the transaction. Pure. */

/** What was asked for. */
export interface Meant {
  readonly treasury: string;
  readonly coinType: string;
  /** Each address once. */
  readonly payments: readonly { readonly address: string; readonly raw: bigint }[];
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
  const expected = sums([...payments.map((each) => ({ ...each, coinType })), out, gasPaid]);
  const said = sums(balanceChanges);
  for (const key of new Set([...expected.keys(), ...said.keys()])) {
    const [one, other] = [said.get(key) ?? 0n, expected.get(key) ?? 0n];
    if (one === other) continue;
    const [address = '', type = ''] = key.split(' ');
    return `In the simulation ${shortAddress(address)} gains ${one} base units of ${shortType(type)}, in the plan ${other}.`;
  }
  return null;
}

function sums(changes: ChainTransaction['balanceChanges']): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { address, coinType, raw } of changes) {
    const key = `${address} ${coinType}`;
    all.set(key, (all.get(key) ?? 0n) + raw);
  }
  return all;
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
