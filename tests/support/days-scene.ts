import { typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import {
  type HistorySpan,
  treasuryHistoryAnswer,
  treasuryTrendAnswer,
  type TreasuryTrendAnswer,
} from '../../src/treasury/contract.ts';
import { createLedgerPast } from '../../src/treasury/ledger/ledger-past.ts';
import { createTreasuryHistory } from '../../src/treasury/history.ts';
import { createTreasuryStore } from '../../src/treasury/treasury-store.ts';
import { type LedgerScene, type LedgerSceneOptions, startLedgerScene } from './ledger-scene.ts';
import { dataOf } from './route-request.ts';

/** The ledger's scene, with the daily values computed from it. */
export interface DaysScene extends LedgerScene {
  history(days: HistorySpan): Promise<ReturnType<typeof treasuryHistoryAnswer.parse>>;
  trend(): Promise<TreasuryTrendAnswer>;
  /** Stores a reading as the treasury does. */
  keepReading(at: Date, microUsd: { readonly total: bigint; readonly token: bigint }): Promise<void>;
}

export interface DaysSceneOptions extends LedgerSceneOptions {
  /** Whether NFTs of a collection are part of the total; all are when left out. */
  readonly isValued?: (collectionType: string) => boolean;
  /** Coins that are part of the total now. */
  readonly countedNow?: () => readonly string[];
  /** The price of every coin now, 1e-12 USD; null when left out: unknown. */
  readonly priceNow?: () => bigint | null;
}

export async function startDaysScene(all: DaysSceneOptions = {}): Promise<DaysScene> {
  const { isValued = () => true, countedNow = () => [], priceNow = () => null, ...options } = all;
  const scene = await startLedgerScene(options);
  const { network, treasuryAddress } = scene.sandbox.facts;
  const treasuryKey = { network, treasuryAddress };
  const db = typedKysely(scene.database.pool);
  const clock = { now: () => new Date() };
  const store = createTreasuryStore(db, treasuryKey);
  const unread = { priceNow, snapshot: () => null, refreshMs: 60_000, log: silentLog };
  const past = createLedgerPast({ treasuryKey, database: db, isValued, countedNow, clock });
  const open = () => createTreasuryHistory({ store, past, ...unread, clock });
  const json = (body: { readonly identity: Buffer }): unknown => JSON.parse(body.identity.toString());
  return {
    ...scene,
    history: async (days) => dataOf(treasuryHistoryAnswer, json(await open().bodies[days].whenReady())),
    trend: async () => dataOf(treasuryTrendAnswer, json(await open().trend.whenReady())),
    keepReading: async (at, { total, token }) => {
      const totals = { totalMicroUsd: total, tokenMicroUsd: token, nftMicroUsd: total - token };
      await store.saveReading({}, at, totals);
    },
  };
}
