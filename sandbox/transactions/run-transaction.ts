import { ownedBy, recordAccumulator, recordBalance, recordObject } from '../world/changes.ts';
import { addressFrom } from '../world/derived-ids.ts';
import type { Failure, GasUsed } from '../world/execution.ts';
import { gasCostOf } from '../world/execution.ts';
import { draftTransaction } from '../world/ledger.ts';
import { coinTypeOf } from '../world/moving-coins.ts';
import type { BalanceChange, ChainTransaction, WorldContext } from '../world/state.ts';
import { suiCoinType } from '../world/sui-names.ts';
import { requireRunnable, runCommands } from './command-runner.ts';
import { computationMist, gasUsedOf, storageMist } from './gas-costs.ts';
import type { Loaded } from './input-objects.ts';
import { loadObjects } from './input-objects.ts';
import type { Coin, Session } from './move-values.ts';
import type { OwnedNft } from './owned-objects.ts';
import type { TransactionData } from './transaction-data.ts';

type Held = { owner: string; amount: bigint; version: number };
/** A coin before and after; null where it does not exist. */
export type CoinWrite = { objectId: string; coinType: string; before: Held | null; after: Held | null };
export type NftWrite = { nft: OwnedNft; to: string };

/** What a transaction does, before it is committed. */
export type Execution = { transaction: ChainTransaction; coins: CoinWrite[]; nfts: NftWrite[] };

type Changes = { coins: CoinWrite[]; nfts: NftWrite[]; accumulators: BalanceChange[]; gasLeftMist: bigint };

export type Circumstances = { digest: string; chainId: string; mockGas: boolean };

/** Runs a checked transaction without changing the world. Throws TransactionRefused when its objects cannot be used. */
export function runTransaction(world: WorldContext, data: TransactionData, around: Circumstances): Execution {
  requireRunnable(data.commands);
  const loaded = loadObjects(world.state, data, around);
  const version = lamportVersion(loaded);
  const session = openSession(loaded, data, around.digest);
  const failed = runCommands(session, data.commands, data.sender);
  const untouched = (): Changes => changesWithout(loaded, version);
  const wanted = failed ? untouched() : changesOf(session, loaded, version, data.gas.budgetMist);
  const charged = charge(loaded, data, { wanted, untouched, failed });
  const transaction = draftTransaction(world, { digest: around.digest, sender: data.sender, version });
  transaction.failure = charged.failure;
  transaction.gas = { payer: loaded.gas.owner, coinId: gasCoinIdOf(loaded), used: charged.used };
  recordChanges(transaction, payGas(charged.changes, loaded, charged.used));
  return { transaction, coins: charged.changes.coins, nfts: charged.changes.nfts };
}

/** All objects a transaction writes get the same version: one more than the highest it read. */
function lamportVersion({ inputs, gas }: Loaded): number {
  const read = [...inputs, ...gas.coins].map((each) => ('version' in each ? each.version : 0));
  return Math.max(0, ...read) + 1;
}

/** Null: gas is paid from the address balance. */
function gasCoinIdOf({ gas }: Loaded): string | null {
  return gas.reservedMist > 0n ? null : (gas.coins[0]?.objectId ?? null);
}

function gasTotal({ gas }: Loaded): bigint {
  return gas.coins.reduce((sum, { amount }) => sum + amount, gas.reservedMist);
}

/** All gas coins are merged into one; the commands may spend what the budget leaves of it. */
function openSession(loaded: Loaded, data: TransactionData, digest: string): Session {
  const objectId = gasCoinIdOf(loaded);
  const spendable: Coin = {
    kind: 'coin',
    objectId: objectId ?? '',
    coinType: suiCoinType,
    amount: gasTotal(loaded) - data.gas.budgetMist,
  };
  const inputs = loaded.inputs.map((input) => ({ value: { ...input } }));
  return {
    gas: loaded.gas.coins.length === 0 && data.gas.payment.length === 0 ? null : { value: spendable },
    mayGiveGas: objectId !== null,
    inputs,
    results: [],
    given: [],
    sent: [],
    withdrawn: [],
    newObjects: 0,
    idOf: (index) => addressFrom(`created/${digest}/${index}`),
  };
}

type Ends = { object: Coin | OwnedNft; to: string };

function changesOf(session: Session, loaded: Loaded, version: number, budgetMist: bigint): Changes {
  const ends = new Map<string, Ends>();
  const gasId = gasCoinIdOf(loaded);
  const gasCoin = session.gas?.value;
  if (gasId !== null && gasCoin?.kind === 'coin') ends.set(gasId, { object: gasCoin, to: loaded.gas.owner });
  loaded.inputs.forEach((input, index) => {
    const value = session.inputs[index]?.value;
    if (value?.kind === 'coin' && input.kind === 'coin') ends.set(value.objectId, { object: value, to: input.owner });
    if (value?.kind === 'nft') ends.set(value.objectId, { object: value, to: value.owner });
  });
  for (const each of session.given) ends.set(each.object.objectId, each);
  const gasLeft = gasCoin?.kind === 'coin' ? gasCoin.amount + budgetMist : budgetMist;
  const given = gasId === null ? undefined : session.given.find(({ object }) => object.objectId === gasId);
  return {
    coins: coinWrites(loaded, ends, version),
    nfts: [...ends.values()].flatMap(({ object, to }) => (object.kind === 'nft' ? [{ nft: object, to }] : [])),
    accumulators: [
      ...session.withdrawn.map(({ owner, coinType, amount }) => ({ address: owner, coinType, amount: -amount })),
      ...session.sent.map(({ to, coinType, amount }) => ({ address: to, coinType, amount })),
    ],
    gasLeftMist: given?.object.kind === 'coin' ? given.object.amount + budgetMist : gasLeft,
  };
}

/** Changes of a failed transaction: the gas coins become one, and all inputs get a new version. */
function changesWithout(loaded: Loaded, version: number): Changes {
  const ends = new Map<string, Ends>();
  const gasId = gasCoinIdOf(loaded);
  const gasLeftMist = gasTotal(loaded);
  if (gasId !== null) {
    const object: Coin = { kind: 'coin', objectId: gasId, coinType: suiCoinType, amount: gasLeftMist };
    ends.set(gasId, { object, to: loaded.gas.owner });
  }
  for (const each of loaded.inputs) {
    if (each.kind === 'coin' || each.kind === 'nft') ends.set(each.objectId, { object: each, to: each.owner });
  }
  const nfts = [...ends.values()].flatMap(({ object, to }) => (object.kind === 'nft' ? [{ nft: object, to }] : []));
  return { coins: coinWrites(loaded, ends, version), nfts, accumulators: [], gasLeftMist };
}

function coinWrites({ inputs, gas }: Loaded, ends: Map<string, Ends>, version: number): CoinWrite[] {
  const writes = new Map<string, CoinWrite>();
  for (const each of [...gas.coins, ...inputs]) {
    if (each.kind !== 'coin') continue;
    const { objectId, coinType, owner, amount, version: read } = each;
    writes.set(objectId, { objectId, coinType, before: { owner, amount, version: read }, after: null });
  }
  for (const { object, to } of ends.values()) {
    if (object.kind !== 'coin') continue;
    const { objectId, coinType, amount } = object;
    const before = writes.get(objectId)?.before ?? null;
    writes.set(objectId, { objectId, coinType, before, after: { owner: to, amount, version } });
  }
  return [...writes.values()];
}

type Charged = { changes: Changes; used: GasUsed; failure: Failure | null };

/** A transaction that needs more gas than its budget fails and pays for that. */
function charge(
  loaded: Loaded,
  data: TransactionData,
  run: { wanted: Changes; untouched: () => Changes; failed: Failure | null },
): Charged {
  const { budgetMist } = data.gas;
  const computation = computationMist(data);
  const used = gasUsedOf(computation, storageOf(run.wanted, loaded));
  if (computation <= budgetMist && gasCostOf(used) <= budgetMist) {
    return { changes: run.wanted, used, failure: run.failed };
  }
  const changes = run.untouched();
  const least = gasUsedOf(computation < budgetMist ? computation : budgetMist, storageOf(changes, loaded));
  const all: GasUsed = { computation: budgetMist, storage: 0n, rebate: 0n, notRefunded: 0n };
  return {
    changes,
    used: gasCostOf(least) <= budgetMist ? least : all,
    failure: { reason: { kind: 'InsufficientGas' }, command: null },
  };
}

function storageOf({ coins, nfts }: Changes, { gas }: Loaded): { written: bigint; before: bigint } {
  const ofNfts = BigInt(nfts.length) * storageMist(null);
  const sum = (which: (write: CoinWrite) => unknown): bigint =>
    coins.reduce((total, write) => (which(write) ? total + storageMist(write.coinType) : total), ofNfts);
  // A mock coin has no paid storage to refund.
  const isMock = ({ objectId }: CoinWrite): boolean => gas.isMock && objectId === gas.coins[0]?.objectId;
  return { written: sum(({ after }) => after), before: sum((write) => write.before && !isMock(write)) };
}

/** Deducts the gas from the gas coin, or returns the rest of the reservation to the address balance. */
function payGas(changes: Changes, loaded: Loaded, used: GasUsed): Changes {
  const { owner, reservedMist } = loaded.gas;
  const leftMist = changes.gasLeftMist - gasCostOf(used);
  const coinId = gasCoinIdOf(loaded);
  if (coinId === null) {
    changes.accumulators.push({ address: owner, coinType: suiCoinType, amount: leftMist - reservedMist });
  }
  const paying = changes.coins.find(({ objectId }) => objectId === coinId)?.after;
  if (paying) paying.amount = leftMist;
  return changes;
}

/** Records the changes in the transaction, as for the world's own transactions. */
function recordChanges(transaction: ChainTransaction, { coins, nfts, accumulators }: Changes): void {
  for (const { objectId, coinType, before, after } of coins) {
    recordObject(transaction, {
      objectId,
      objectType: coinTypeOf(coinType),
      before: before && ownedBy(before.owner),
      after: after && ownedBy(after.owner),
      versions: { before: before?.version ?? null, after: after?.version ?? null },
    });
    if (before) recordBalance(transaction, { address: before.owner, coinType, amount: -before.amount });
    if (after) recordBalance(transaction, { address: after.owner, coinType, amount: after.amount });
  }
  for (const change of accumulators) {
    recordAccumulator(transaction, change);
    recordBalance(transaction, change);
  }
  for (const { nft, to } of nfts) {
    const { objectId, objectType, owner } = nft;
    const versions = { before: nft.version, after: transaction.version };
    recordObject(transaction, { objectId, objectType, before: ownedBy(owner), after: ownedBy(to), versions });
    transaction.placements.push({
      nftId: objectId,
      before: { kind: 'wallet', address: owner },
      after: { kind: 'wallet', address: to },
    });
  }
}
