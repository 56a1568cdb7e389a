import type { SuiClient } from '../sources/sui/sui-client.ts';
import { type SeenOfIt, type Verdict, verdictOf } from './core/transaction-verdict.ts';
import type { KeptTransaction, TransactionStore } from './transaction-store.ts';

export interface SettleDeps {
  readonly store: Pick<TransactionStore, 'waiting' | 'end'>;
  /** Each throws Unavailable. */
  readonly chain: Pick<SuiClient, 'readKeptCheckpoints' | 'readTransaction' | 'readVersions' | 'listTransactions'>;
  /** Has the ledger read up to that checkpoint at least. Throws Unavailable. */
  readonly readTo: (checkpoint: bigint) => Promise<void>;
}

/**
 * Looks at the chain for what became of the transaction that waits, and writes down what is certain: only after the ledger is read up to
 * where that is so, so that the next one is built knowing every line that this one paid. Answers the one that still waits; null: none.
 */
export async function settle(deps: SettleDeps): Promise<KeptTransaction | null> {
  const waiting = await deps.store.waiting();
  if (waiting === null) return null;
  const verdict = await judge(deps, waiting);
  if (verdict.state === 'waiting') return waiting;
  await deps.store.end(waiting.id, verdict);
  return null;
}

async function judge({ chain, readTo }: SettleDeps, waiting: KeptTransaction): Promise<Verdict> {
  const tip = await chain.readKeptCheckpoints();
  const spender = await findSpender(chain, waiting);
  const seen = async (): Promise<SeenOfIt> => ({ tip, spender, own: await chain.readTransaction(waiting.digest) });
  const first = verdictOf(waiting, await seen());
  if (first.state === 'waiting') return first;
  await readTo(first.checkpoint);
  // By now a node that was behind a moment ago may know it.
  return first.state === 'executed' || first.state === 'failed' ? first : verdictOf(waiting, await seen());
}

/** A transaction in a checkpoint after which an object that it names has another version, or is gone. */
async function findSpender(
  chain: SettleDeps['chain'],
  { objects, builtCheckpoint }: KeptTransaction,
): Promise<SeenOfIt['spender']> {
  const now = await chain.readVersions(objects.map(({ objectId }) => objectId));
  // An older version is that of a node which is behind.
  const newer = objects.map(({ objectId, version }) => ({ version, now: now.get(objectId) }));
  const madeBy = newer.find((each) => each.now !== undefined && each.now.version > each.version)?.now?.madeBy ?? null;
  if (madeBy !== null) {
    const checkpoint = (await chain.readTransaction(madeBy))?.checkpoint ?? null;
    return checkpoint === null ? null : { digest: madeBy, checkpoint };
  }
  const gone = objects.find(({ objectId }) => !now.has(objectId))?.objectId;
  if (gone === undefined) return null;
  // That a node does not know an object proves nothing: the transaction that used it up does.
  const query = { addresses: [], objectIds: [gone], fromCheckpoint: builtCheckpoint };
  const { transactions } = await chain.listTransactions(query);
  return (
    transactions.find(({ objects: changed }) =>
      changed.some((each) => each.objectId === gone && each.after === null),
    ) ?? null
  );
}
