import type { Kysely } from 'kysely';

import type { Config } from '../../config.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { Route } from '../../http/route.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Clock } from '../../shared/clock.ts';
import type { HistoryReach } from '../../shared/history-reach.ts';
import type { PastPriceSource } from '../../sources/prices/past-prices.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { TreasuryRules } from '../core/ledger-page.ts';
import { createCoinMetadataStore, createMetadataBook } from '../metadata-book.ts';
import type { CoinReader } from '../ports.ts';
import type { TreasuryLog } from '../read-treasury.ts';
import { createSuiCoinReader } from '../treasury.ts';
import { createLedgerAnswers, type LedgerAnswerDeps } from './ledger-answers.ts';
import { createLedgerBook, type LedgerBookDeps } from './ledger-book.ts';
import { ledgerJob, type LedgerJobDeps } from './ledger-job.ts';
import { createLedgerQueries } from './ledger-queries.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { createLedgerStore } from './ledger-store.ts';
import { priceJob } from './price-job.ts';
import { createSweeps, type SweepsDeps } from './sweeps.ts';

export interface LedgerDeps
  extends
    Pick<LedgerJobDeps, 'node' | 'archive' | 'readKiosksOfCaps' | 'readKiosksOf'>,
    Pick<LedgerAnswerDeps, 'whoIs'> {
  readonly treasury: () => (ReturnType<LedgerBookDeps['treasury']> & ReturnType<SweepsDeps['treasury']>) | null;
  readonly settings: {
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
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish' | 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly clock: Clock;
  readonly log: TreasuryLog;
}

/** What of the product it is made of. */
interface LedgerParts extends Pick<
  LedgerDeps,
  'archive' | 'pastPrices' | 'database' | 'changes' | 'jobs' | 'clock' | 'log'
> {
  readonly backgroundSui: SuiClient;
  readonly collections: LedgerDeps['types'] & Pick<LedgerDeps, 'readKiosksOfCaps' | 'readKiosksOf'>;
  readonly treasury: { reading(): ReturnType<LedgerDeps['treasury']> };
  readonly rocks: {
    holder(address: string, usd: null): { readonly data: { readonly count: number; readonly name: string | null } };
  };
}

/** The ledger of this environment. */
export const ledgerFrom = (
  config: Config,
  { backgroundSui, collections, treasury, rocks, ...deps }: LedgerParts,
): Ledger =>
  createLedger({
    ...deps,
    settings: {
      network: config.SUI_NETWORK,
      treasuryAddress: config.TREASURY_ADDRESS,
      explorerUrl: config.EXPLORER_URL,
      refreshMs: config.TREASURY_REFRESH_MS,
    },
    node: backgroundSui,
    coins: createSuiCoinReader(backgroundSui),
    types: collections,
    readKiosksOfCaps: collections.readKiosksOfCaps,
    readKiosksOf: collections.readKiosksOf,
    treasury: () => treasury.reading(),
    whoIs: (address) => {
      const { count, name } = rocks.holder(address, null).data;
      return count > 0 ? { name, role: 'holder' } : null;
    },
  });

export interface Ledger {
  readonly routes: readonly Route[];
  /** Resolves when what the database has is shown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  reach(): HistoryReach;
  /** Coins whose sum is not what the chain says; null: not compared yet. */
  unexplainedCount(): number | null;
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
  const answers = createLedgerAnswers({ queries, book, whoIs: deps.whoIs, explorerUrl });
  const sweeps = createSweeps({ queries, book, treasury: deps.treasury });
  const topic = `ledger ${network} ${treasuryAddress}`;
  const rules = { address: treasuryAddress, ...types };
  const publish = () => changes.publish(topic);
  jobs.add(ledgerJob({ ...deps, rules, store, queries, metadata, refreshMs, publish }));
  jobs.add(priceJob({ of, database, store, pastPrices: deps.pastPrices, clock }));
  const load = (): Promise<void> => {
    sweeps.forget();
    return book.load().catch((error: unknown) => log.warn({ err: error }, 'The kept movements could not be read'));
  };
  let unsubscribe = (): void => {};
  return {
    routes: [...ledgerRoutes(answers), ...sweeps.routes],
    start: async () => {
      unsubscribe = changes.subscribe(topic, () => void load());
      await load();
    },
    stop: async () => unsubscribe(),
    reach: () => book.reach(),
    unexplainedCount: () => book.unexplainedCount(),
  };
}
