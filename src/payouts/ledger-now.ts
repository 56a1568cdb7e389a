import { Refused } from '../shared/failure.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { type SeenOfIt, type Verdict, verdictOf } from './core/transaction-verdict.ts';
import type { PublishedPayout } from './payout-book.ts';
import type { LedgerReach, PaymentLedger, PayoutDeps } from './payout-deps.ts';
import type { PayoutPlan } from './payouts-contract.ts';
import type { KeptTransaction } from './transaction-store.ts';

/**
 * Has the ledger read what a plan is judged by: everything after `since`, the checkpoint of its snapshot, up to `to`. A payment that
 * the ledger lacks must not look like an unpaid line: throws Refused where there may be one, and Unavailable where it could not be read.
 */
export async function readLedger(
  ledger: PaymentLedger,
  { since, to }: { readonly since: bigint; readonly to: bigint },
): Promise<void> {
  try {
    await ledger.readTo(to);
  } catch (error) {
    // The first reading takes longer than anybody waits: while it lasts, that is the better reason to give.
    refuseGaps(await ledger.reading(), since);
    throw error;
  }
  refuseGaps(await ledger.reading(), since);
}

function refuseGaps({ isComplete, knownSinceCheckpoint }: LedgerReach, since: bigint): void {
  if (!isComplete)
    throw new Refused(
      'ledger-incomplete',
      'The past of the treasury is still being read, so what is paid is not known yet. Try again later.',
    );
  if (knownSinceCheckpoint !== null && knownSinceCheckpoint > since + 1n)
    throw new Refused(
      'ledger-too-short',
      `What the treasury paid is known from checkpoint ${knownSinceCheckpoint} on, but the owners were read at checkpoint ${since}: what was paid in between is not known.`,
    );
}

/** The same up to the node's newest checkpoint. */
export async function readLedgerToNow({ sui, ledger }: PayoutDeps, since: bigint): Promise<void> {
  const { newest: to } = await sui.readKeptCheckpoints();
  await readLedger(ledger, { since, to });
}

/** What is known here to be executed must be in the ledger. Throws Refused where it is not. */
export function refuseHidden({ result }: PublishedPayout, kept: readonly KeptTransaction[]): void {
  const hidden = kept.find(
    ({ state, lines }) => state === 'executed' && lines.some((index) => result.lines[index]?.state === 'open'),
  );
  if (hidden === undefined) return;
  throw new Refused(
    'payment-not-shown',
    `The chain's list does not show a payment that was executed, of transaction ${hidden.digest}: which lines are open is not certain. Try again in a few minutes.`,
  );
}

/** A plan is paid after its publication alone: what went to its addresses before would look like a payment of it. Throws Refused. */
export async function refusePaidBefore(deps: PayoutDeps, { coin, lines, snapshot }: PayoutPlan): Promise<void> {
  const since = BigInt(snapshot.checkpoint);
  await readLedgerToNow(deps, since);
  const sent = await deps.ledger.sentSince(since, [coin.type]);
  const paid = new Set(sent.flatMap(({ to }) => to.map(({ address }) => address)));
  const [first, ...others] = lines.flatMap(({ address }) => (paid.has(address) ? [address] : []));
  if (first === undefined) return;
  const whom = `${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  throw new Refused('paid-before', `The treasury has paid ${whom} since the owners were read. Read them again.`);
}

/**
 * Looks at the chain for what became of the transaction that waits, and writes down what is certain: only after the ledger is read up to
 * where that is so, so that the next one is built knowing every line that this one paid. Answers the one that still waits; null: none.
 */
export async function settle(deps: PayoutDeps): Promise<KeptTransaction | null> {
  const waiting = await deps.transactions.waiting();
  if (waiting === null) return null;
  const verdict = await judge(deps, waiting);
  if (verdict.state === 'waiting') return waiting;
  await deps.transactions.end(waiting.id, verdict);
  return null;
}

async function judge({ sui, ledger }: PayoutDeps, waiting: KeptTransaction): Promise<Verdict> {
  const tip = await sui.readKeptCheckpoints();
  const spender = await findSpender(sui, waiting);
  const seen = async (): Promise<SeenOfIt> => ({ tip, spender, own: await sui.readTransaction(waiting.digest) });
  const first = verdictOf(waiting, await seen());
  if (first.state === 'waiting') return first;
  await ledger.readTo(first.checkpoint);
  // By now a node that was behind a moment ago may know it.
  return first.state === 'executed' || first.state === 'failed' ? first : verdictOf(waiting, await seen());
}

/** A transaction in a checkpoint after which an object that it names has another version, or is gone. */
async function findSpender(
  sui: SuiClient,
  { objects, builtCheckpoint }: KeptTransaction,
): Promise<SeenOfIt['spender']> {
  const now = await sui.readVersions(objects.map(({ objectId }) => objectId));
  // An older version is that of a node which is behind.
  const newer = objects.map(({ objectId, version }) => ({ version, now: now.get(objectId) }));
  const madeBy = newer.find((each) => each.now !== undefined && each.now.version > each.version)?.now?.madeBy ?? null;
  if (madeBy !== null) {
    const checkpoint = (await sui.readTransaction(madeBy))?.checkpoint ?? null;
    return checkpoint === null ? null : { digest: madeBy, checkpoint };
  }
  const gone = objects.find(({ objectId }) => !now.has(objectId))?.objectId;
  if (gone === undefined) return null;
  // That a node does not know an object proves nothing: the transaction that used it up does.
  const query = { addresses: [], objectIds: [gone], fromCheckpoint: builtCheckpoint };
  const { transactions } = await sui.listTransactions(query);
  return (
    transactions.find(({ objects: changed }) =>
      changed.some((each) => each.objectId === gone && each.after === null),
    ) ?? null
  );
}
