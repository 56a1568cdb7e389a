import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type ActivityWorld, indexerWrites, startActivityWorld } from '../support/activity-world.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { sales } from '../support/delivery-steps.ts';
import { ago, retentionGround } from '../support/retention-ground.ts';
import { until } from '../support/until.ts';

/** No statement may run into its time limit, however many events and groups there are: it would be undone and repeated for ever. */
const countedStatements = (table: string, verb: 'insert' | 'delete') => `
  create table counted (row_count int);
  create function count_rows() returns trigger language plpgsql as
    $$ begin insert into counted select count(*) from changed; return null; end $$;
  create trigger counted after ${verb} on ${table} referencing ${verb === 'insert' ? 'new' : 'old'} table as changed
    for each statement execute function count_rows()`;

describe('a long backlog', () => {
  let world: ActivityWorld;
  beforeEach(async () => void (world = await startActivityWorld()));
  afterEach(() => world.end());

  test('is handed over a thousand events at a time, oldest first and each once; all parts but the last say that more follows', async () => {
    const parts: { readonly ids: readonly number[]; readonly hasMore: boolean }[] = [];
    const product = world.copy({
      listeners: [
        world.recorder(
          'groups',
          ({ events, hasMore }) => void parts.push({ ids: events.map(({ id }) => Number(id)), hasMore }),
        ),
      ],
    });
    const rocks = await world.follow(product.activity);
    await world.inTransaction(async (transaction) => {
      await product.activity.watch('roles', rocks.id, 'guild', transaction);
      await product.activity.setPaused('groups', true, transaction);
    });
    await product.start();
    indexerWrites(world.sandbox, {});
    await until(
      'the backlog is stored',
      async () => (await world.database.rows('select 1 from activity_backlogs')).length > 1,
    );
    await world.database.rows(`insert into activity_events
        (tracked_collection_id, event_key, action_id, kind, type, happened_at)
      select ${rocks.id}, 'missed ' || n, 'missed ' || n, 'bid', 'solo-bid', now() from generate_series(1, 2100) n`);
    await world.inTransaction((transaction) => product.activity.setPaused('groups', false, transaction));
    await world.waitUntilTold(2_101);
    await world.polled(rocks.id);
    expect(parts.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
    expect(Math.max(...parts.map(({ ids }) => ids.length))).toBeLessThanOrEqual(1_000);
    const inOrder = parts.flatMap(({ ids }) => ids.toSorted((one, other) => one - other));
    expect(inOrder).toEqual([...new Set(inOrder)].toSorted((one, other) => one - other));
  });
});

describe('many events for many groups', () => {
  let delivering: Delivering;
  beforeEach(async () => void (delivering = await startDelivering()));
  afterEach(() => delivering.end());

  test('are written in statements of at most 10,000 rows', async () => {
    await delivering.groups(30);
    await delivering.database.rows(countedStatements('telegram_deliveries', 'insert'));
    await delivering.happen(delivering.copy(), sales(900));
    const counted = await delivering.database.rows<{ row_count: number }>('select row_count from counted');
    expect(counted.map(({ row_count: rowCount }) => rowCount)).toEqual([10_000, 10_000, 7_000]);
  });
});

describe('expired events, with a delivery in each group', () => {
  const { purges, rows, database } = retentionGround();

  test('are deleted in statements of at most 200 rows, in as many steps as needed', async () => {
    await rows(`insert into tracked_collections (id, slug, market_id, name, is_verified, cursor_at) overriding system value
      values (7, 'rocks', gen_random_uuid(), 'Rocks', true, now())`);
    await rows(`insert into activity_events
        (tracked_collection_id, event_key, action_id, kind, type, happened_at, known_at)
      select 7, n, n, 'bid', 'solo-bid', ${ago(100)}, ${ago(100)} from generate_series(1, 450) n`);
    await rows(countedStatements('activity_events', 'delete'));
    const purge = purges().find(({ table }) => table === 'activity_events');
    while ((await purge?.step())?.hasMore === true);
    const counted = await database().rows<{ row_count: number }>('select row_count from counted');
    expect(counted.map(({ row_count: rowCount }) => rowCount)).toEqual([200, 200, 50]);
  });
});
