import type { Kysely } from 'kysely';

import type { AuditTrail } from '../audit/contract.ts';
import type { Config } from '../config.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { OutageLog } from '../db/outage.ts';
import type { Database } from '../db/schema.ts';
import type { ParameterPage } from '../http/ready/pages.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ReceiptSource } from '../market/rocks-contract.ts';
import type { PayoutFacts } from '../treasury/ledger-contract.ts';
import type { PaidPayout, Posting } from './announcements-contract.ts';
import { announcementRoutes } from './announcements-routes.ts';
import { addPaidMessages } from './paid-messages.ts';
import { payoutAdminRoutes } from './payout-admin-routes.ts';
import { type PaymentLedger, refusePaidBefore } from './ledger-now.ts';
import { createPayoutAnswers } from './payout-answers.ts';
import { createPayoutBook, type PayoutBook, type SentReader } from './payout-book.ts';
import { createPayoutFacts, createReceipts } from './payout-facts.ts';
import { payoutPage, payoutsNoscriptHtml } from './payout-pages.ts';
import { payoutRoutes } from './payout-routes.ts';
import { createPayoutStore, payoutsTopic } from './payout-store.ts';
import { createPayoutTransactions, type PayoutTransactionsDeps } from './payout-transactions.ts';
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

interface PayoutsDeps extends PlannerDeps {
  readonly settings: PlannerDeps['settings'] & {
    /** Both without a trailing slash. */
    readonly explorerUrl: string;
    readonly publicUrl: string;
  };
  readonly database: Kysely<Database>;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly changes: Pick<ChangeSignal, 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly ledger: SentReader &
    PaymentLedger & { onChange(run: () => void): void; showPayouts(facts: PayoutFacts): void };
  readonly chain: PayoutTransactionsDeps['chain'];
  /** Who shows what each rock and each address received. */
  readonly showReceipts: (receipts: ReceiptSource) => void;
  readonly productName: string;
  /** A name that the chain has for an address. */
  readonly nameOf: (address: string) => string | null;
  readonly readOwners: SnapshotJobDeps['readOwners'];
  readonly readChain: SnapshotJobDeps['readChain'];
  readonly posting: { readonly telegram: Posting; readonly discord: Posting };
  /** Notifies members who asked for it, once; null: there is no bot for it. */
  readonly tellPaid: ((payout: PaidPayout) => Promise<void>) | null;
  readonly log: OutageLog;
}

export interface Payouts {
  readonly routes: readonly Route[];
  /** For `<!--snapshot:payouts-->`. */
  noscriptHtml(): string;
  readonly page: ParameterPage;
  /** Runs after every load. */
  onChange(run: () => void): void;
  /** For the owner: payments that are not in the plan of their payout; null: nothing was read yet. */
  problems(): ReturnType<PayoutBook['problems']>;
  /** Resolves when what the database has is shown. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface PayoutParts extends Pick<
  PayoutsDeps,
  'database' | 'audit' | 'changes' | 'jobs' | 'ledger' | 'productName' | 'clock' | 'log'
> {
  readonly treasury: { reading(): CoinReading | null };
  readonly rocks: {
    readonly book: {
      owners: PlannerDeps['knownOwners'];
      showReceipts: PayoutsDeps['showReceipts'];
      holder(address: string, usd: null): { readonly data: { readonly name: string | null } };
    };
    readonly readOwners: SnapshotJobDeps['readOwners'];
  };
  readonly sui: PayoutsDeps['chain'];
  readonly backgroundSui: { readKeptCheckpoints: SnapshotJobDeps['readChain'] };
  readonly telegram: { readonly posting: Posting };
  readonly discord: { readonly posting: Posting; readonly tellPaid: PayoutsDeps['tellPaid'] };
}

/** The payouts of this environment. */
export const payoutsFrom = (config: Config, parts: PayoutParts): Payouts => {
  const { treasury, rocks, sui, backgroundSui, telegram, discord, ...deps } = parts;
  return createPayouts({
    ...deps,
    posting: { telegram: telegram.posting, discord: discord.posting },
    tellPaid: discord.tellPaid,
    settings: {
      network: config.SUI_NETWORK,
      treasuryAddress: config.TREASURY_ADDRESS,
      collectionType: config.COLLECTION_TYPE,
      explorerUrl: config.EXPLORER_URL.replace(/\/+$/, ''),
      publicUrl: config.PUBLIC_URL,
    },
    chain: sui,
    coins: () => coinsOf(treasury.reading()),
    knownOwners: () => rocks.book.owners(),
    nameOf: (address) => rocks.book.holder(address, null).data.name,
    showReceipts: (receipts) => rocks.book.showReceipts(receipts),
    readOwners: rocks.readOwners,
    readChain: (stop) => backgroundSui.readKeptCheckpoints(stop),
  });
};

/** Readings of the book, one after the other: what was read first must not be shown last. */
function createLoading(book: PayoutBook, log: OutageLog) {
  let reading = Promise.resolve();
  /** Throws what the database throws. */
  const loadNow = (): Promise<void> => {
    const next = reading.then(() => book.load());
    reading = next.catch((error: unknown) => log.warn({ err: error }, 'The payouts could not be read'));
    return next;
  };
  return { loadNow, load: (): Promise<void> => loadNow().catch(() => {}) };
}

/** Payouts to the holders of rocks, from the draft to what the chain says (rulings R9). Adds its job. */
function createPayouts(deps: PayoutsDeps): Payouts {
  const { settings, database, changes, jobs, ledger, clock, log } = deps;
  const of = { network: settings.network, treasuryAddress: settings.treasuryAddress };
  const store = createPayoutStore({ db: database, of, audit: deps.audit });
  const kept = createTransactionStore({ db: database, of, audit: deps.audit });
  const book = createPayoutBook({ store, transactions: kept, ledger });
  const planner = createPlanner(deps);
  const { explorerUrl } = settings;
  const answers = createPayoutAnswers({ book, nameOf: deps.nameOf, explorerUrl });
  ledger.showPayouts(createPayoutFacts(book));
  deps.showReceipts(createReceipts(book, explorerUrl));
  jobs.add(snapshotJob({ ...deps, store, planFor: planner.planFor }));

  const { load, loadNow } = createLoading(book, log);
  const { readTo, reading } = ledger;
  const paying = { ...deps, payouts: store, store: kept, book, load: loadNow, readTo, reading };
  const transactions = createPayoutTransactions(paying);
  ledger.onChange(() => {
    void load();
    // So that it is shown what became of a transaction that was executed elsewhere. Building the next one looks again.
    void transactions
      .settle()
      .catch((error: unknown) =>
        log.info({ err: error }, 'The result of a transaction could not be read from the chain'),
      );
  });
  if (deps.tellPaid !== null) addPaidMessages({ ...deps, tellPaid: deps.tellPaid, book, load: loadNow });
  let unsubscribe = (): void => {};
  return {
    routes: [
      ...payoutRoutes({ book, answers }),
      ...payoutAdminRoutes({
        store,
        book,
        load,
        coins: deps.coins,
        preview: planner.preview,
        takeSnapshot: (payout) => jobs.send(payoutSnapshot, { payout }),
        see: transactions.see,
        refusePaidBefore: (plan) => refusePaidBefore({ ...paying, ledger }, plan),
        clock,
      }),
      ...transactionRoutes(transactions),
      ...announcementRoutes({ ...deps, book, load, publicUrl: settings.publicUrl }),
    ],
    noscriptHtml: () => payoutsNoscriptHtml(answers.all()),
    page: payoutPage({ productName: deps.productName, explorerUrl, answer: (id, choice) => answers.one(id, choice) }),
    onChange: (run) => book.onChange(run),
    problems: () => book.problems(),
    start: async () => {
      unsubscribe = changes.subscribe(payoutsTopic(of), () => void load());
      await load();
    },
    stop: async () => unsubscribe(),
  };
}
