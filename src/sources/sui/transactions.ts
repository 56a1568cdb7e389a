import { GrpcTypes } from '@mysten/sui/grpc';
import { chunksOf } from '../../shared/chunks.ts';
import { Unavailable } from '../../shared/failure.ts';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import type { ChainTransaction, ChangedObject } from './chain-transaction.ts';
import { identityOf, parseOwner } from './objects.ts';
import { malformed, type SuiCall } from './sui-call.ts';

/** Finds transactions that affected any of these, oldest first. */
export interface TransactionQuery {
  readonly addresses: readonly string[];
  readonly objectIds: readonly string[];
  /** Inclusive. */
  readonly fromCheckpoint: bigint;
  /** The cursor of the previous page, from the same node. */
  readonly after?: Uint8Array | undefined;
}

export interface TransactionPage {
  readonly transactions: readonly ChainTransaction[];
  /** undefined: the page was merged from several lists; read on after `coveredCheckpoint`. */
  readonly cursor: Uint8Array | undefined;
  /** Everything up to and including this checkpoint has been read; null: no checkpoint has been read in full yet. */
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
 * A node refuses a filter with more literals: `DEFAULT_MAX_BITMAP_FILTER_LITERALS` in MystenLabs/sui, for full nodes
 * (sui-config/src/rpc_config.rs) and the archive (sui-kv-rpc/src/config.rs). Operators may set another number.
 */
const literalsMax = 10;

type Predicate = GrpcTypes.TransactionLiteral['predicate'];
type ListQuery = Pick<TransactionQuery, 'fromCheckpoint' | 'after'> & { readonly predicates: readonly Predicate[] };

/** If the query does not fit one filter, several lists are read and merged, up to the checkpoint that all of them cover. */
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

/** Reads pages of one list until a checkpoint has been read in full. */
async function listCheckpoints(call: SuiCall, query: ListQuery, stop?: AbortSignal): Promise<TransactionPage> {
  const transactions: ChainTransaction[] = [];
  for (let { after } = query; ;) {
    const page = await listPage(call, { ...query, after }, stop);
    transactions.push(...page.transactions);
    if (page.coveredCheckpoint !== null || page.isAtTip) return { ...page, transactions };
    after = page.cursor;
  }
}

/** Transactions beyond the common checkpoint are left for the next page: other lists may have earlier ones. */
function mergePages(pages: readonly TransactionPage[]): TransactionPage {
  const coveredCheckpoint = coveredByAll(pages);
  const found = pages.flatMap(({ transactions }) => transactions);
  const transactions = [...new Map(found.map((transaction) => [transaction.digest, transaction])).values()]
    .filter(({ checkpoint }) => coveredCheckpoint !== null && checkpoint <= coveredCheckpoint)
    .sort((one, other) => Number(one.checkpoint - other.checkpoint) || one.position - other.position);
  return { transactions, cursor: undefined, coveredCheckpoint, isAtTip: pages.every(({ isAtTip }) => isAtTip) };
}

/** null: some page covers none in full. */
function coveredByAll(pages: readonly TransactionPage[]): bigint | null {
  const covered = pages.flatMap(({ coveredCheckpoint }) => coveredCheckpoint ?? []);
  if (covered.length < pages.length) return null;
  return covered.reduce((least, each) => (each < least ? each : least));
}

/**
 * One page of `ListTransactions`. A transaction may change thousands of objects: a page that is too large or takes too long is
 * requested again with half as many transactions.
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
      // Parsed one by one, because the raw frames are several times as large.
      for await (const { transaction, ...rest } of stream.responses) {
        frames.push({ ...rest, transaction: transaction ? parseTransaction(transaction) : null });
      }
      await stream;
      return { response: frames };
    },
    stop,
  );
}

const predicatesOf = ({ addresses, objectIds }: TransactionQuery): readonly Predicate[] => [
  ...addresses.map((address): Predicate => ({ oneofKind: 'affectedAddress', affectedAddress: { address } })),
  ...objectIds.map((objectId): Predicate => ({ oneofKind: 'affectedObject', affectedObject: { objectId } })),
];

const { ITEM_LIMIT, SCAN_LIMIT, LEDGER_TIP } = GrpcTypes.QueryEndReason;

/** Frames without a transaction report progress. Only the last one says why the answer ends: without it, the page was cut off. */
function parsePage(frames: readonly Frame[], { fromCheckpoint, after }: ListQuery): TransactionPage {
  const watermarks = frames.flatMap(({ watermark }) => watermark ?? []);
  const { cursor, isAtTip } = parseEnd(frames.at(-1)?.end?.reason, watermarks.at(-1)?.cursor);
  if (!isAtTip && after !== undefined && Buffer.from(after).equals(cursor)) {
    throw new Unavailable('repeated-cursor', 'The Sui full node repeats a page');
  }
  const transactions = frames.flatMap(({ transaction }) => transaction ?? []);
  if (transactions.some(({ checkpoint }) => checkpoint < fromCheckpoint)) throw malformed('An older transaction');
  const covered = watermarks.findLast(({ checkpoint }) => checkpoint !== undefined)?.checkpoint ?? null;
  // A node that is behind us has nothing new.
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
 * Empty for changes without an owner before and after: address balances, and objects created and wrapped, or unwrapped and
 * deleted, within the transaction. A node has no type for those: it searches what was read and written (MystenLabs/sui,
 * `render_effects_to_proto`). Also empty for packages.
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

/** An unknown kind of owner is neither a wallet nor a kiosk, and must not stop the rest from being read. */
function parsePlace(owner: GrpcTypes.Owner | undefined): ChangedObject['before'] {
  if (owner === undefined) return null;
  const { kind = OWNER_KIND_UNKNOWN } = owner;
  return kind !== OWNER_KIND_UNKNOWN && kind in GrpcTypes.Owner_OwnerKind ? parseOwner(owner) : { kind: 'none' };
}
