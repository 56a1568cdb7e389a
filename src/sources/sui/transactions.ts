import { GrpcTypes } from '@mysten/sui/grpc';
import { chunksOf } from '../../shared/chunks.ts';
import { Unavailable } from '../../shared/failure.ts';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject } from './chain-transaction.ts';
import { identityOf, parseOwner } from './objects.ts';
import { malformed, type SuiCall } from './sui-call.ts';

/** Transactions that changed something of any of these, oldest first. */
export interface TransactionQuery {
  readonly addresses: readonly string[];
  readonly objectIds: readonly string[];
  /** Inclusive. */
  readonly fromCheckpoint: bigint;
  /** Of the page before, at the same node. */
  readonly after?: Uint8Array | undefined;
}

export interface TransactionPage {
  readonly transactions: readonly ChainTransaction[];
  /** undefined: it took several lists, none of which ends within a checkpoint; read on after `coveredCheckpoint`. */
  readonly cursor: Uint8Array | undefined;
  /** Everything up to and including it was read, with this page and those before; null: no checkpoint is read as a whole yet. */
  readonly coveredCheckpoint: bigint | null;
  /** There is nothing newer. */
  readonly isAtTip: boolean;
}

const pageSize = 100;
const paths = [
  'digest',
  'transaction.sender',
  'transaction.gas_payment',
  'effects.gas_used',
  'effects.changed_objects',
  'balance_changes',
  'checkpoint',
  'timestamp',
  'transaction_index',
];

/**
 * A node refuses a filter of more literals: `DEFAULT_MAX_BITMAP_FILTER_LITERALS` in MystenLabs/sui, of full nodes
 * (sui-config/src/rpc_config.rs) and of the archive (sui-kv-rpc/src/config.rs). Operators may set another number.
 */
const literalsMax = 10;

type Predicate = GrpcTypes.TransactionLiteral['predicate'];
type ListQuery = Pick<TransactionQuery, 'fromCheckpoint' | 'after'> & { readonly predicates: readonly Predicate[] };

/** More than one filter holds are asked for in several lists, which go on together from what all of them have covered. */
export async function listTransactions(
  call: SuiCall,
  query: TransactionQuery,
  stop?: AbortSignal,
): Promise<TransactionPage> {
  const [first = [], ...others] = chunksOf(predicatesOf(query), literalsMax);
  if (others.length === 0) return listPage(call, { ...query, predicates: first }, stop);
  const pages: TransactionPage[] = [];
  for (const predicates of [first, ...others]) pages.push(await listCheckpoints(call, { ...query, predicates }, stop));
  return mergePages(pages);
}

/** Pages of one list until a checkpoint is read as a whole. */
async function listCheckpoints(call: SuiCall, query: ListQuery, stop?: AbortSignal): Promise<TransactionPage> {
  const transactions: ChainTransaction[] = [];
  for (let { after } = query; ;) {
    const page = await listPage(call, { ...query, after }, stop);
    transactions.push(...page.transactions);
    if (page.coveredCheckpoint !== null || page.isAtTip) return { ...page, transactions };
    after = page.cursor;
  }
}

/** What one list has beyond the others is left for the next page: what comes before it may be in them. */
function mergePages(pages: readonly TransactionPage[]): TransactionPage {
  const coveredCheckpoint = pages
    .map((page) => page.coveredCheckpoint)
    .reduce((least, each) => (least === null || each === null ? null : each < least ? each : least));
  const found = pages.flatMap(({ transactions }) => transactions);
  const transactions = [...new Map(found.map((transaction) => [transaction.digest, transaction])).values()]
    .filter(({ checkpoint }) => coveredCheckpoint !== null && checkpoint <= coveredCheckpoint)
    .sort((one, other) => Number(one.checkpoint - other.checkpoint) || one.position - other.position);
  return { transactions, cursor: undefined, coveredCheckpoint, isAtTip: pages.every(({ isAtTip }) => isAtTip) };
}

/**
 * One page of `ListTransactions`. A transaction may change thousands of objects: a page that is larger than an answer may be, or
 * takes too long, is asked for again with half as many.
 */
async function listPage(call: SuiCall, query: ListQuery, stop?: AbortSignal): Promise<TransactionPage> {
  for (let limit = pageSize; ; limit = Math.floor(limit / 2)) {
    try {
      return parsePage(await readFrames(call, query, limit, stop), query);
    } catch (error) {
      const isTooMuch = error instanceof Unavailable && /^(answer-too-large|timeout)$/.test(error.reason);
      if (!isTooMuch || limit === 1) throw error;
    }
  }
}

type Frame = Pick<GrpcTypes.ListTransactionsResponse, 'watermark' | 'end'> & {
  readonly transaction: ChainTransaction | null;
};

function readFrames(call: SuiCall, query: ListQuery, limit: number, stop?: AbortSignal) {
  const { fromCheckpoint, after, predicates } = query;
  const request: GrpcTypes.ListTransactionsRequest = {
    readMask: { paths },
    startCheckpoint: fromCheckpoint,
    filter: { terms: predicates.map((predicate) => ({ literals: [{ negated: false, predicate }] })) },
    options: { limit, ordering: GrpcTypes.Ordering.ASCENDING, ...(after && { after }) },
  };
  return call(
    'ListTransactions',
    async (client, options) => {
      const stream = client.ledgerService.listTransactions(request, options);
      const frames: Frame[] = [];
      // Parsed one by one: as they come they are several times as large.
      for await (const { transaction, ...rest } of stream.responses) {
        frames.push({ ...rest, transaction: transaction ? parseTransaction(transaction) : null });
      }
      await stream;
      return frames;
    },
    stop,
  );
}

const predicatesOf = ({ addresses, objectIds }: TransactionQuery): readonly Predicate[] => [
  ...addresses.map((address): Predicate => ({ oneofKind: 'affectedAddress', affectedAddress: { address } })),
  ...objectIds.map((objectId): Predicate => ({ oneofKind: 'affectedObject', affectedObject: { objectId } })),
];

const { ITEM_LIMIT, SCAN_LIMIT, LEDGER_TIP } = GrpcTypes.QueryEndReason;

/** Frames without a transaction are progress; the last one alone says why the answer ends, so a page cut short is none. */
function parsePage(frames: readonly Frame[], { fromCheckpoint, after }: ListQuery): TransactionPage {
  const watermarks = frames.flatMap(({ watermark }) => watermark ?? []);
  const { cursor, isAtTip } = parseEnd(frames.at(-1)?.end?.reason, watermarks.at(-1)?.cursor);
  if (!isAtTip && after !== undefined && Buffer.from(after).equals(cursor)) {
    throw new Unavailable('repeated-cursor', 'The Sui full node goes round in circles');
  }
  const transactions = frames.flatMap(({ transaction }) => transaction ?? []);
  if (transactions.some(({ checkpoint }) => checkpoint < fromCheckpoint)) throw malformed('An older transaction');
  const covered = watermarks.findLast(({ checkpoint }) => checkpoint !== undefined)?.checkpoint ?? null;
  // A node behind where we are has nothing new.
  const coveredCheckpoint = covered === null || covered < fromCheckpoint ? null : covered;
  return { transactions, cursor, coveredCheckpoint, isAtTip };
}

function parseEnd(reason: GrpcTypes.QueryEndReason | undefined, cursor: Uint8Array | undefined) {
  if (reason !== ITEM_LIMIT && reason !== SCAN_LIMIT && reason !== LEDGER_TIP) throw malformed('A page without an end');
  if (cursor === undefined || cursor.length === 0) throw malformed('A page without a cursor');
  return { cursor, isAtTip: reason === LEDGER_TIP };
}

function parseTransaction(transaction: GrpcTypes.ExecutedTransaction): ChainTransaction {
  const { digest, checkpoint, timestamp, transactionIndex, effects } = transaction;
  const sender = canonicalAddress(transaction.transaction?.sender ?? '');
  if (!digest || checkpoint === undefined || timestamp === undefined || effects === undefined || sender === null) {
    throw malformed('A transaction without its digest, checkpoint, time, sender or effects');
  }
  return {
    digest,
    checkpoint,
    position: Number(transactionIndex ?? 0n),
    at: timeOf(timestamp),
    sender,
    gasPayer: canonicalAddress(transaction.transaction?.gasPayment?.owner ?? '') ?? sender,
    gasMist: gasOf(effects.gasUsed),
    balanceChanges: transaction.balanceChanges.map(parseBalanceChange),
    objects: effects.changedObjects.flatMap(parseChangedObject),
  };
}

export const timeOf = ({ seconds, nanos }: { readonly seconds: bigint; readonly nanos: number }): Date =>
  new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1e6));

function gasOf(used: GrpcTypes.GasCostSummary | undefined): bigint {
  if (used === undefined) throw malformed('Effects without their gas');
  return (used.computationCost ?? 0n) + (used.storageCost ?? 0n) - (used.storageRebate ?? 0n);
}

export function parseBalanceChange({ address, coinType, amount }: GrpcTypes.BalanceChange) {
  const parsed = { address: canonicalAddress(address ?? ''), coinType: canonicalType(coinType ?? '') };
  if (parsed.address === null || parsed.coinType === null || !/^-?\d{1,40}$/.test(amount ?? '')) {
    throw malformed('A balance change without an address, a coin or an amount');
  }
  return { address: parsed.address, coinType: parsed.coinType, raw: BigInt(amount ?? '') };
}

const { CREATED, DELETED } = GrpcTypes.ChangedObject_IdOperation;
const { PACKAGE_WRITE } = GrpcTypes.ChangedObject_OutputObjectState;
const { OWNER_KIND_UNKNOWN } = GrpcTypes.Owner_OwnerKind;

/**
 * Nothing for what lies nowhere, before or after: address balances, and what was made and at once put into another object or
 * taken out of one and ended. A node has no type for the latter: it looks among what was read and written (MystenLabs/sui,
 * `render_effects_to_proto`). Packages lie nowhere either.
 */
export function parseChangedObject(changed: GrpcTypes.ChangedObject): readonly ChangedObject[] {
  const { outputState, inputOwner, outputOwner, idOperation } = changed;
  if (outputState === PACKAGE_WRITE || (inputOwner === undefined && outputOwner === undefined)) return [];
  const { objectId, objectType } = identityOf(changed);
  return [
    {
      objectId,
      objectType,
      before: parsePlace(inputOwner),
      after: parsePlace(outputOwner),
      isCreated: idOperation === CREATED,
      isDeleted: idOperation === DELETED,
    },
  ];
}

/** An owner of a kind that is not known yet is no wallet and no kiosk; it does not keep all else from being read. */
function parsePlace(owner: GrpcTypes.Owner | undefined): ChangedObject['before'] {
  if (owner === undefined) return null;
  const { kind = OWNER_KIND_UNKNOWN } = owner;
  return kind !== OWNER_KIND_UNKNOWN && kind in GrpcTypes.Owner_OwnerKind ? parseOwner(owner) : { kind: 'none' };
}
