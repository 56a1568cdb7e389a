import type { Kysely } from 'kysely';

import type { AuditTrail } from '../../audit/contract.ts';
import type { Config } from '../../config.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { Route } from '../../http/route.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Clock } from '../../shared/clock.ts';
import type { HistoryReach } from '../../shared/history-reach.ts';
import type { PastPriceSource } from '../../sources/prices/llama-prices.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { TreasuryRules } from '../core/ledger-page.ts';
import type { PayoutFacts } from '../ledger-contract.ts';
import { treasuryAdminRoutes } from '../notes/treasury-admin-routes.ts';
import { createCoinMetadataStore, createMetadataBook } from '../metadata-book.ts';
import { createNotesStore } from '../notes/notes-store.ts';
import type { CoinReader } from '../core/reading.ts';
import { createSuiCoinReader, type TreasuryLog } from '../read-treasury.ts';
import { createStatements, type Statements } from '../statements/statements.ts';
import { createFeed, type FeedDeps, feedRoute } from './feed.ts';
import { createLedgerAnswers, type LedgerAnswerDeps, ledgerRoutes } from './ledger-answers.ts';
import { createLedgerBook, type LedgerBookDeps } from './ledger-book.ts';
import { createReadTo, ledgerJob, type LedgerJobDeps } from './ledger-job.ts';
import { createLedgerPast } from './ledger-past.ts';
import { createLedgerQueries, type SentCoin } from './ledger-queries.ts';
import { createLedgerStore, type LedgerReading, ledgerTopic } from './ledger-store.ts';
import { dayPriceJob, priceJob } from './price-jobs.ts';
import { createSweeps, type SweepsDeps } from './sweeps.ts';

export interface LedgerDeps
  extends
    Pick<LedgerJobDeps, 'node' | 'backgroundNode' | 'archive' | 'readKiosksOfCaps' | 'readKiosksOf'>,
    Pick<LedgerAnswerDeps, 'whoIs'>,
    Pick<FeedDeps, 'mints'> {
  readonly treasury: () => (ReturnType<LedgerBookDeps['treasury']> & ReturnType<SweepsDeps['treasury']>) | null;
  readonly settings: FeedDeps['settings'] & {
    readonly network: string;
    /** Canonical. */
    readonly treasuryAddress: string;
    readonly explorerUrl: string;
    readonly refreshMs: number;
  };
  /** What can be told of an object by its type. */
  readonly types: Pick<TreasuryRules, 'isCap' | 'isNft' | 'isOwnPiece'>;
  readonly coins: CoinReader;
  readonly pastPrices: PastPriceSource;
  /** How far the past of the rocks is read. */
  readonly rocksReach: () => HistoryReach;
  readonly audit: AuditTrail;
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish' | 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly clock: Clock;
  readonly log: TreasuryLog;
}

/** What of the product it is made of. */
interface LedgerParts extends Pick<
  LedgerDeps,
  'archive' | 'pastPrices' | 'audit' | 'database' | 'changes' | 'jobs' | 'clock' | 'log'
> {
  readonly sui: SuiClient;
  readonly backgroundSui: SuiClient;
  readonly collections: LedgerDeps['types'] & Pick<LedgerDeps, 'readKiosksOfCaps' | 'readKiosksOf'>;
  readonly treasury: { reading(): ReturnType<LedgerDeps['treasury']> };
  readonly productName: string;
  readonly rocks: FeedDeps['mints'] & {
    holder(address: string, usd: null): { readonly data: { readonly count: number; readonly name: string | null } };
    reach(): HistoryReach;
  };
}

/** The ledger of this environment. */
export const ledgerFrom = (
  config: Config,
  { sui, backgroundSui, collections, treasury, rocks, productName, ...deps }: LedgerParts,
): Ledger =>
  createLedger({
    ...deps,
    settings: {
      productName,
      publicUrl: config.PUBLIC_URL,
      network: config.SUI_NETWORK,
      treasuryAddress: config.TREASURY_ADDRESS,
      explorerUrl: config.EXPLORER_URL,
      refreshMs: config.TREASURY_REFRESH_MS,
    },
    node: sui,
    backgroundNode: backgroundSui,
    coins: createSuiCoinReader(backgroundSui),
    types: collections,
    readKiosksOfCaps: collections.readKiosksOfCaps,
    readKiosksOf: collections.readKiosksOf,
    treasury: () => treasury.reading(),
    mints: rocks,
    rocksReach: () => rocks.reach(),
    whoIs: (address) => {
      const { count, name } = rocks.holder(address, null).data;
      return count > 0 ? { name, role: 'holder' } : null;
    },
  });

export interface Ledger {
  readonly routes: readonly Route[];
  readonly statements: Pick<Statements, 'answer' | 'noscriptHtml' | 'page' | 'onChange'>;
  /** Resolves when what the database has is shown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  reach(): HistoryReach;
  /** What was sent in later checkpoints, in the order of the chain. Throws what the database throws. */
  sentSince(checkpoint: bigint, coinTypes: readonly string[]): Promise<readonly SentCoin[]>;
  /** Has it read now, up to that checkpoint at least, and waits for that. Throws Unavailable. */
  readTo(checkpoint: bigint): Promise<void>;
  /** How far it reaches, from the database. Throws what the database throws. */
  reading(): Promise<Pick<LedgerReading, 'isComplete' | 'knownSinceCheckpoint'>>;
  /** Of what time, by the chain's own clock, everything is read; null: not yet. */
  coveredAt(): Date | null;
  /** Runs after the ledger was read again. */
  onChange(run: () => void): void;
  /** From whom it learns of payouts; nobody plans any before. */
  showPayouts(facts: PayoutFacts): void;
  /** Which coins do not add up, and by how much: '+12.5 SUI'. null: none, as far as was compared. */
  unexplained(): Promise<string | null>;
}

/** Every movement of the treasury from its first one on (rulings R8). Adds its jobs. */
export function createLedger(deps: LedgerDeps): Ledger {
  const { settings, types, coins, database, changes, jobs, clock, log } = deps;
  const { network, treasuryAddress, refreshMs } = settings;
  const of = { network, treasuryAddress };
  const store = createLedgerStore(database, of);
  const queries = createLedgerQueries(database, of);
  const metadata = createMetadataBook(coins, createCoinMetadataStore(database, network), clock);
  const book = createLedgerBook({ ...deps, store, queries, metadata, refreshMs });
  const explorerUrl = settings.explorerUrl.replace(/\/+$/, '');
  const notes = createNotesStore(database, of);
  const payouts = awaitedPayouts(() => forget());
  const answers = createLedgerAnswers({ queries, book, notes, whoIs: deps.whoIs, payouts: payouts.now, explorerUrl });
  const sweeps = createSweeps({ queries, book, treasury: deps.treasury });
  const feed = createFeed({ settings, answers, mints: deps.mints, payouts: payouts.now });
  const forget = (): void => [answers, sweeps, feed].forEach((part) => part.forget());
  const rules = { address: treasuryAddress, ...types };
  const publish = () => changes.publish(ledgerTopic(of));
  jobs.add(ledgerJob({ ...deps, network, rules, store, queries, metadata, refreshMs, publish }));
  jobs.add(priceJob({ of, database, store, pastPrices: deps.pastPrices, clock }));
  jobs.add(dayPriceJob({ ...deps, past: createLedgerPast({ of, database, clock }), publish }));
  const statements = createStatements({ ...deps, ...settings, of, ledger: store, queries, book, publish });
  const read = async (): Promise<void> => {
    await Promise.all([book.load(), statements.load()]).catch((error: unknown) =>
      log.warn({ err: error }, 'The kept movements could not be read'),
    );
    forget();
    for (const run of listeners) run();
  };
  const listeners = new Set<() => void>();
  let reading = Promise.resolve();
  // One after the other: what was read first must not be shown last.
  const load = (): Promise<void> => {
    reading = reading.then(read);
    return reading;
  };
  let unsubscribe = (): void => {};
  return {
    routes: [
      ...ledgerRoutes(answers),
      ...sweeps.routes,
      feedRoute(feed),
      ...statements.routes,
      ...treasuryAdminRoutes({ ...deps, db: database, of, book, notes }),
    ],
    statements,
    start: async () => {
      unsubscribe = changes.subscribe(ledgerTopic(of), () => void load());
      await load();
    },
    stop: async () => unsubscribe(),
    reach: () => book.reach(),
    sentSince: queries.sentSince,
    readTo: createReadTo(store, jobs),
    reading: store.reading,
    coveredAt: () => dateOrNull(book.heading().asOf),
    onChange: (run) => void listeners.add(run),
    showPayouts: payouts.show,
    unexplained: store.unexplained,
  };
}

const noPayouts: PayoutFacts = { payoutOf: () => null, digests: () => [], news: () => [], onChange: () => {} };

/** Who plans payouts comes after the ledger, which is read for them. */
function awaitedPayouts(onChange: () => void) {
  let facts = noPayouts;
  return {
    now: (): PayoutFacts => facts,
    show: (shown: PayoutFacts): void => {
      facts = shown;
      shown.onChange(onChange);
    },
  };
}

const dateOrNull = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));
