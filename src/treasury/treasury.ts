import type { Kysely } from 'kysely';

import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Purge } from '../retention/purge.ts';
import type { Clock } from '../shared/clock.ts';
import type { SourceReading } from '../shared/source-status.ts';
import type { TreasurySnapshot } from './contract.ts';
import { sourceReadings } from './core/next-reading.ts';
import type { TreasuryReaders, TreasuryReading, ValuationSettings } from './core/reading.ts';
import { mayCount } from './core/nft-valuation.ts';
import { createLedgerPast } from './days/ledger-past.ts';
import { createTreasuryHistory } from './history.ts';
import { createSnapshotFiles, treasuryRoutes } from './http.ts';
import { ledgerTopic } from './ledger/ledger-store.ts';
import { createCoinMetadataStore, createMetadataBook } from './metadata-book.ts';
import { treasuryNoscriptHtml, treasuryValueHtml } from './noscript-html.ts';
import type { TreasuryLog } from './read-treasury.ts';
import { refreshJob } from './refresh-job.ts';
import { createKeptReading, createServedSnapshot } from './served-snapshot.ts';
import { createTreasuryStore, treasuryPurges } from './treasury-store.ts';

export interface TreasuryDeps {
  readonly settings: {
    readonly network: string;
    /** Canonical. */
    readonly treasuryAddress: string;
    /** Canonical. */
    readonly collectionType: string;
    readonly explorerUrl: string;
    /** TREASURY_REFRESH_MS (rulings R1). */
    readonly refreshMs: number;
    /** How old a marketplace fact may be when it is served as fresh, if that is more than `refreshMs`. */
    readonly marketRefreshMs?: number;
  };
  readonly readers: TreasuryReaders;
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish' | 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly clock: Clock;
  readonly log: TreasuryLog;
  /** How long one refresh may take in all; 90 s unless a test says otherwise. */
  readonly deadlineMs?: number;
}

export interface Treasury {
  readonly routes: readonly Route[];
  /** What it keeps for a time only (src/shared/retention.ts). */
  readonly purges: readonly Purge[];
  /** Resolves when the last good snapshot of the database is shown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  snapshot(): TreasurySnapshot | null;
  /** What the snapshot was made of. */
  reading(): TreasuryReading | null;
  /** Runs after every change of the snapshot, also when a figure only turned stale. Returns how to stop. */
  onChange(run: () => void): () => void;
  /** When the chain was last read well; and the price service, where it was silent at that time. */
  sourceReadings(): readonly SourceReading[];
  /** For `<!--snapshot:treasury-->`. */
  noscriptHtml(): string;
  /** For `<!--snapshot:treasury-value-->`. */
  valueHtml(): string;
  /** null before the first snapshot. */
  snapshotAgeSeconds(): number | null;
}

const refreshDeadlineMs = 90_000;

/** Specification 2 (Treasury page), rulings R3: the live treasury. Adds its job. */
export function createTreasury(deps: TreasuryDeps): Treasury {
  const { readers, database, changes, clock, log } = deps;
  const { treasuryAddress, collectionType, network, refreshMs } = deps.settings;
  const explorerUrl = deps.settings.explorerUrl.replace(/\/+$/, '');
  const marketRefreshMs = Math.max(refreshMs, deps.settings.marketRefreshMs ?? 0);
  const settings: ValuationSettings = { ...deps.settings, explorerUrl, marketRefreshMs };
  const deadlineMs = deps.deadlineMs ?? refreshDeadlineMs;
  const topic = `treasury ${network} ${treasuryAddress}`;

  const of = { network, treasuryAddress };
  const store = createTreasuryStore(database, of);
  const metadata = createMetadataBook(readers.coins, createCoinMetadataStore(database, network), clock);
  const served = createServedSnapshot(settings, clock);
  const priceNow = (coinType: string) => served.reading()?.prices.get(coinType)?.quote.pricePicoUsd ?? null;
  const isValued = (collectionType: string) => mayCount(collectionType, served.reading());
  const past = createLedgerPast({ of, database, priceNow, isValued, clock });
  const history = createTreasuryHistory({ store, past, priceNow, snapshot: () => served.snapshot(), refreshMs, clock });
  served.onChange(() => history.trend.forget());
  const answers = { served, history, files: createSnapshotFiles(served) };
  const notify = () => changes.publish(topic);
  const kept = createKeptReading({ settings, store, notify, served, clock, log, onKept: () => history.forget() });
  const adopt = (): Promise<void> =>
    kept.adopt().catch((error: unknown) => log.warn({ err: error }, 'The kept treasury reading could not be read'));
  const context = { readers, metadata, clock, log, treasuryAddress, collectionType };
  deps.jobs.add(refreshJob({ context, settings, kept, served, clock, deadlineMs }));
  const unsubscribes: (() => void)[] = [];

  return {
    routes: treasuryRoutes(answers),
    purges: treasuryPurges(database),
    start: async () => {
      unsubscribes.push(
        changes.subscribe(topic, () => void adopt()),
        changes.subscribe(ledgerTopic(of), () => history.forget()),
      );
      await adopt();
    },
    stop: async () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      served.stop();
    },
    snapshot: () => served.snapshot(),
    reading: () => served.reading(),
    onChange: (run) => served.onChange(run),
    sourceReadings: () => sourceReadings(served.reading()),
    noscriptHtml: () => treasuryNoscriptHtml(served.snapshot()),
    valueHtml: () => treasuryValueHtml(served.snapshot()),
    snapshotAgeSeconds: () => {
      const reading = served.reading();
      return reading === null ? null : (clock.now().getTime() - reading.chainReadAt.getTime()) / 1_000;
    },
  };
}
