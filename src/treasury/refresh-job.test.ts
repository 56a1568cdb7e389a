import { expect, test } from 'vitest';
import { createManualClock } from '../../tests/support/manual-clock.ts';
import { settings } from '../../tests/support/treasury-reading.ts';
import { createMetadataBook } from './metadata-book.ts';
import type { CoinMetadataStore, TreasuryStore } from './ports.ts';
import { createRefreshJob } from './refresh-job.ts';
import { createServedSnapshot } from './served-snapshot.ts';

test('a copy that gets the turn after another one has just refreshed does not refresh again', async () => {
  const clock = createManualClock();
  const never = () => Promise.reject(new Error('the outside world must not be asked'));
  const readers = {
    coins: { readBalances: never, readCoinMetadata: never },
    holdings: { readHoldings: never },
    market: { readMarketFacts: never },
    prices: { readPrices: never },
  };
  const metadataStore: CoinMetadataStore = { loadMetadata: () => Promise.resolve([]), saveMetadata: never };
  let attemptedAt = new Date(clock.now().getTime() - settings.refreshMs);
  const attempts: Date[] = [];
  const store: TreasuryStore = {
    loadReading: () => Promise.resolve(null),
    readStatus: () => Promise.resolve({ version: null, attemptedAt }),
    noteAttempt: (at) => Promise.resolve(void attempts.push(at)),
    saveReading: never,
    readHistory: () => Promise.resolve([]),
  };
  const { promise: turnIsOver, resolve: endTurn } = Promise.withResolvers<void>();
  const job = createRefreshJob({
    context: {
      readers,
      metadata: createMetadataBook(readers.coins, metadataStore, clock),
      clock,
      log: { info: () => {}, warn: () => {} },
      treasuryAddress: settings.treasuryAddress,
      collectionType: settings.collectionType,
    },
    settings,
    store,
    kept: { adopt: () => Promise.resolve(), publish: () => Promise.resolve() },
    turn: {
      runAlone: async (work) => {
        attemptedAt = clock.now();
        await work();
        endTurn();
        return true;
      },
    },
    signal: { publish: () => Promise.resolve(), subscribe: () => () => {} },
    served: createServedSnapshot(settings, clock),
    clock,
    deadlineMs: 1_000,
  });
  await job.start();
  await turnIsOver;
  await job.stop();
  expect(attempts).toEqual([]);
});
