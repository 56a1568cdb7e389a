import type { Pool } from 'pg';
import { createDatabase } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { type Product, startProduct } from '../tests/support/product.ts';
import { temporaryDataDir } from '../tests/support/temporary-data-dir.ts';
import { type MarketRecorder, startMarketRecorder } from './market-recorder.ts';
import { connectGroups, type TrackedGroups } from './tracked-groups.ts';

/** One process of the product, the sandbox in another, PostgreSQL in a third, and groups that each track a collection. */
export interface TrackerWorld {
  readonly product: Product;
  readonly pool: Pool;
  readonly market: MarketRecorder;
  readonly collections: readonly TrackedGroups[];
  stop(): Promise<void>;
}

/** Writes the rows directly: 10,000 times /setup is not what is measured. */
export const startTrackerWorld = async (collectionCount: number, groupsEach: number): Promise<TrackerWorld> => {
  const dataDir = await temporaryDataDir('disk');
  const database = await createDatabase({ url: null, dataDir: dataDir.path, log: silentLog });
  const market = await startMarketRecorder();
  const stopOwn = async (): Promise<void> => {
    market.stop();
    await database.stop();
    await dataDir.remove();
  };
  const env = {
    DATABASE_URL: database.url,
    SESSION_SECRET: 'not a secret: these are measurements',
    MARKET_API_URL: market.url,
    TREASURY_REFRESH_MS: '60000',
  };
  const product = await startProduct({ env }).catch(async (error: unknown) => {
    await stopOwn();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await product.stop();
    await stopOwn();
  };
  try {
    market.forwardTo(product.sandbox.urls.market);
    const collections = await connectGroups(product, database.pool, collectionCount, groupsEach);
    await product.restart();
    return { product, pool: database.pool, market, collections, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
