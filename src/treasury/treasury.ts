import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import { createLazyAnswer, makeReadyAnswerAsync } from '../http/ready/ready-answer.ts';
import { defineRoute, type Route, type RouteAnswer } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { createLimiter } from '../process/concurrency.ts';
import type { Clock } from '../shared/clock.ts';
import { stakedSuiType } from '../shared/sui-address.ts';
import {
  type HistorySpan,
  historySpans,
  treasurySnapshot,
  treasuryHistoryAnswer,
  type TreasurySnapshot,
  treasuryTrendAnswer,
} from './contract.ts';
import { sourceReadings } from './core/next-reading.ts';
import { mayCount } from './core/nft-valuation.ts';
import type { ValuationSettings } from './core/reading.ts';
import { exportFileName, snapshotCsv, snapshotJson } from './core/snapshot-export.ts';
import { countedCoins } from './core/token-valuation.ts';
import { createTreasuryHistory, type TreasuryHistory } from './history.ts';
import { createLedgerPast } from './ledger/ledger-past.ts';
import { ledgerTopic } from './ledger/ledger-store.ts';
import { createCoinMetadataStore, createCoinMetadataCache } from './coin-metadata.ts';
import { treasuryNoscriptHtml, treasuryValueHtml } from './noscript-html.ts';
import { createNotesStore } from './notes/notes-store.ts';
import { createPartOutages, type TreasuryLog, type TreasuryReaders } from './read-treasury.ts';
import { createServedSnapshot, createStoredReading, refreshJob, type ServedSnapshot } from './refresh.ts';
import { createTreasuryStore } from './treasury-store.ts';
import { movementFilters } from './web/movement-filters.ts';

export interface TreasuryDeps {
  readonly settings: ValuationSettings;
  readonly readers: TreasuryReaders;
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish' | 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly clock: Clock;
  readonly log: TreasuryLog;
  /** How long one refresh may take in all; 90 s unless a test changes it. */
  readonly deadlineMs?: number;
}

export type Treasury = ReturnType<typeof createTreasury>;

const refreshDeadlineMs = 90_000;

/** Specification 2 (Treasury page), rulings R3: the live treasury. Adds its job. */
export function createTreasury(deps: TreasuryDeps) {
  const { settings, readers, database, changes, clock, log } = deps;
  const { treasuryAddress, network, refreshMs } = settings;
  const topic = `treasury ${network} ${treasuryAddress}`;

  const treasuryKey = { network, treasuryAddress };
  const store = createTreasuryStore(database, treasuryKey);
  const metadata = createCoinMetadataCache(readers.sui, createCoinMetadataStore(database, network), clock);
  const served = createServedSnapshot(settings, clock);
  const priceNow = (coinType: string) => served.reading()?.prices.get(coinType)?.quote.pricePicoUsd ?? null;
  const isValued = (type: string) => type === stakedSuiType || mayCount(type, served.reading());
  const countedNow = () => countedCoins(served.reading());
  const past = createLedgerPast({ treasuryKey, database, isValued, countedNow, clock });
  const history = createTreasuryHistory({ store, past, priceNow, snapshot: served.snapshot, refreshMs, clock, log });
  served.onChange(history.forget);
  const refresh = {
    deadlineMs: refreshDeadlineMs,
    ...deps,
    metadata,
    store,
    served,
    declaredAmounts: createNotesStore(database, treasuryKey).declaredAmounts,
    notify: () => changes.publish(topic),
    outages: createPartOutages(log),
  };
  const stored = createStoredReading(refresh);
  const inTurn = createLimiter(1);
  // One at a time, so that an older read is never shown after a newer one.
  const adopt = (): Promise<void> => {
    history.forget();
    return inTurn(stored.adopt).catch((error: unknown) =>
      log.warn({ err: error }, 'The stored treasury reading could not be loaded'),
    );
  };
  deps.jobs.add(refreshJob(refresh, stored));
  const unsubscribes: (() => void)[] = [];

  return {
    routes: treasuryRoutes(served, history),
    /** Resolves when the last good snapshot in the database is shown. */
    start: async (): Promise<void> => {
      for (const each of [topic, ledgerTopic(treasuryKey)])
        unsubscribes.push(changes.subscribe(each, () => void adopt()));
      await adopt();
    },
    stop: async (): Promise<void> => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      served.stop();
    },
    snapshot: served.snapshot,
    /** The reading behind the snapshot. */
    reading: served.reading,
    onChange: served.onChange,
    /** When the chain was last read, and the price service if it did not answer then. */
    sourceReadings: () => sourceReadings(served.reading()),
    /** For `<!--snapshot:treasury-->`. */
    noscriptHtml: () => treasuryNoscriptHtml(served.snapshot()),
    /** For `<!--snapshot:treasury-value-->`. */
    valueHtml: () => treasuryValueHtml(served.snapshot()),
    /** A wrong filter of the movements in the address of the page. */
    queryProblem: (query: string) => movementFilters(query).problems[0] ?? null,
    /** null before the first snapshot. */
    snapshotAgeSeconds: (): number | null => {
      const reading = served.reading();
      return reading === null ? null : (clock.now().getTime() - reading.chainReadAt.getTime()) / 1_000;
    },
  };
}

const notReadYet: RouteAnswer = {
  status: 503,
  body: { message: 'The treasury has not been read yet. Please try again in a minute.', code: 'treasury-not-read-yet' },
};

export const treasuryHistoryQuery = z.strictObject({
  days: z.enum(historySpans, 'The field "days" of the query is one of 1, 7, 30, 90 and all.').default('30'),
});

const spanByQuery = new Map<string, HistorySpan>([
  ['', treasuryHistoryQuery.parse({}).days],
  ...historySpans.map((days) => [`days=${days}`, days] as const),
]);

/** Treasury answers are the same for everybody: made once per change, however often they are requested (decision 0004). */
function treasuryRoutes(served: ServedSnapshot, history: TreasuryHistory): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/treasury/balance',
      access: 'public',
      summary: 'The last good snapshot of the treasury, with the age, source and state of every figure',
      answer: treasurySnapshot,
      ready: () => served.body() ?? undefined,
      handle: () => {
        const ready = served.body();
        return ready === null ? notReadYet : { status: 200, ready };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/treasury/history',
      access: 'public',
      summary: 'Value over the last 1, 7, 30 or 90 days, or since the first transaction, oldest first, USD',
      query: treasuryHistoryQuery,
      answer: treasuryHistoryAnswer,
      ready: (query) => {
        const days = spanByQuery.get(query);
        return days === undefined ? undefined : history.bodies[days].ready();
      },
      handle: async ({ query }) => ({ status: 200, ready: await history.bodies[query.days].whenReady() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/treasury/trend',
      access: 'public',
      summary: 'Change of the value over 24 hours, 7 and 30 days, split into movements and the rest; one value a day',
      answer: treasuryTrendAnswer,
      ready: () => history.trend.ready(),
      handle: async () => ({ status: 200, ready: await history.trend.whenReady() }),
    }),
    exportRoute(served, 'csv', 'text/csv; charset=utf-8', snapshotCsv),
    exportRoute(served, 'json', 'application/json; charset=utf-8', snapshotJson),
  ];
}

/** Rulings R3: the downloads, made once for each snapshot. */
function exportRoute(
  served: ServedSnapshot,
  extension: 'csv' | 'json',
  contentType: string,
  write: (snapshot: TreasurySnapshot) => string,
): Route {
  const file = createLazyAnswer(async () => {
    const snapshot = served.snapshot();
    if (snapshot === null) throw new Error('There is no snapshot to export');
    return makeReadyAnswerAsync(write(snapshot), {
      contentType,
      cacheControl: 'no-cache',
      extraHeaders: { 'Content-Disposition': `attachment; filename="${exportFileName(snapshot, extension)}"` },
    });
  });
  served.onChange(() => file.forget());
  return defineRoute({
    method: 'GET',
    path: `/api/treasury/export.${extension}`,
    access: 'public',
    summary: `The snapshot as a ${extension.toUpperCase()} file`,
    answer: 'raw',
    ready: () => file.ready(),
    handle: async () => (served.snapshot() === null ? notReadYet : { status: 200, ready: await file.whenReady() }),
  });
}
