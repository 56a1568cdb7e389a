import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import type { FaultKind } from '../../sandbox/faults/fault-board.ts';
import type { TrackedCollection } from '../../src/market/contract.ts';
import {
  type ActivityWorld,
  type RunningCollections,
  indexerWrites,
  startActivityWorld,
} from '../support/activity-world.ts';
import { until } from '../support/until.ts';

let world: ActivityWorld;
let product: RunningCollections;
let rocks: TrackedCollection;
beforeEach(async () => {
  world = await startActivityWorld();
});
afterEach(() => world.end());

const start = async (options: Parameters<ActivityWorld['copy']>[0] = {}): Promise<void> => {
  product = world.copy(options);
  rocks = await world.follow(product.activity);
  await product.start();
  await world.polled(rocks.id);
};
const now = async (): Promise<TrackedCollection> => (await product.activity.tracked([rocks.id])).get(rocks.id)!;

const outages: readonly (readonly [FaultKind, string])[] = [
  ['429', 'rate-limited'],
  ['500', 'upstream-error'],
  ['503', 'upstream-error'],
  ['hang', 'timeout'],
  ['slow', 'timeout'],
  ['truncated', 'network'],
  ['malformed', 'malformed-answer'],
  ['wrong-types', 'malformed-answer'],
  ['empty', 'malformed-answer'],
  ['reset', 'network'],
  ['refused', 'network'],
];

describe('while the marketplace fails, no event is lost or reported twice, and polling recovers by itself', () => {
  test.each(outages)('%s', async (kind, reason) => {
    await start({ limits: { attemptTimeoutMs: 700, totalTimeoutMs: 800 } });
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    const { floorMist, mintedCount } = await now();
    await world.sandbox.faults.set('market', { kind, delayMs: 5_000 });
    indexerWrites(world.sandbox, {});
    await until('the failure shows', async () => (await now()).failingSince?.reason === reason);
    indexerWrites(world.sandbox, {});
    const during = await now();
    expect(during).toMatchObject({ floorMist, mintedCount });
    const since = during.failingSince?.at;
    await until('the poll is retried', async () => (await now()).lastCheckedAt! > during.lastCheckedAt!);
    expect((await now()).failingSince?.at).toEqual(since);
    await world.sandbox.faults.clear();
    await world.waitUntilTold(3);
    await until('it works again', async () => (await now()).failingSince === null);
    await world.polled(rocks.id);
    expect(new Set(await world.told()).size).toBe(3);
    expect(await world.told()).toHaveLength(3);
  });

  test('an outage is logged once, not with every poll', async () => {
    await start();
    await world.sandbox.faults.set('market', { kind: '500' });
    const first = await now();
    await until('it failed several times', async () => {
      const { lastCheckedAt } = await now();
      return lastCheckedAt!.getTime() > first.lastCheckedAt!.getTime() + 1_500;
    });
    expect(world.warnings.map(({ message }) => message)).toEqual(['The activity of a collection cannot be read']);
  });

  test('a first reading that fails is Unavailable, and works on the next try', async () => {
    product = world.copy();
    const found = await product.activity.lookUp('sui-rocks');
    if (found.kind !== 'found') throw new Error('not found');
    await world.sandbox.faults.set('market', { kind: '500' });
    await expect(product.activity.track(found.collection)).rejects.toMatchObject({ reason: 'upstream-error' });
    await world.sandbox.faults.clear();
    expect(await product.activity.track(found.collection)).toMatchObject({ name: 'Sui Rocks', failingSince: null });
  });

  test('a collection that the marketplace no longer knows shows as failing, not as quiet', async () => {
    await start();
    const collection = world.sandbox.world.state.collections.get('rocks')!;
    collection.onMarketplace = false;
    await until('the failure shows', async () => (await now()).failingSince?.reason === 'collection-unknown');
    collection.onMarketplace = true;
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
  });
});

describe('a wrong clock', () => {
  test.each([
    ['ahead', 3 * 86_400_000],
    ['behind', -3 * 86_400_000],
  ])('that jumps three days %s loses no event and repeats none', async (_direction, jumpMs) => {
    let offsetMs = 0;
    await start({ now: () => new Date(Date.now() + offsetMs) });
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    offsetMs = jumpMs;
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(2);
    offsetMs = 0;
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(3);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(3);
  });

  test.each([
    ['ahead', 3 * 86_400_000],
    ['behind', -3 * 86_400_000],
  ])('that is three days %s at the first sight does the same', async (_direction, jumpMs) => {
    await start({ now: () => new Date(Date.now() + jumpMs) });
    expect(await world.told()).toEqual([]);
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('of the database that is set back by a day makes no gap', async () => {
    await start();
    // To a clock that was set back, all stored times are a day ahead.
    await world.database.pool.query("update tracked_collections set caught_up_at = caught_up_at + interval '1 day'");
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    const { rows } = await world.database.pool.query<{ gap_ms: number }>('select gap_ms from told');
    expect(rows[0]?.gap_ms).toBe(0);
  });
});

describe('an outage of the database', () => {
  test('loses no event and repeats none', async () => {
    await start();
    const name = new URL(world.database.url).pathname.slice(1);
    const server = new Client({ connectionString: inject('testServerUrl') });
    await server.connect();
    try {
      await server.query(`alter database ${name} allow_connections false`);
      indexerWrites(world.sandbox, {});
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await until('the outage is logged', () => world.warnings.length > 0);
      indexerWrites(world.sandbox, {});
      await server.query(`alter database ${name} allow_connections true`);
    } finally {
      await server.end();
    }
    await world.waitUntilTold(2);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(2);
    expect(world.warnings.length).toBeLessThan(4);
  });
});

describe('the cost', () => {
  test('of 100 collections is at most two requests each within two poll intervals', async () => {
    const added = world.sandbox.world.addCollections({ count: 100 });
    product = world.copy({ pollMs: [2_000, 3_000] });
    for (const { nftType } of added) await world.follow(product.activity, nftType);
    await product.start();
    await until('every collection was read', async () => {
      const { rows } = await world.database.pool.query('select 1 from tracked_collections where poll_count < 2');
      return rows.length === 0;
    });
    world.sandbox.requests.reset();
    const startedMs = Date.now();
    await until('twice the shortest time has passed', () => Date.now() - startedMs >= 4_000);
    expect(world.sandbox.requests.of('market').count).toBeLessThanOrEqual(200);
    await until('each was asked once more', () => world.sandbox.requests.of('market').count >= 100);
    const { rows } = await world.database.pool.query<{ late: number }>(
      'select max(extract(epoch from clock_timestamp() - last_checked_at))::float8 as late from tracked_collections',
    );
    expect(rows[0]?.late).toBeLessThan(5);
  }, 60_000);
});
