import type { Admin } from '../http/admin-call.ts';
import { pause } from '../process/in-time.ts';
import { Refused, Unavailable } from '../shared/failure.ts';
import { foreignText } from '../shared/foreign-text.ts';
import { readPayment } from '../sources/sui/payment-bytes.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import type { TransactionPlace } from '../sources/sui/transactions.ts';
import { type BuildDeps, buildTransaction } from './build-transaction.ts';
import { differencesOf } from './core/compare-payments.ts';
import type { PayoutBook, PublishedPayout } from './payout-book.ts';
import type { PayoutStore } from './payout-store.ts';
import type { CheckTransactionAnswer, LookAnswer, PayoutTransactionsAnswer } from './payout-transactions-contract.ts';
import { type PaymentLedger, readLedgerToNow, refuseHidden } from './ledger-now.ts';
import { settle, type SettleDeps } from './settle-transaction.ts';
import type { KeptTransaction, TransactionStore } from './transaction-store.ts';
import { transactionsView, whyNotToSign } from './transaction-view.ts';

export interface PayoutTransactionsDeps extends PaymentLedger {
  readonly payouts: Pick<PayoutStore, 'find'>;
  readonly store: TransactionStore;
  readonly book: Pick<PayoutBook, 'find'>;
  /** Reads the database again. Throws what it throws. */
  readonly load: () => Promise<void>;
  /** Each throws Unavailable. */
  readonly chain: BuildDeps['chain'] &
    SettleDeps['chain'] &
    Pick<SuiClient, 'executeTransaction' | 'verifyTransaction'>;
  readonly settings: { readonly treasuryAddress: string; readonly explorerUrl: string };
}

type Data = PayoutTransactionsAnswer['data'];
export type PayoutTransactions = ReturnType<typeof createPayoutTransactions>;

const buildsMax = 3;

/**
 * Paying published payouts (rulings R9, docs/decisions/0041): one transaction at a time is handed out, always the same bytes, until the chain
 * says that it cannot be executed any more. Nothing here holds a key. Throws Refused, Unavailable and what the database throws.
 */
export function createPayoutTransactions(deps: PayoutTransactionsDeps) {
  const { store, book, load, settings } = deps;
  const published = async (id: number): Promise<PublishedPayout> => book.find(id) ?? refuseUnpublished(deps, id);
  const list = async (id: number): Promise<Data> =>
    transactionsView(await published(id), await store.ofPayout(id), settings.explorerUrl);
  const listAnew = async (id: number): Promise<Data> => {
    await load();
    return list(id);
  };
  return {
    list,
    /** The one that waits, or the next one. */
    build: async (id: number, actor: Admin): Promise<Data> => {
      await load();
      await published(id);
      await buildOrFind(deps, id, actor);
      return listAnew(id);
    },
    check: async (id: number, pasted: string): Promise<CheckTransactionAnswer['data']> => {
      const { plan } = await published(id);
      const waiting = await store.waiting();
      if (waiting?.payout !== id)
        throw new Refused('nothing-waiting', 'No transaction of this payout is waiting. Build one.');
      return compare(waiting, pasted.replaceAll(/\s+/g, ''), plan.coin);
    },
    /** What was signed goes to the node. Sent twice, it is one transaction on the chain. */
    send: async (id: number, digest: string, signatures: readonly string[], actor: Admin): Promise<Data> => {
      const transaction = (await store.ofPayout(id)).find((each) => each.digest === digest);
      if (transaction === undefined) throw new Refused('not-found', 'No transaction with this digest was built here.');
      await verify(deps, transaction, signatures);
      const { payout, waiting } = await seeNow(deps, id);
      if (waiting?.digest !== digest) return overAlready(await list(id), digest);
      const problem = whyNotToSign(payout, waiting);
      if (problem !== null) throw new Refused('paid-meanwhile', problem);
      await store.recordSending(waiting, actor);
      await execute(deps, waiting, signatures);
      await settle(deps);
      return listAnew(id);
    },
    look: async (id: number, digest: string | null): Promise<LookAnswer['data']> => {
      await published(id);
      const found = digest === null ? null : await find(deps, digest);
      if (digest === null) await deps.readTo((await deps.chain.readKeptCheckpoints()).newest);
      await settle(deps);
      return { ...(await listAnew(id)), found };
    },
    /** What the chain says of a payout up to now; nothing where it is not published. */
    see: async (id: number): Promise<void> => {
      await load();
      if (book.find(id) !== undefined) await seeNow(deps, id);
    },
    /** What the chain says of the one that waits is written down, if there is one. */
    settle: async (): Promise<void> => void (await settle(deps)),
  };
}

/** A published payout as the chain has it now, with what still waits. Whoever decides by it has to know what was paid a moment ago. */
async function seeNow(deps: PayoutTransactionsDeps, id: number) {
  const { store, book, load } = deps;
  const published = async (): Promise<PublishedPayout> => book.find(id) ?? refuseUnpublished(deps, id);
  await readLedgerToNow(deps, BigInt((await published()).plan.snapshot.checkpoint));
  const waiting = await settle(deps);
  await load();
  const payout = await published();
  refuseHidden(payout, await store.ofPayout(id));
  return { payout, waiting };
}

async function refuseUnpublished({ payouts }: PayoutTransactionsDeps, id: number): Promise<never> {
  if ((await payouts.find(id)) === null) throw new Refused('not-found', 'There is no such payout.');
  throw new Refused('not-published', 'This payout is a draft. Publish it first.');
}

/** Everybody who asks gets the same bytes: two at once build two, and one of them is kept. */
async function buildOrFind(deps: PayoutTransactionsDeps, id: number, actor: Admin): Promise<void> {
  const { store, book } = deps;
  const payable = (payout: number): PublishedPayout => {
    const found = book.find(payout);
    if (found === undefined) throw new Refused('not-found', 'There is no such payout.');
    if (found.kept.withdrawn !== null) throw new Refused('withdrawn', 'This payout is withdrawn, so it is not paid.');
    return found;
  };
  for (let builds = 0; builds < buildsMax; builds += 1) {
    const after = await store.newestId();
    const waiting = await settle(deps);
    if (waiting?.payout === id) return;
    if (waiting !== null) {
      const message = `A transaction of payout ${waiting.payout} was handed out and may still be executed. Send it first, or wait until epoch ${waiting.expiresEpoch} is over.`;
      throw new Refused('other-payout-waiting', message);
    }
    const { treasuryAddress } = deps.settings;
    const built = await buildTransaction({ ...deps, treasuryAddress, payable }, id);
    if (await store.keep(built, { actor, after })) return;
  }
  throw new Unavailable('others-building', 'Others build at the same time', undefined, 2_000);
}

function compare(waiting: KeptTransaction, pasted: string, coin: PublishedPayout['plan']['coin']) {
  const bytes = Buffer.from(waiting.bytes).toString('base64');
  const built = readPayment(bytes);
  if (built === null) throw new Error(`The stored bytes of ${waiting.digest} are not a transaction`);
  const isSame = pasted === bytes;
  return { isSame, differences: isSame ? [] : [...differencesOf(built, readPayment(pasted), coin)] };
}

/** Before anything goes out: one signature, of the treasury, of exactly these bytes. */
async function verify(
  { chain, settings }: PayoutTransactionsDeps,
  { bytes: transaction }: KeptTransaction,
  [signature = '', ...others]: readonly string[],
): Promise<void> {
  if (others.length > 0)
    throw new Refused(
      'one-signature',
      'The treasury signs once. For a multisig, combine its members’ signatures first.',
    );
  const { treasuryAddress: address } = settings;
  const verdict = await chain.verifyTransaction({ transaction, signature, address });
  if (verdict.kind === 'valid') return;
  if (verdict.problem === 'malformed')
    throw new Refused(
      'not-a-signature',
      'This is not a signature as wallets give it: base64 of its scheme, signature and public key.',
    );
  throw new Refused(
    'wrong-signature',
    'This is not the treasury’s signature for this transaction. Sign exactly these bytes with its wallet; for a multisig, combine its members’ signatures first.',
  );
}

/** Executed meanwhile is what was wanted. Anything else cannot be sent any more. */
function overAlready(data: Data, digest: string): Data {
  const state = data.transactions.find((each) => each.digest === digest)?.state;
  if (state === 'executed') return data;
  throw new Refused(
    'transaction-over',
    `This transaction cannot be executed any more: it is ${state ?? 'gone'}. Build the next one.`,
  );
}

const lookEveryMs = 250;
const inCheckpointWithinMs = 10_000;

/** Throws Refused when the node has not taken it, Unavailable when nobody knows. An answer that got lost is looked up, not asked for again. */
async function execute(
  deps: PayoutTransactionsDeps,
  { digest, bytes }: KeptTransaction,
  signatures: readonly string[],
) {
  const { chain } = deps;
  const answer = await chain.executeTransaction(bytes, signatures).catch((error: unknown) => {
    if (error instanceof Unavailable) return { kind: 'lost' as const, error };
    throw error;
  });
  const never = new AbortController().signal;
  const untilMs = performance.now() + (answer.kind === 'taken' ? inCheckpointWithinMs : 4 * lookEveryMs);
  let place = await chain.readTransaction(digest);
  while (place?.checkpoint === undefined || place.checkpoint === null) {
    if (performance.now() > untilMs) break;
    await pause(lookEveryMs, never);
    place = await chain.readTransaction(digest);
  }
  if (place !== null || answer.kind === 'taken') return;
  if (answer.kind === 'lost') throw answer.error;
  throw new Refused('not-executed', `The node refused it: ${foreignText(answer.words, 200)}`);
}

/** Built here or elsewhere. The ledger is read up to where it is. */
async function find(
  { chain, readTo, settings }: PayoutTransactionsDeps,
  digest: string,
): Promise<LookAnswer['data']['found']> {
  const place: TransactionPlace | null = await chain.readTransaction(digest);
  if (place === null || place.checkpoint === null) return 'not-found';
  if (place.sender !== settings.treasuryAddress) return 'not-of-the-treasury';
  await readTo(place.checkpoint);
  return place.isSuccess ? 'executed' : 'failed';
}
