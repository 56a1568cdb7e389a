import type { Admin } from '../http/route.ts';
import { pause } from '../process/in-time.ts';
import { Refused, Unavailable } from '../shared/failure.ts';
import { foreignText } from '../shared/foreign-text.ts';
import { buildTransaction } from './build-transaction.ts';
import type { PublishedPayout } from './payout-book.ts';
import type { ChainCheckAnswer, PayoutTransaction, PayoutTransactionsAnswer } from './payout-admin-contract.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { readLedgerToNow, refuseMissingInLedger, settle } from './ledger-now.ts';
import type { StoredTransaction } from './transaction-store.ts';
import { transactionLink } from '../shared/explorer-links.ts';
import { nextLines } from './core/reconcile.ts';

/**
 * Paying published payouts (rulings R9, docs/decisions/0041): one transaction at a time is handed out, always the same bytes, until the chain
 * says that it can no longer be executed. Nothing here holds a key. Throws Refused, Unavailable and what the database throws.
 */

type Data = PayoutTransactionsAnswer['data'];

const buildsMax = 3;

export async function list(deps: PayoutDeps, id: number): Promise<Data> {
  const payout = await published(deps, id);
  return transactionsView(payout, await deps.transactions.ofPayout(id), deps.settings.explorerUrl);
}

async function listAnew(deps: PayoutDeps, id: number): Promise<Data> {
  await deps.load();
  return list(deps, id);
}

/** Returns the waiting transaction, or builds the next one. */
export async function build(deps: PayoutDeps, id: number, actor: Admin): Promise<Data> {
  await deps.load();
  await published(deps, id);
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
  if (waiting?.digest !== digest) return overAlready(await list(deps, id), digest);
  const problem = whyNotToSign(payout, waiting);
  if (problem !== null) throw new Refused('paid-meanwhile', problem);
  await deps.transactions.recordSending(waiting, actor);
  await execute(deps, waiting, signature);
  // It stays sent even if the chain cannot be read now.
  await settle(deps).catch(nullIfUnavailable);
  return listAnew(deps, id);
}

export async function checkChain(
  deps: PayoutDeps,
  id: number,
  digest: string | null,
): Promise<ChainCheckAnswer['data']> {
  await published(deps, id);
  const found = digest === null ? null : await find(deps, digest);
  if (digest === null) await deps.ledger.readUpTo((await deps.sui.readKeptCheckpoints()).newest);
  await settle(deps);
  return { ...(await listAnew(deps, id)), found };
}

/** Brings a published payout up to date with the chain. Does nothing for a draft. */
export async function refreshFromChain(deps: PayoutDeps, id: number): Promise<void> {
  await deps.load();
  if (deps.book.find(id) !== undefined) await readFromChain(deps, id);
}

async function published({ book, store }: PayoutDeps, id: number): Promise<PublishedPayout> {
  const found = book.find(id);
  if (found !== undefined) return found;
  if ((await store.find(id)) === null) throw new Refused('not-found', 'There is no such payout.');
  throw new Refused('not-published', 'This payout is a draft. Publish it first.');
}

/** A published payout as the chain has it now, for decisions that depend on what was paid a moment ago, and what still waits. */
async function readFromChain(deps: PayoutDeps, id: number) {
  const { plan } = await published(deps, id);
  await readLedgerToNow(deps, BigInt(plan.snapshot.checkpoint));
  const waiting = await settle(deps);
  await deps.load();
  const payout = await published(deps, id);
  refuseMissingInLedger(payout, await deps.transactions.ofPayout(id));
  return { payout, waiting };
}

/** Every request gets the same bytes: two at once build two transactions, and one of them is kept. */
async function buildOrFind(deps: PayoutDeps, id: number, actor: Admin): Promise<void> {
  const { transactions } = deps;
  for (let builds = 0; builds < buildsMax; builds += 1) {
    const after = await transactions.newestId();
    const waiting = await settle(deps);
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
function overAlready(data: Data, digest: string): Data {
  const state = data.transactions.find((each) => each.digest === digest)?.state;
  if (state === 'executed') return data;
  throw new Refused(
    'transaction-over',
    `This transaction cannot be executed any more: it is ${state ?? 'gone'}. Build the next one.`,
  );
}

const pollEveryMs = 250;
const inCheckpointWithinMs = 10_000;

function nullIfUnavailable(error: unknown): null {
  if (error instanceof Unavailable) return null;
  throw error;
}

/** Throws Refused if the node did not take it, Unavailable if that is not known. A lost answer is looked up by the digest, not requested again. */
async function execute({ sui }: PayoutDeps, { digest, bytes }: StoredTransaction, signature: string) {
  const answer = await sui.executeTransaction(bytes, [signature]).catch((error: unknown) => {
    if (error instanceof Unavailable) return { kind: 'lost' as const, error };
    throw error;
  });
  const readPlace = () =>
    sui.readTransaction(digest).catch((error: unknown) => {
      // A transaction that is refused now may have been taken before: only an answer rules that out.
      if (answer.kind === 'refused') throw error;
      return nullIfUnavailable(error);
    });
  const never = new AbortController().signal;
  const untilMs = performance.now() + (answer.kind === 'taken' ? inCheckpointWithinMs : 4 * pollEveryMs);
  let place = await readPlace();
  while (place?.checkpoint === undefined || place.checkpoint === null) {
    if (performance.now() > untilMs) break;
    await pause(pollEveryMs, never);
    place = await readPlace();
  }
  if (place !== null || answer.kind === 'taken') return;
  if (answer.kind === 'lost') throw answer.error;
  throw new Refused('not-executed', `The node refused it: ${foreignText(answer.words, 200)}`);
}

/** Looks up a transaction built here or elsewhere, and reads the ledger up to it. */
async function find({ sui, ledger, settings }: PayoutDeps, digest: string): Promise<ChainCheckAnswer['data']['found']> {
  const place = await sui.readTransaction(digest);
  if (place === null || place.checkpoint === null) return 'not-found';
  if (place.sender !== settings.treasuryAddress) return 'not-of-the-treasury';
  await ledger.readUpTo(place.checkpoint);
  return place.isSuccess ? 'executed' : 'failed';
}

/** The transactions of a payout as they are shown, newest first. */
function transactionsView(
  payout: PublishedPayout,
  kept: readonly StoredTransaction[],
  explorerUrl: string,
): PayoutTransactionsAnswer['data'] {
  const { open } = nextLines(payout.plan, payout.result);
  return {
    transactions: kept.map((each) => oneView(payout, each, explorerUrl)),
    open: { lines: open.lines, raw: String(open.raw) },
  };
}

function oneView(payout: PublishedPayout, kept: StoredTransaction, explorerUrl: string): PayoutTransaction {
  const { digest, bytes, gasBudgetMist, gasMist, builtAt, builtBy, expiresEpoch } = kept;
  const lines = kept.lines.flatMap((index) => payout.plan.lines[index] ?? []);
  const totalRaw = String(lines.reduce((sum, { raw }) => sum + BigInt(raw), 0n));
  // The ledger may have it before anyone has checked.
  const paidAt = paymentOf(payout, kept)?.at ?? null;
  const state = paidAt === null ? kept.state : 'executed';
  const isWaiting = state === 'waiting';
  const problem = isWaiting ? whyNotToSign(payout, kept) : null;
  return {
    digest,
    state,
    lines: kept.lines.length,
    totalRaw,
    gasBudgetMist: String(gasBudgetMist),
    gasMist: String(gasMist),
    builtAt: builtAt.toISOString(),
    builtBy,
    expiresEpoch: Number(expiresEpoch),
    executedAt: (kept.executedAt ?? paidAt)?.toISOString() ?? null,
    explorerUrl: transactionLink(explorerUrl, digest),
    bytes: isWaiting && problem === null ? Buffer.from(bytes).toString('base64') : null,
    problem,
    received: isWaiting ? lines : null,
  };
}

const paymentOf = ({ result }: PublishedPayout, { lines, digest }: StoredTransaction) =>
  lines.flatMap((index) => result.lines[index]?.payments ?? []).find((payment) => payment.digest === digest);

/** A line may have been paid by hand from coins that this transaction does not spend: it would pay that line again. null: it may be signed. */
function whyNotToSign(payout: PublishedPayout, kept: StoredTransaction): string | null {
  const { plan, result } = payout;
  // This transaction itself paid them a moment ago, and cannot do so twice.
  if (paymentOf(payout, kept) !== undefined) return null;
  const paid = kept.lines.filter((index) => result.lines[index]?.state !== 'open');
  const [first] = paid;
  if (first === undefined) return null;
  const others = paid.length - 1;
  const whom = `${plan.lines[first]?.address ?? ''}${others === 0 ? '' : ` and ${others} more`}`;
  return `Do not sign this transaction: ${whom} ${others === 0 ? 'was' : 'were'} already paid by another one. It can be replaced once epoch ${kept.expiresEpoch} is over or one of its coins is spent. To spend one, have the treasury send itself a little SUI.`;
}
