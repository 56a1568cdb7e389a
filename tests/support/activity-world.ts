import type { Kysely } from 'kysely';

import type { Trx } from '../../src/db/transaction.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import type { ActionRow } from '../../sandbox/world/state.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { createCollections, type Collections } from '../../src/market/collections.ts';
import type { Activity } from '../../src/market/contract.ts';
import type { ActivityBatch, ActivityEvent, ActivityListener, TrackedCollection } from '../../src/market/contract.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { startPollSender } from './poll-sender.ts';
import { until } from './until.ts';

/** The events that listeners received, written in the transaction of the poll like any real listener's rows. */
interface ToldTables {
  told: { listener: string; eventId: string; kind: string; gapMs: number };
}

interface CopyOptions {
  readonly pollMs?: readonly [number, number];
  readonly limits?: Partial<CallLimits>;
  readonly now?: () => Date;
  readonly marketUrl?: string;
  /** Left out: one listener `groups` that records the events it receives. */
  readonly listeners?: readonly ActivityListener[];
}

/** The jobs of a copy run from its start to its stop. */
export type RunningCollections = Collections & Pick<Jobs, 'start' | 'stop'>;

/** The activity pipeline as in production: real PostgreSQL, the sandbox's marketplace, any number of copies. */
export interface ActivityWorld {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly warnings: { readonly details: Record<string, unknown>; readonly message: string }[];
  /** One more copy of the product on the same database; not started. */
  copy(options?: CopyOptions): RunningCollections;
  /** In its own transaction, as a caller that writes nothing else. */
  inTransaction(work: (transaction: Trx) => Promise<void>): Promise<void>;
  /** Looks a collection up, tracks it and watches it for `groups`. */
  follow(activity: Activity, slug?: string, watcher?: string): Promise<TrackedCollection>;
  /** Waits until two more polls of the collection are over: the second one began after this call. */
  polled(id: bigint): Promise<void>;
  /** Ids of the events that a listener received, in order; repeated events appear repeatedly. */
  told(listener?: string): Promise<readonly string[]>;
  waitUntilTold(count: number, listener?: string): Promise<void>;
  /** The events that `groups` received, in order. */
  toldEvents(activity: Activity): Promise<readonly ActivityEvent[]>;
  /** A listener that records the events it receives; `hear` may throw. */
  recorder(name: string, hear?: (batch: ActivityBatch) => void): ActivityListener;
  end(): Promise<void>;
}

/** Short limits, so that a hanging marketplace costs a test little time. */
const impatient: Partial<CallLimits> = {
  attemptTimeoutMs: 2_000,
  totalTimeoutMs: 2_500,
  retries: 0,
};

export async function startActivityWorld(sandboxOptions: SandboxOptions = {}): Promise<ActivityWorld> {
  const sandbox = await startSandbox(sandboxOptions);
  const database = await testDatabase();
  await database.pool.query(
    'create table told (id bigserial primary key, listener text, event_id bigint, kind text, gap_ms double precision)',
  );
  const running: RunningCollections[] = [];
  const warnings: { details: Record<string, unknown>; message: string }[] = [];
  const { facts, urls } = sandbox;
  const log = {
    info: () => {},
    warn: (details: object, message: string) => void warnings.push({ details: { ...details }, message }),
  };
  // Sends jobs for copies that do not run.
  const sender = await startPollSender(database.url, log);

  const recorder = (name: string, hear: (batch: ActivityBatch) => void = () => {}): ActivityListener => ({
    name,
    recordBatch: async (batch, trx) => {
      const rows = batch.events.map(({ id, kind }) => ({
        listener: name,
        eventId: id.toString(),
        kind,
        gapMs: batch.gapMs,
      }));
      if (rows.length > 0) await (trx as unknown as Kysely<ToldTables>).insertInto('told').values(rows).execute();
      hear(batch);
    },
  });

  const copy = (options: CopyOptions = {}): RunningCollections => {
    const limits = { ...impatient, ...options.limits };
    const jobs = createJobs({ url: database.url, log });
    const [pollMinMs, pollMaxMs] = options.pollMs ?? [100, 150];
    const sui = createSuiClient({ network: 'mainnet', baseUrl: urls.sui, limits });
    const collections = createCollections({
      config: {
        SUI_NETWORK: 'mainnet',
        COLLECTION_TYPE: facts.collectionType,
        TRACKER_POLL_MIN_MS: pollMinMs,
        TRACKER_POLL_MAX_MS: pollMaxMs,
      },
      sui,
      backgroundSui: sui,
      marketplace: createMarketCall({
        url: options.marketUrl ?? urls.market,
        user: facts.marketUser,
        key: facts.marketKey,
        limits,
      }),
      database: typedKysely(database.pool),
      jobs: { add: (job) => jobs.add(job), send: (...sent) => sender.send(...sent) },
      clock: { ...systemClock, now: options.now ?? systemClock.now },
      log,
    });
    for (const listener of options.listeners ?? [recorder('groups')]) collections.activity.addListener(listener);
    const copied = { ...collections, start: () => jobs.start(), stop: () => jobs.stop() };
    running.push(copied);
    return copied;
  };

  const inTransaction = (work: (transaction: Trx) => Promise<void>): Promise<void> =>
    typedKysely(database.pool).transaction().execute(work);

  const pollCount = async (id: bigint): Promise<number> => {
    const { rows } = await database.pool.query<{ count: string }>(
      'select poll_count as count from tracked_collections where id = $1',
      [id.toString()],
    );
    return Number(rows[0]?.count);
  };

  const told = async (listener = 'groups'): Promise<readonly string[]> => {
    const rows = await database.rows<{ id: string }>(
      'select event_id as id from told where listener = $1 order by told.id',
      [listener],
    );
    return rows.map(({ id }) => id);
  };

  return {
    sandbox,
    database,
    warnings,
    copy,
    inTransaction,
    recorder,
    follow: async (activity, slug = 'sui-rocks', watcher = 'group 1') => {
      const found = await activity.lookUp(slug);
      if (found.kind !== 'found') throw new Error(`${slug} is ${found.kind}`);
      const tracked = await activity.track(found.collection);
      await inTransaction((transaction) => activity.watch('groups', tracked.id, watcher, transaction));
      return tracked;
    },
    polled: async (id) => {
      const before = await pollCount(id);
      await until('two more polls are over', async () => (await pollCount(id)) >= before + 2);
    },
    told,
    waitUntilTold: (count, listener = 'groups') =>
      until(`${count} events have reached ${listener}`, async () => (await told(listener)).length >= count),
    toldEvents: async (activity) => {
      const ids = await told();
      const events = new Map((await activity.events(ids.map(BigInt))).map((event) => [event.id.toString(), event]));
      return ids.map((id) => events.get(id)!);
    },
    end: async () => {
      await Promise.all(running.map((collections) => collections.stop()));
      await sender.stop();
      await sandbox.stop();
      await database.drop();
    },
  };
}

/** One more row of the marketplace's activity, as if its indexer had only now written it. */
export function indexerWrites(sandbox: Sandbox, row: Partial<ActionRow>): ActionRow {
  const { state } = sandbox.world;
  state.sequence += 1;
  const rock = [...state.nfts.values()].find((nft) => nft.collectionKey === 'rocks');
  const full: ActionRow = {
    id: `00000000-0000-4000-8000-${String(state.sequence).padStart(12, '0')}`,
    type: 'buy',
    collectionKey: 'rocks',
    nftId: rock?.id ?? null,
    priceMist: 12_500_000_000n,
    usdPrice: null,
    sender: `0x${'5'.repeat(64)}`,
    receiver: `0x${'b'.repeat(64)}`,
    txId: `Digest${state.sequence}`,
    txIndex: state.sequence,
    blockTimeMs: sandbox.world.now().getTime(),
    marketName: 'tradeport',
    nonce: null,
    priceCoin: null,
    ...row,
  };
  state.actions.push(full);
  return full;
}
