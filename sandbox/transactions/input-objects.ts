import { addressFrom, objectDigest } from '../world/derived-ids.ts';
import type { WorldState } from '../world/state.ts';
import { canonicalType, suiCoinType } from '../world/sui-names.ts';
import { reservedAmount } from './coin-reservation.ts';
import type { ObjectLookup, OwnedCoin, OwnedObject } from './owned-objects.ts';
import { isOutOfReach, objectLookup } from './owned-objects.ts';
import type { Input, ObjectRef, TransactionData } from './transaction-data.ts';
import { TransactionRefused } from './transaction-refused.ts';

/** A reservation of at most this amount from an address balance. */
export type Withdrawal = { kind: 'withdrawal'; owner: string; coinType: string; amount: bigint };
type LoadedInput = OwnedObject | Withdrawal | { kind: 'pure'; bytes: Uint8Array };

/** What pays the gas: coins, and base units of the address balance. `isMock`: a simulation's coin that nobody owns. */
type LoadedGas = { owner: string; coins: OwnedCoin[]; reservedMist: bigint; isMock: boolean };
export type Loaded = { inputs: LoadedInput[]; gas: LoadedGas };

/** The mock coin of a simulation without gas payment: a thousand million SUI, with no storage to refund. */
const mockGasMist = 1_000_000_000n * 1_000_000_000n;

/**
 * Loads everything a transaction uses, at the versions it names. Throws TransactionRefused for any other version, for another
 * owner's objects, and for reservations that exceed the address balance.
 */
export function loadObjects(
  state: WorldState,
  data: TransactionData,
  { chainId, mockGas }: { chainId: string; mockGas: boolean },
): Loaded {
  const lookup = objectLookup(state);
  const inputs = data.inputs.map((input) => loadInput(state, lookup, data, input));
  const gas = mockGas ? mockGasOf(data.gas.owner) : loadGas(state, lookup, data, chainId);
  checkReservations(state, inputs, gas);
  return { inputs, gas };
}

function loadInput(state: WorldState, lookup: ObjectLookup, data: TransactionData, input: Input): LoadedInput {
  if (input.Pure) return { kind: 'pure', bytes: new Uint8Array(Buffer.from(input.Pure.bytes, 'base64')) };
  if (input.FundsWithdrawal) return withdrawalOf(data, input.FundsWithdrawal);
  const ref = input.Object.ImmOrOwnedObject;
  if (!ref) throw unsupported('shared or receiving objects');
  return objectAt(state, lookup, ref, data.sender);
}

function unsupported(what: string): TransactionRefused {
  return new TransactionRefused(`Feature is not supported: the sandbox's chain does not support ${what}`);
}

function withdrawalOf(data: TransactionData, asked: NonNullable<Input['FundsWithdrawal']>): Withdrawal {
  if (asked.withdrawFrom.SenderAllowance) throw unsupported('allowances');
  return {
    kind: 'withdrawal',
    owner: asked.withdrawFrom.Sender ? data.sender : data.gas.owner,
    coinType: canonicalType(asked.typeArg.Balance),
    amount: BigInt(asked.reservation.MaxAmountU64),
  };
}

/** Error texts of `UserInputError` in sui-types, `error.rs`. */
function objectAt(state: WorldState, lookup: ObjectLookup, ref: ObjectRef, owner: string): OwnedObject {
  const { objectId, digest } = ref;
  const version = Number(ref.version);
  const found = lookup(objectId);
  if (!found) {
    if (isOutOfReach(state, objectId))
      throw unsupported(`object ${objectId}, which is not in a wallet or opens a kiosk`);
    throw new TransactionRefused(
      `Could not find the referenced object ${objectId} at version Some(SequenceNumber(${version}))`,
    );
  }
  if (found.version !== version) {
    throw new TransactionRefused(
      `Transaction needs to be rebuilt because object ${objectId} version ${hex(version)} (${digest}) is unavailable for consumption, current version: ${hex(found.version)}`,
    );
  }
  const expected = objectDigest(objectId, version);
  if (digest !== expected) {
    throw new TransactionRefused(`Invalid Object digest for object ${objectId}. Expected digest : ${expected}`);
  }
  if (found.kind === 'coin' && found.isParty === true)
    throw new TransactionRefused('Object used as shared is not shared');
  if (found.owner !== owner) {
    throw new TransactionRefused(
      `Transaction was not signed by the correct sender: Object ${objectId} is owned by account address ${found.owner}, but given owner/signer address is ${owner}`,
    );
  }
  return found;
}

function hex(version: number): string {
  return `0x${version.toString(16)}`;
}

function mockGasOf(owner: string): LoadedGas {
  const coin: OwnedCoin = {
    kind: 'coin',
    objectId: addressFrom('mock-gas'),
    version: 1,
    owner,
    coinType: suiCoinType,
    amount: mockGasMist,
  };
  return { owner, coins: [coin], reservedMist: 0n, isMock: true };
}

function loadGas(state: WorldState, lookup: ObjectLookup, { gas }: TransactionData, chainId: string): LoadedGas {
  const { owner, payment, budgetMist } = gas;
  const reserved = payment.map((ref) => reservedAmount(ref, owner, suiCoinType, chainId));
  const coins = payment.flatMap((ref, index) => {
    if (reserved[index] !== null) return [];
    const found = objectAt(state, lookup, ref, owner);
    if (found.kind === 'coin' && found.coinType === suiCoinType) return [found];
    throw new TransactionRefused(`Object ${found.objectId} is not a gas object`);
  });
  if (reserved.findLastIndex((amount) => amount !== null) > 0) throw unsupported('reservations after a gas coin');
  // Without any gas payment, the budget comes from the address balance.
  const reservedMist = payment.length === 0 ? budgetMist : (reserved[0] ?? 0n);
  const balance = coins.reduce((sum, { amount }) => sum + amount, reservedMist);
  if (balance < budgetMist) {
    throw new TransactionRefused(`Balance of gas object ${balance} is lower than the needed amount: ${budgetMist}`);
  }
  return { owner, coins, reservedMist, isMock: false };
}

function checkReservations(state: WorldState, inputs: readonly LoadedInput[], gas: LoadedGas): void {
  const reserved = new Map<string, Withdrawal>();
  const gasPart: Withdrawal = { kind: 'withdrawal', owner: gas.owner, coinType: suiCoinType, amount: gas.reservedMist };
  for (const each of [...inputs.filter((input) => input.kind === 'withdrawal'), gasPart]) {
    const key = `${each.owner}/${each.coinType}`;
    reserved.set(key, { ...each, amount: each.amount + (reserved.get(key)?.amount ?? 0n) });
  }
  for (const { owner, coinType, amount } of reserved.values()) {
    const available = state.holdings.get(owner)?.get(coinType)?.addressBalance ?? 0n;
    if (amount > available) {
      throw new TransactionRefused(
        `Invalid withdraw reservation: Available amount in account for ${owner} and ${coinType} is less than requested: ${available} < ${amount}`,
      );
    }
  }
}
