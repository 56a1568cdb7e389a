import { GrpcStatusCode } from '@mysten/sui/grpc';
import { chainTimeOf, simulateTransaction } from '../transactions/chain.ts';
import { reservationRef } from '../transactions/coin-reservation.ts';
import { storageMist } from '../transactions/gas-costs.ts';
import { coinsOf } from '../transactions/owned-objects.ts';
import { limits } from '../transactions/protocol-limits.ts';
import type { ObjectRef, TransactionData } from '../transactions/transaction-data.ts';
import { usesGasCoin } from '../transactions/transaction-data.ts';
import { objectDigest } from '../world/derived-ids.ts';
import { gasCostOf } from '../world/execution.ts';
import type { WorldContext, WorldState } from '../world/state.ts';
import { suiCoinType } from '../world/sui-names.ts';
import { GrpcRefusal } from './grpc-web.ts';

/** How a node fills in the gas a caller left open (sui-rpc-api, `simulate/mod.rs`), without sponsors and free transactions. */

const safeOverheadUnits = 1000n;

/** A budget that covers what a simulation with a mocked gas coin used, minus the storage cost of that coin. */
export function withEstimatedBudget(world: WorldContext, data: TransactionData): TransactionData {
  const gas = { ...data.gas, payment: [], budgetMist: limits.budgetMist };
  const { used } = simulateTransaction(world, { ...data, gas }, true).transaction.gas;
  const netMist = gasCostOf(used) - storageMist(suiCoinType);
  const leastMist = used.computation > netMist ? used.computation : netMist;
  const estimateMist = leastMist + safeOverheadUnits * world.state.referenceGasPriceMist;
  const budgetMist = estimateMist < limits.budgetMist ? estimateMist : limits.budgetMist;
  const heldMist = data.gas.budgetMist;
  if (heldMist < budgetMist) {
    throw new GrpcRefusal(
      GrpcStatusCode.INVALID_ARGUMENT,
      `Insufficient gas balance to cover estimated transaction cost. Available gas balance: ${heldMist} MIST. Estimated gas budget required: ${budgetMist} MIST`,
    );
  }
  return { ...data, gas: { ...data.gas, budgetMist } };
}

/**
 * The address balance pays if it can and no command uses the gas coin. Otherwise all coins pay; if commands use the gas coin,
 * a reservation of the address balance comes first.
 */
export function withSelectedGas(world: WorldContext, data: TransactionData): TransactionData {
  const { owner, budgetMist } = data.gas;
  const free = freeAddressBalance(world.state, data);
  const isUsed = usesGasCoin(data);
  if (!isUsed && free >= budgetMist) return withValidity(world, { ...data, gas: { ...data.gas, payment: [] } });
  const { epoch, chainId } = chainTimeOf(world);
  const isReserved = isUsed && free > 0n;
  const coins = gasCoins(world.state, data).slice(0, limits.gasCoins - (isReserved ? 1 : 0));
  const total = coins.reduce((sum, { amount }) => sum + amount, isReserved ? free : 0n);
  if (total < budgetMist) {
    throw new GrpcRefusal(
      GrpcStatusCode.INVALID_ARGUMENT,
      `Unable to perform gas selection due to insufficient SUI balance (in address balance or coins) for account ${owner} to satisfy required budget ${budgetMist}.`,
    );
  }
  const refs = coins.map(({ objectId, version }): ObjectRef => {
    return { objectId, version: String(version), digest: objectDigest(objectId, version) };
  });
  if (!isReserved) return { ...data, gas: { ...data.gas, payment: refs } };
  const reservation = reservationRef({ owner, coinType: suiCoinType, amountMist: free }, epoch, chainId);
  return withValidity(world, { ...data, gas: { ...data.gas, payment: [reservation, ...refs] } });
}

function gasCoins(state: WorldState, { gas, inputs }: TransactionData) {
  const used = new Set(inputs.map(({ Object: object }) => object?.ImmOrOwnedObject?.objectId));
  return coinsOf(state, gas.owner, suiCoinType).filter(({ objectId }) => !used.has(objectId));
}

/** Whether the gas payment is still open (no coin is named and the address balance cannot pay alone): a simulation then mocks a coin. */
export function isGasOpen(state: WorldState, data: TransactionData): boolean {
  if (data.gas.payment.length > 0) return false;
  return data.expiration.$kind === 'None' || usesGasCoin(data) || freeAddressBalance(state, data) < data.gas.budgetMist;
}

/** The address balance that the transaction's own withdrawals leave. */
function freeAddressBalance(state: WorldState, { gas, sender, inputs }: TransactionData): bigint {
  const held = state.holdings.get(gas.owner)?.get(suiCoinType)?.addressBalance ?? 0n;
  return inputs.reduce((left, { FundsWithdrawal: funds }) => {
    const isOwn = funds && (funds.withdrawFrom.Sender ? sender : gas.owner) === gas.owner;
    return isOwn && funds.typeArg.Balance === suiCoinType ? left - BigInt(funds.reservation.MaxAmountU64) : left;
  }, held);
}

/** The last nonce used: no two transactions that the node fills in are the same. */
const nonces = new WeakMap<WorldState, number>();

/** An address balance has no version to use up, so expiration and nonce make the transaction valid for two epochs, and once. */
function withValidity(world: WorldContext, data: TransactionData): TransactionData {
  if (data.expiration.$kind !== 'None') return data;
  const { epoch, chainId } = chainTimeOf(world);
  const nonce = (nonces.get(world.state) ?? 0) + 1;
  nonces.set(world.state, nonce);
  return {
    ...data,
    expiration: {
      $kind: 'ValidDuring',
      ValidDuring: {
        minEpoch: String(epoch),
        maxEpoch: String(epoch + 1n),
        minTimestamp: null,
        maxTimestamp: null,
        chain: chainId,
        nonce,
      },
    },
  };
}
