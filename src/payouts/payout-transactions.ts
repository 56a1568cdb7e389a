import type { Admin } from '../http/route.ts';
import { pause } from '../process/in-time.ts';
import { Refused, Unavailable } from '../shared/failure.ts';
import { foreignText } from '../shared/foreign-text.ts';
import { buildTransaction } from './build-transaction.ts';
import type { PublishedPayout } from './payout-cache.ts';
import type { ChainCheckAnswer, PayoutTransaction, PayoutTransactionsAnswer } from './payout-admin-contract.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { readLedgerToNow, refreshWaiting, refuseMissingInLedger } from './ledger-now.ts';
import type { StoredTransaction } from './transaction-store.ts';
import { transactionLink } from '../shared/explorer-links.ts';
import { andMore } from './core/payout-words.ts';
import { nextLines } from './core/reconcile.ts';

/**
 * Paying published payouts (rulings R9, docs/decisions/0041): one transaction at a time is handed out, always the same bytes, until the chain
 * says that it can no longer be executed. Nothing here holds a key. Throws Refused, Unavailable and what the database throws.
 */

type Data = PayoutTransactionsAnswer;

const buildsMax = 3;

export async function list(deps: PayoutDeps, id: number): Promise<Data> {
  const payout = await publishedPayout(deps, id);
  return transactionsView(payout, await deps.transactions.ofPayout(id), deps.settings.explorerUrl);
}

async function listAnew(deps: PayoutDeps, id: number): Promise<Data> {
  await deps.load();
  return list(deps, id);
}

/** Returns the waiting transaction, or builds the next one. */
export async function build(deps: PayoutDeps, id: number, actor: Admin): Promise<Data> {
  await deps.load();
  await publishedPayout(deps, id);
  await buildOrFind(deps, id, actor);
  return listAnew(deps, id);
}

export interface Signed {
  readonly id: number;
  readonly digest: string;
  readonly signature: string;
}

/** Sends what was signed to the node. Sent twice, it is still one transaction on chain. */
export async function send(deps: PayoutDeps, { id, digest, signature }: Signed, actor: Admin): Promise<Data> {
  const transaction = (await deps.transactions.ofPayout(id)).find((each) => each.digest === digest);
  if (transaction === undefined) throw new Refused('not-found', 'No transaction with this digest was built here.');
  await verify(deps, transaction, signature);
  const { payout, waiting } = await readFromChain(deps, id);
  if (waiting?.digest !== digest) return refuseUnlessExecuted(await list(deps, id), digest);
  const problem = whyNotToSign(payout, waiting);
  if (problem !== null) throw new Refused('paid-meanwhile', problem);
  await deps.transactions.recordSending(waiting, actor);
  await execute(deps, waiting, signature);
  // It stays sent even if the chain cannot be read now.
  await refreshWaiting(deps).catch(nullIfUnavailable);
  return listAnew(deps, id);
}

export async function checkChain(deps: PayoutDeps, id: number, digest: string | null): Promise<ChainCheckAnswer> {
  await publishedPayout(deps, id);
  const found = digest === null ? null : await find(deps, digest);
  if (digest === null) await deps.ledger.readUpTo((await deps.sui.readKeptCheckpoints()).newest);
  await refreshWaiting(deps);
  const list = await listAnew(deps, id);
  const { result } = await publishedPayout(deps, id);
  const paysLine = result.lines.some(({ payments }) => payments.some((payment) => payment.digest === digest));
  // The ledger also has what the node no longer has.
  if (paysLine) return { ...list, found: 'executed' };
  return { ...list, found: found === 'executed' ? 'pays-no-line' : found };
}

/** Brings a published payout up to date with the chain. Does nothing for a draft. */
export async function refreshFromChain(deps: PayoutDeps, id: number): Promise<void> {
  await deps.load();
  if (deps.cache.find(id) !== undefined) await readFromChain(deps, id);
}

async function publishedPayout({ cache, store }: PayoutDeps, id: number): Promise<PublishedPayout> {
  const found = cache.find(id);
  if (found !== undefined) return found;
  if ((await store.find(id)) === null) throw new Refused('not-found', 'There is no such payout.');
  throw new Refused('not-published', 'This payout is a draft. Publish it first.');
}

/** A published payout as the chain has it now, for decisions that depend on what was paid a moment ago, and what still waits. */
async function readFromChain(deps: PayoutDeps, id: number) {
  const { plan } = await publishedPayout(deps, id);
  await readLedgerToNow(deps, BigInt(plan.snapshot.checkpoint));
  const waiting = await refreshWaiting(deps);
  await deps.load();
  const payout = await publishedPayout(deps, id);
  refuseMissingInLedger(payout, await deps.transactions.ofPayout(id));
  return { payout, waiting };
}

/** Every request gets the same bytes: two at once build two transactions, and one of them is kept. */
async function buildOrFind(deps: PayoutDeps, id: number, actor: Admin): Promise<void> {
  const { transactions } = deps;
  for (let builds = 0; builds < buildsMax; builds += 1) {
    const after = await transactions.newestId();
    const waiting = await refreshWaiting(deps);
    if (waiting?.payout === id) return;
    if (waiting !== null) {
      const message = `A transaction of payout ${waiting.payout} was handed out and may still be executed. Send it if its page lets you; otherwise wait until epoch ${waiting.expiresEpoch} is over, or have the treasury send itself a little SUI.`;
      throw new Refused('other-payout-waiting', message);
    }
    if (await transactions.keep(await buildTransaction(deps, id), { actor, after })) return;
  }
  throw new Unavailable('others-building', 'Others build at the same time', undefined, 2_000);
}

/** Checks, before anything is sent, that this is the treasury’s signature of exactly these bytes. */
async function verify({ sui, settings }: PayoutDeps, { bytes: transaction }: StoredTransaction, signature: string) {
  const { treasuryAddress: address } = settings;
  const verdict = await sui.verifyTransaction({ transaction, signature, address });
  if (verdict.kind === 'valid') return;
  if (verdict.problem === 'malformed')
    throw new Refused(
      'not-a-signature',
      'This is not a signature from a wallet, which is base64 of its scheme, signature and public key.',
    );
  throw new Refused(
    'wrong-signature',
    'This is not the treasury’s signature for this transaction. Sign exactly these bytes with its wallet; for a multisig, combine its members’ signatures first.',
  );
}

/** If it was executed in the meantime, all is well. In any other state it can no longer be sent. */
function refuseUnlessExecuted(data: Data, digest: string): Data {
  const state = data.transactions.find((each) => each.digest === digest)?.state;
  if (state === 'executed') return data;
  throw new Refused('transaction-over', 'This transaction can no longer be executed. Build the next one.');
}

const pollEveryMs = 250;
const inCheckpointWithinMs = 10_000;

function nullIfUnavailable(error: unknown): null {
  if (error instanceof Unavailable) return null;
  throw error;
}

/** Throws Refused if the node did not take it, Unavailable if that is not known. A lost answer is looked up by the digest, not requested again. */
async function execute({ sui }: PayoutDeps, { digest, bytes }: StoredTransaction, signature: string): Promise<void> {
  const answer = await sui.executeTransaction(bytes, [signature]).catch((error: unknown) => {
    if (error instanceof Unavailable) return { kind: 'lost' as const, error };
    throw error;
  });
  const isKnown = await waitForTransaction(sui, digest, answer.kind);
  if (isKnown || answer.kind === 'taken') return;
  if (answer.kind === 'lost') throw answer.error;
  throw new Refused('not-executed', `The node refused it: ${foreignText(answer.words, 200)}`);
}

/** Waits a moment until the transaction is in a checkpoint. Returns whether the node knows it. */
async function waitForTransaction(
  sui: PayoutDeps['sui'],
  digest: string,
  answer: 'taken' | 'lost' | 'refused',
): Promise<boolean> {
  const never = new AbortController().signal;
  const untilMs = performance.now() + (answer === 'taken' ? inCheckpointWithinMs : 4 * pollEveryMs);
  for (;;) {
    const reading = sui.readTransaction(digest);
    // A transaction that is refused now may have been taken before: only an answer rules that out.
    const found = await (answer === 'refused' ? reading : reading.catch(nullIfUnavailable));
    if (found !== null && found.checkpoint !== null) return true;
    if (performance.now() > untilMs) return found !== null;
    await pause(pollEveryMs, never);
  }
}

/** Looks up a transaction built here or elsewhere, and reads the ledger up to it. */
async function find({ sui, ledger, settings }: PayoutDeps, digest: string): Promise<ChainCheckAnswer['found']> {
  const transaction = await sui.readTransaction(digest);
  if (transaction === null || transaction.checkpoint === null) return 'not-found';
  if (transaction.sender !== settings.treasuryAddress) return 'not-of-the-treasury';
  await ledger.readUpTo(transaction.checkpoint);
  return transaction.isSuccess ? 'executed' : 'failed';
}

/** The transactions of a payout as they are shown, newest first. */
function transactionsView(
  payout: PublishedPayout,
  stored: readonly StoredTransaction[],
  explorerUrl: string,
): PayoutTransactionsAnswer {
  const { open } = nextLines(payout.plan, payout.result);
  return {
    transactions: stored.map((each) => transactionView(payout, each, explorerUrl)),
    open: { lines: open.lines, raw: String(open.raw) },
  };
}

function transactionView(payout: PublishedPayout, stored: StoredTransaction, explorerUrl: string): PayoutTransaction {
  const { digest, bytes, gasBudgetMist, gasMist, builtAt, builtBy, expiresEpoch } = stored;
  const lines = stored.lines.flatMap((index) => payout.plan.lines[index] ?? []);
  const totalRaw = String(lines.reduce((sum, { raw }) => sum + BigInt(raw), 0n));
  // The ledger may have it before anyone has checked.
  const paidAt = paymentOf(payout, stored)?.at ?? null;
  const state = paidAt === null ? stored.state : 'executed';
  const isWaiting = state === 'waiting';
  const problem = isWaiting ? whyNotToSign(payout, stored) : null;
  return {
    digest,
    state,
    lines: stored.lines.length,
    totalRaw,
    gasBudgetMist: String(gasBudgetMist),
    gasMist: String(gasMist),
    builtAt: builtAt.toISOString(),
    builtBy,
    expiresEpoch: Number(expiresEpoch),
    executedAt: (stored.executedAt ?? paidAt)?.toISOString() ?? null,
    explorerUrl: transactionLink(explorerUrl, digest),
    bytes: isWaiting && problem === null ? Buffer.from(bytes).toString('base64') : null,
    problem,
    received: isWaiting ? lines : null,
  };
}

const paymentOf = ({ result }: PublishedPayout, { lines, digest }: StoredTransaction) =>
  lines.flatMap((index) => result.lines[index]?.payments ?? []).find((payment) => payment.digest === digest);

/** A line may have been paid by hand from coins that this transaction does not spend: it would pay that line again. null: it may be signed. */
function whyNotToSign(payout: PublishedPayout, stored: StoredTransaction): string | null {
  const { plan, result } = payout;
  // This transaction itself paid them a moment ago, and cannot do so twice.
  if (paymentOf(payout, stored) !== undefined) return null;
  const paid = stored.lines.filter((index) => result.lines[index]?.state !== 'open');
  const [first] = paid;
  if (first === undefined) return null;
  const others = paid.length - 1;
  const addresses = andMore(plan.lines[first]?.address ?? '', others);
  return `Do not sign this transaction: ${addresses} ${others === 0 ? 'was' : 'were'} already paid by another one. It can be replaced once epoch ${stored.expiresEpoch} is over or one of its coins is spent. To spend one, have the treasury send itself a little SUI.`;
}
