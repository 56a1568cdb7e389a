import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { createCollections } from '../../src/market/collections.ts';
import type { HoldingAnswer } from '../../src/market/contract.ts';
import type { Ownership } from '../../src/market/owners/ownership.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

/** Ownership as in production: the real clients against the sandbox, real PostgreSQL; tests move the time. */
export interface OwnershipWorld {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  /** The product's own collection. */
  readonly rocks: string;
  /** One more copy of the product on the same database, which shares only stored data with the others. */
  copy(options?: { readonly marketKey?: null; readonly visitorsNodeUrl?: string }): Ownership;
  /** Requests since the last reset: to the full node, and to the marketplace. */
  requests(): { readonly sui: number; readonly market: number; readonly byOperation: Readonly<Record<string, number>> };
  end(): Promise<void>;
}

/** Short limits, so that a dead node costs a test little time, but long enough for a busy machine. */
const limits: Partial<CallLimits> = {
  attemptTimeoutMs: 5_000,
  totalTimeoutMs: 6_000,
  retries: 0,
};

export async function startOwnershipWorld(options: SandboxOptions = {}): Promise<OwnershipWorld> {
  const sandbox = await startSandbox(options);
  const database = await testDatabase();
  const clock = createManualClock();
  const { facts, urls, requests } = sandbox;
  return {
    sandbox,
    database,
    clock,
    rocks: facts.collectionType,
    copy: ({ marketKey, visitorsNodeUrl = urls.sui } = {}) => {
      const nodeAt = (baseUrl: string) => createSuiClient({ network: facts.network, baseUrl, limits });
      return createCollections({
        config: {
          SUI_NETWORK: facts.network,
          COLLECTION_TYPE: facts.collectionType,
          TRACKER_POLL_MIN_MS: 30_000,
          TRACKER_POLL_MAX_MS: 45_000,
        },
        sui: nodeAt(visitorsNodeUrl),
        backgroundSui: nodeAt(urls.sui),
        marketplace: createMarketCall({
          url: urls.market,
          user: facts.marketUser,
          key: marketKey === null ? null : facts.marketKey,
          limits,
        }),
        database: typedKysely(database.pool),
        jobs: { add: () => {}, send: () => Promise.resolve() },
        clock,
        log: { info: () => {}, warn: () => {} },
      }).ownership;
    },
    requests: () => ({
      sui: requests.of('sui').count,
      market: requests.of('market').count,
      byOperation: { ...requests.of('sui').byOperation },
    }),
    end: async () => {
      await sandbox.stop();
      await database.drop();
    },
  };
}

/** A wallet that does not exist in the seed. */
export const newWallet = (name: number): string => `0x${name.toString(16).padStart(64, 'a')}`;

/** The pieces of an answer in short, sorted: `kiosk listed`; the kind of the answer if there are none. */
export function inShort(answer: HoldingAnswer | undefined): readonly string[] {
  if (answer?.kind === 'unknown') return [`unknown: ${answer.reason}`];
  if (answer?.kind !== 'holds') return [answer?.kind ?? 'no answer'];
  return answer.nfts.map(({ place, isListed }) => (isListed ? `${place} listed` : place)).toSorted();
}
