import type { Kysely } from 'kysely';

import type { AuditTrail } from '../../audit/contract.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
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
import { createStatements } from '../statements/statements.ts';
import { createFeed, type FeedDeps, feedRoute } from './feed.ts';
import { createLedgerAnswers, ledgerRoutes } from './ledger-answers.ts';
import { createLedgerBook, type LedgerBookDeps } from './ledger-book.ts';
import { createReadTo, ledgerJob, type LedgerJobDeps } from './ledger-job.ts';
import { createLedgerPast } from './ledger-past.ts';
import { createLedgerQueries } from './ledger-queries.ts';
import { createLedgerStore, ledgerTopic, type TreasuryKey } from './ledger-store.ts';
import { dayPriceJob, priceJob } from './price-jobs.ts';
import { createSweeps, type SweepsDeps } from './sweeps.ts';

export interface LedgerDeps extends Pick<LedgerJobDeps, 'archive' | 'log'> {
  readonly settings: FeedDeps['settings'] &
    TreasuryKey & {
      /** Without a trailing slash. */
      readonly explorerUrl: string;
      readonly refreshMs: number;
    };
  readonly sui: LedgerJobDeps['node'];
  readonly backgroundSui: LedgerJobDeps['backgroundNode'] & Pick<SuiClient, 'readCoinInfo'>;
  readonly collections: Pick<TreasuryRules, 'isCap' | 'isNft' | 'isOwnPiece'> &
    Pick<LedgerJobDeps, 'readKiosksOfCaps' | 'readKiosksOf'>;
  readonly treasury: {
    reading(): (ReturnType<LedgerBookDeps['treasury']> & ReturnType<SweepsDeps['treasury']>) | null;
  };
  readonly rocks: FeedDeps['mints'] & {
    holder(address: string, usd: null): { readonly data: { readonly count: number; readonly name: string | null } };
    reach(): HistoryReach;
  };
  readonly pastPrices: PastPriceSource;
  readonly audit: AuditTrail;
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish' | 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly clock: Clock;
}

export type Ledger = ReturnType<typeof createLedger>;

/** Every movement of the treasury from its first one on (rulings R8). Adds its jobs. */
export function createLedger(deps: LedgerDeps) {
  const { settings, rocks, backgroundSui, database, changes, jobs, clock, log } = deps;
  const { network, treasuryAddress, explorerUrl, refreshMs } = settings;
  const of = { network, treasuryAddress };
  const store = createLedgerStore(database, of);
  const queries = createLedgerQueries(database, of);
  const metadata = createMetadataBook(backgroundSui, createCoinMetadataStore(database, network), clock);
  const treasury = () => deps.treasury.reading();
  const book = createLedgerBook({ store, queries, metadata, treasury, refreshMs, clock });
  const notes = createNotesStore(database, of);
  const payouts = awaitedPayouts(() => forget());
  const whoIs = (address: string) => {
    const { count, name } = rocks.holder(address, null).data;
    return count > 0 ? ({ name, role: 'holder' } as const) : null;
  };
  const answers = createLedgerAnswers({ queries, book, notes, whoIs, payouts: payouts.now, explorerUrl });
  const sweeps = createSweeps({ queries, book, treasury });
  const feed = createFeed({ settings, answers, mints: rocks, payouts: payouts.now });
  const forget = (): void => [answers, sweeps, feed].forEach((part) => part.forget());
  const publish = () => changes.publish(ledgerTopic(of));
  addJobs(deps, { store, queries, metadata, treasury, publish });
  const statements = createStatements({ ...deps, ...settings, of, ledger: store, queries, book, metadata, publish });
  const read = async (): Promise<void> => {
    await Promise.all([book.load(), statements.load()]).catch((error: unknown) =>
      log.warn({ err: error }, 'The kept movements could not be read'),
    );
    forget();
    for (const run of listeners) run();
  };
  const listeners = new Set<() => void>();
  let loading = Promise.resolve();
  // One after the other: what was read first must not be shown last.
  const load = (): Promise<void> => {
    loading = loading.then(read);
    return loading;
  };
  let unsubscribe = (): void => {};
  return {
    routes: [
      ...ledgerRoutes(answers),
      ...sweeps.routes,
      feedRoute(feed),
      ...statements.routes,
      ...treasuryAdminRoutes({ ...deps, db: database, of, book, notes, rocksReach: () => rocks.reach() }),
    ],
    statements,
    /** Resolves when what the database has is shown. */
    start: async (): Promise<void> => {
      unsubscribe = changes.subscribe(ledgerTopic(of), () => void load());
      await load();
    },
    stop: async (): Promise<void> => unsubscribe(),
    reach: () => book.reach(),
    sentSince: queries.sentSince,
    /** Has it read now, up to that checkpoint at least, and waits for that. Throws Unavailable. */
    readTo: createReadTo(store, jobs),
    reading: store.reading,
    /** Of what time, by the chain's own clock, everything is read; null: not yet. */
    coveredAt: () => dateOrNull(book.heading().asOf),
    /** Runs after the ledger was read again. */
    onChange: (run: () => void): void => void listeners.add(run),
    /** From whom it learns of payouts; nobody plans any before. */
    showPayouts: payouts.show,
    /** Which coins do not add up, and by how much: '+12.5 SUI'. null: none, as far as was compared. */
    unexplained: store.unexplained,
  };
}

function addJobs(
  deps: LedgerDeps,
  parts: Pick<LedgerJobDeps, 'store' | 'queries' | 'metadata' | 'treasury' | 'publish'>,
): void {
  const { sui: node, backgroundSui: backgroundNode, collections, jobs, database, pastPrices, clock } = deps;
  const { network, treasuryAddress, refreshMs } = deps.settings;
  const of = { network, treasuryAddress };
  const rules = { address: treasuryAddress, ...collections };
  jobs.add(ledgerJob({ ...deps, ...parts, ...collections, node, backgroundNode, network, rules, refreshMs }));
  jobs.add(priceJob({ of, database, store: parts.store, pastPrices, clock }));
  jobs.add(dayPriceJob({ ...parts, past: createLedgerPast({ of, database, clock }), pastPrices, clock }));
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
