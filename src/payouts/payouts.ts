import type { Kysely } from 'kysely';

import type { AuditTrail } from '../audit/contract.ts';
import type { Config } from '../config.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ReceiptSource } from '../market/rocks-contract.ts';
import type { PayoutFacts } from '../treasury/ledger-contract.ts';
import type { PaidPayout, Posting } from './payouts-contract.ts';
import { announcementRoutes } from './announcements-routes.ts';
import { addPaidMessages } from './paid-messages.ts';
import { payoutAdminRoutes } from './payout-admin-routes.ts';
import { type PayingDeps, type PaymentLedger, refusePaidBefore } from './ledger-now.ts';
import { createPayoutAnswers, payoutRoutes } from './payout-routes.ts';
import {
  createPayoutBook,
  createPayoutFacts,
  createReceipts,
  type PayoutBook,
  type SentReader,
} from './payout-book.ts';
import { payoutPage, payoutsNoscriptHtml } from './payout-pages.ts';
import { createPayoutStore, payoutsTopic } from './payout-store.ts';
import { createPayoutTransactions, type PayoutTransactions } from './payout-transactions.ts';
import {
  type CoinReading,
  coinsOf,
  createPlanner,
  payoutSnapshot,
  type PlannerDeps,
  snapshotJob,
  type SnapshotJobDeps,
} from './planner.ts';
import { transactionRoutes } from './transaction-routes.ts';
import { createTransactionStore } from './transaction-store.ts';
import type { Log } from '../process/logger.ts';

interface PayoutParts {
  readonly database: Kysely<Database>;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly changes: Pick<ChangeSignal, 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly ledger: SentReader &
    PaymentLedger & { onChange(run: () => void): void; showPayouts(facts: PayoutFacts): void };
  readonly treasury: { reading(): CoinReading | null };
  readonly rocks: {
    readonly book: {
      owners: PlannerDeps['knownOwners'];
      /** Shows what each rock and each address received. */
      showReceipts(receipts: ReceiptSource): void;
      /** With the name that the chain has for an address. */
      holder(address: string, usd: null): { readonly data: { readonly name: string | null } };
    };
    readonly readOwners: SnapshotJobDeps['readOwners'];
  };
  readonly sui: PayingDeps['chain'];
  readonly backgroundSui: { readKeptCheckpoints: SnapshotJobDeps['readChain'] };
  readonly telegram: { readonly posting: Posting };
  readonly discord: {
    readonly posting: Posting;
    /** Notifies members who asked for it, once; null: there is no bot for it. */
    readonly tellPaid: ((payout: PaidPayout) => Promise<void>) | null;
  };
  readonly productName: string;
  readonly clock: { now(): Date };
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export type Payouts = ReturnType<typeof payoutsFrom>;

/** Payouts of this environment to the holders of rocks, from the draft to what the chain says (rulings R9). Adds its job. */
export function payoutsFrom(config: Config, parts: PayoutParts) {
  const { database, audit, changes, jobs, ledger, treasury, rocks, discord, clock, log } = parts;
  const settings = settingsFrom(config);
  const { network, treasuryAddress, explorerUrl, publicUrl } = settings;
  const of = { network, treasuryAddress };
  const store = createPayoutStore({ db: database, of, audit });
  const kept = createTransactionStore({ db: database, of, audit });
  const book = createPayoutBook({ store, transactions: kept, ledger });
  const coins = () => coinsOf(treasury.reading());
  const planner = createPlanner({ settings, coins, knownOwners: () => rocks.book.owners(), clock });
  const nameOf = (address: string) => rocks.book.holder(address, null).data.name;
  const answers = createPayoutAnswers({ book, nameOf, explorerUrl });
  ledger.showPayouts(createPayoutFacts(book));
  rocks.book.showReceipts(createReceipts(book, explorerUrl));
  const readChain: SnapshotJobDeps['readChain'] = (stop) => parts.backgroundSui.readKeptCheckpoints(stop);
  jobs.add(snapshotJob({ store, readOwners: rocks.readOwners, readChain, planFor: planner.planFor, clock }));

  const { load, loadNow } = createLoading(book, log);
  const { readTo, reading } = ledger;
  const paying = { payouts: store, store: kept, book, load: loadNow, chain: parts.sui, settings, readTo, reading };
  const transactions = createPayoutTransactions(paying);
  ledger.onChange(() => {
    void load();
    void settleAgain(transactions, log);
  });
  const { tellPaid } = discord;
  if (tellPaid !== null) addPaidMessages({ jobs, settings, clock, tellPaid, book, load: loadNow });
  const posting = { telegram: parts.telegram.posting, discord: discord.posting };
  let unsubscribe = (): void => {};
  return {
    routes: [
      ...payoutRoutes({ book, answers }),
      ...payoutAdminRoutes({
        store,
        book,
        load,
        coins,
        preview: planner.preview,
        takeSnapshot: (payout, within) => jobs.send(payoutSnapshot, { payout }, { within }),
        see: transactions.see,
        refusePaidBefore: (plan) => refusePaidBefore(paying, ledger, plan),
        clock,
      }),
      ...transactionRoutes(transactions),
      ...announcementRoutes({ database, audit, posting, book, load, publicUrl }),
    ],
    /** For `<!--snapshot:payouts-->`. */
    noscriptHtml: () => payoutsNoscriptHtml(answers.all()),
    page: payoutPage({ productName: parts.productName, explorerUrl, answer: answers.one }),
    /** Runs after every load. */
    onChange: book.onChange,
    /** For the owner: payments that are not in the plan of their payout; null: nothing was read yet. */
    problems: book.problems,
    /** Resolves when what the database has is shown. */
    start: async (): Promise<void> => {
      unsubscribe = changes.subscribe(payoutsTopic(of), () => void load());
      await load();
    },
    stop: async (): Promise<void> => unsubscribe(),
  };
}

const settingsFrom = (config: Config) => ({
  network: config.SUI_NETWORK,
  treasuryAddress: config.TREASURY_ADDRESS,
  collectionType: config.COLLECTION_TYPE,
  // Both without a trailing slash.
  explorerUrl: config.EXPLORER_URL,
  publicUrl: config.PUBLIC_URL,
});

/** So that it is shown what became of a transaction that was executed elsewhere. Building the next one looks again. */
const settleAgain = ({ settle }: PayoutTransactions, log: Pick<Log, 'info' | 'warn'>): Promise<void> =>
  settle().catch((error: unknown) =>
    log.info({ err: error }, 'The result of a transaction could not be read from the chain'),
  );

/** Readings of the book, one after the other: what was read first must not be shown last. */
function createLoading(book: PayoutBook, log: Pick<Log, 'info' | 'warn'>) {
  let reading = Promise.resolve();
  /** Throws what the database throws. */
  const loadNow = (): Promise<void> => {
    const next = reading.then(() => book.load());
    reading = next.catch((error: unknown) => log.warn({ err: error }, 'The payouts could not be read'));
    return next;
  };
  return { loadNow, load: (): Promise<void> => loadNow().catch(() => {}) };
}
