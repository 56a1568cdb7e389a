import { Refused } from '../shared/failure.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { andMore } from './core/payout-words.ts';
import type { Sent } from './core/reconcile.ts';
import { type NodeAnswers, type Verdict, verdictOf } from './core/transaction-verdict.ts';
import { paymentsOf, type PublishedPayout } from './payout-cache.ts';
import type { LedgerReach, PaymentLedger, PayoutDeps } from './payout-deps.ts';
import type { PayoutPlan } from './payouts-contract.ts';
import type { StoredTransaction } from './transaction-store.ts';

/**
 * Makes the ledger read what a plan is judged by: everything after `since`, the checkpoint of its snapshot, up to `to`. A payment that
 * the ledger lacks must not look like an unpaid line: throws Refused if there may be one, and Unavailable if it could not be read.
 */
export async function readLedger(
  ledger: PaymentLedger,
  { since, to }: { readonly since: bigint; readonly to: bigint },
): Promise<void> {
  try {
    await ledger.readUpTo(to);
  } catch (error) {
    // The first reading takes longer than this call waits: until it is done, that is the better reason to give.
    refuseGaps(await ledger.progress(), since);
    throw error;
  }
  refuseGaps(await ledger.progress(), since);
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

/** A transaction that is known to be executed must be in the ledger. Throws Refused if it is not. */
export function refuseMissingInLedger({ result }: PublishedPayout, kept: readonly StoredTransaction[]): void {
  const hidden = kept.find(
    ({ state, lines }) => state === 'executed' && lines.some((index) => result.lines[index]?.state === 'open'),
  );
  if (hidden === undefined) return;
  throw new Refused(
    'payment-not-shown',
    `The ledger does not show the executed transaction ${hidden.digest}, so it is not certain which lines are open. Try again in a few minutes.`,
  );
}

/** A plan is paid only after it is published: an earlier payment to its addresses would look like one of it. Throws Refused. */
export async function refusePaidBefore(deps: PayoutDeps, plan: PayoutPlan): Promise<void> {
  const since = BigInt(plan.snapshot.checkpoint);
  await readLedgerToNow(deps, since);
  await deps.load();
  const sent = await deps.ledger.sentSince(0n, [plan.coin.type]);
  refusePaidElsewhere(deps, plan, sent);
  const later = sent.filter(({ checkpoint }) => checkpoint > since);
  const paid = new Set(later.flatMap(({ to }) => to.map(({ address }) => address)));
  const [first, ...others] = plan.lines.flatMap(({ address }) => (paid.has(address) ? [address] : []));
  if (first === undefined) return;
  const addresses = andMore(first, others.length);
  throw new Refused('paid-before', `The treasury has paid ${addresses} since the owners were read. Read them again.`);
}

const rememberedForMs = 90 * 86_400_000;

/**
 * A restored backup does not know the payouts that were published after it, but the chain has their payments: a plan that is the same for
 * most of its addresses would pay them a second time. Throws Refused.
 */
function refusePaidElsewhere({ cache, clock }: PayoutDeps, { lines }: PayoutPlan, sent: readonly Sent[]): void {
  const ofPayouts = new Set(cache.published().flatMap((payout) => paymentsOf(payout).map(({ digest }) => digest)));
  const since = clock.now().getTime() - rememberedForMs;
  const unknown = sent.filter(
    ({ digest, at, isTransfer }) => isTransfer && at.getTime() > since && !ofPayouts.has(digest),
  );
  const digestOf = new Map(unknown.flatMap(({ digest, to }) => to.map((one) => [`${one.address} ${one.raw}`, digest])));
  const paid = lines.flatMap(({ address, raw }) => digestOf.get(`${address} ${raw}`) ?? []);
  const [first, ...others] = new Set(paid);
  if (first === undefined || paid.length * 2 <= lines.length) return;
  throw new Refused(
    'paid-elsewhere',
    `${paid.length} of ${lines.length} lines of this plan were paid in exactly these amounts before, and by no payout listed here: by transaction ${andMore(first, others.length)}. It may be this payout, published before a backup was restored: then delete this draft. If it is meant to be another payment, change the amount.`,
  );
}

/**
 * Checks the chain for the waiting transaction and records its end once that is certain and the ledger is read up to it, so that the next
 * one is built knowing every line that this one paid. Returns the transaction that still waits; null: none.
 */
export async function refreshWaiting(deps: PayoutDeps): Promise<StoredTransaction | null> {
  const waiting = await deps.transactions.waiting();
  if (waiting === null) return null;
  const verdict = await judge(deps, waiting);
  if (verdict.state === 'waiting') return waiting;
  await deps.transactions.end(waiting.id, verdict);
  return null;
}

async function judge({ sui, ledger }: PayoutDeps, waiting: StoredTransaction): Promise<Verdict> {
  const tip = await sui.readKeptCheckpoints();
  const spender = await findSpender(sui, waiting);
  const judgeNow = async (): Promise<Verdict> =>
    verdictOf(waiting, { tip, spender, own: await sui.readTransaction(waiting.digest) });
  const first = await judgeNow();
  if (first.state === 'waiting') return first;
  await ledger.readUpTo(first.checkpoint);
  if (first.state === 'executed' || first.state === 'failed') return first;
  // A node that was behind a moment ago may know the transaction by now.
  return judgeNow();
}

/** A transaction in a checkpoint that gave one of the named objects another version, or removed it. */
async function findSpender(
  sui: SuiClient,
  { objects, builtCheckpoint }: StoredTransaction,
): Promise<NodeAnswers['spender']> {
  const now = await sui.readVersions(objects.map(({ objectId }) => objectId));
  // An older version only means that the node is behind.
  const current = objects.map(({ objectId, version }) => ({ version, now: now.get(objectId) }));
  const changed = current.find((each) => each.now !== undefined && each.now.version > each.version);
  const madeBy = changed?.now?.madeBy ?? null;
  if (madeBy !== null) {
    const checkpoint = (await sui.readTransaction(madeBy))?.checkpoint ?? null;
    return checkpoint === null ? null : { digest: madeBy, checkpoint };
  }
  const gone = objects.find(({ objectId }) => !now.has(objectId))?.objectId;
  if (gone === undefined) return null;
  // An object that the node does not know proves nothing: the transaction that used it up does.
  const query = { addresses: [], objectIds: [gone], fromCheckpoint: builtCheckpoint };
  const { transactions } = await sui.listTransactions(query);
  return (
    transactions.find((transaction) =>
      transaction.objects.some((each) => each.objectId === gone && each.after === null),
    ) ?? null
  );
}
