import { beforeEach, describe, expect, test } from 'vitest';

import { until } from '../support/until.ts';
import { telegramGroupScene } from '../support/telegram-group-scene.ts';

const { group, type, said, setup, setUp, typeOf, handled, ofBot, configuration } = telegramGroupScene();

/** A type that the marketplace does not know, so that the chain is queried too. */
const unknownType = `0x${'9'.repeat(64)}::none::None`;
const duringOutage = async (service: 'market' | 'sui', run: () => Promise<unknown>): Promise<void> => {
  await group.world.sandbox.faults.set(service, { kind: '503' });
  try {
    await run();
  } finally {
    await group.world.sandbox.faults.clear(service);
  }
};

describe('commands in capital letters', () => {
  test('/SETUP is understood, with its argument as it was typed', async () => {
    await said('Is the maximum supply 555?', type(`/SETUP ${group.world.sandbox.facts.collectionType}`));
  });

  test('/Floor with the name of the bot is understood', async () => {
    await setUp();
    const [bot] = ofBot();
    await said(/floor [\d.]+ SUI/, type(`/Floor@${bot?.from.username?.toUpperCase()}`));
  });

  test('/HELP with the name of another bot is ignored', async () => {
    type('/HELP@another_bot');
    await handled();
    expect(ofBot()).toEqual([]);
  });
});

describe('names that every JavaScript object has', () => {
  const names = ['0x2::__proto__::x', '0x2::constructor::x', '0x2::toString::hasOwnProperty'];
  test.each(names)('/setup %s: the marketplace does not know it', async (name) => {
    await said('the marketplace does not know it as a collection', setup(name));
    expect(await configuration()).toBeUndefined();
  });

  test.each(names)('the hex id %s is refused as unknown, not as an outage', async (hexCollectionId) => {
    const id = await setUp();
    const answer = await group.copy.call('PUT', `/api/telegram/config/${id}`, { hexCollectionId });
    expect(answer).toMatchObject({ status: 400, body: { code: 'unknown-collection' } });
  });
});

describe('a link that does not lead to the marketplace is refused', () => {
  test.each([
    ['a stranger’s page', 'https://evil.example/collection/x'],
    ['another chain’s marketplace', 'https://opensea.io/collection/apes'],
  ])('%s', async (_what, link) => {
    await said('does not lead to a collection at the marketplace', setup(link));
    expect(await configuration()).toBeUndefined();
  });
});

describe('an outage is reported with the service that is away', () => {
  test('the full node, in /setup', async () => {
    await duringOutage('sui', () => said(/^The Sui full node is not answering/, setup(unknownType)));
  });

  test('the marketplace, in /setup', async () => {
    await duringOutage('market', () => said(/^The marketplace is not answering/, setup(unknownType)));
  });

  test.each([
    ['sui', 'The Sui full node does not answer'],
    ['market', 'The marketplace does not answer'],
  ] as const)('%s, for a hex id', async (service, words) => {
    const id = await setUp();
    await duringOutage(service, async () => {
      const answer = await group.copy.call('PUT', `/api/telegram/config/${id}`, { hexCollectionId: unknownType });
      expect(answer).toMatchObject({ status: 503 });
      expect(answer.body.message).toContain(words);
    });
  });
});

describe('/summary of a collection that is not read', () => {
  beforeEach(async () => {
    await setUp();
    await until('the collection is read', async () => (await reading())?.['seeded_at'] !== null);
  });
  const reading = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const { rows } = await group.world.database.pool.query<Record<string, unknown>>(
      'select * from tracked_collections where slug = $1',
      [typeOf('rocks')],
    );
    return rows[0];
  };

  test('claims no sales before its past is read, and shows them afterwards', async () => {
    await duringOutage('market', async () => {
      await group.world.database.pool.query('update tracked_collections set seeded_at = null');
      const answer = await said('Sui Rocks today', type('/summary'));
      expect(answer.text).toContain('Past sales are still being read');
      expect(answer.text).not.toMatch(/no sales|\d sales?|Last 24 hours/);
    });
    await until('the collection is read again', async () => (await reading())?.['seeded_at'] !== null);
    await said(/Last 24 hours|Since \d/, type('/SUMMARY'));
  });
});

test('while the marketplace is away the status of the bot says since when, and how many collections are not read', async () => {
  await setUp();
  const outage = async (): Promise<unknown> => {
    const { body } = await group.copy.call('GET', '/api/telegram/status');
    return (body.data as { marketOutage: unknown }).marketOutage;
  };
  await until('no outage is reported', async () => (await outage()) === null);
  await duringOutage('market', async () => {
    await until('the outage is reported', async () => (await outage()) !== null);
    expect(await outage()).toEqual({ since: expect.stringMatching(/^20\d\d-/), collectionCount: 1 });
  });
  await until('the outage is over', async () => (await outage()) === null);
});

test.each([
  ['marketplace-key-refused', 1],
  ['answer-too-large', 1],
  ['collection-unknown', null],
  ['internal-error', null],
])('a collection that cannot be read because of %s counts as an outage: %s', async (reason, collectionCount) => {
  await setUp();
  // So that no poll changes the row.
  await group.world.database.pool.query('delete from collection_watches');
  await until('the status agrees', async () => {
    await group.world.database.pool.query(
      'update tracked_collections set failing_since = clock_timestamp(), failure_reason = $1',
      [reason],
    );
    const { body } = await group.copy.call('GET', '/api/telegram/status');
    const { marketOutage } = body.data as { marketOutage: { collectionCount: number } | null };
    return (marketOutage?.collectionCount ?? null) === collectionCount;
  });
});
