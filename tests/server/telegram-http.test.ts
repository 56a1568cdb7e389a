import { describe, expect, test } from 'vitest';

import { telegramAdminScene } from '../support/telegram-admin-scene.ts';
import { until } from '../support/until.ts';

/** Specification 7 (telegram), rulings R2, R4 and R6. */
const { group, id, rocks, call, listed, present, reset, setHex, remove, sendTest } = telegramAdminScene();

const mintRock = () =>
  group.world.sandbox.world.mint({ collection: 'rocks', address: group.world.sandbox.facts.treasuryAddress });

test('every call of the Telegram bot is for operators and admins, except the webhook', () => {
  const open = group.copy.telegram.routes.filter(({ access }) => access !== 'operator');
  expect(open.map(({ path }) => path)).toEqual([]);
  expect(group.copy.telegram.routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /api/telegram/configs/{configId}',
    'GET /api/telegram/configs',
    'GET /api/telegram/configs/{configId}/deliveries',
    'GET /api/telegram/deleted-configs',
    'GET /api/telegram/status',
    'POST /api/telegram/configs/{configId}/restore',
    'POST /api/telegram/configs/{configId}/send-test',
    'POST /api/telegram/init',
    'POST /api/telegram/messages/{messageId}/retry',
    'POST /api/telegram/reset-mint-count/{configId}',
    'POST /api/telegram/shutdown',
    'PUT /api/telegram/config/{configId}',
  ]);
});

describe('GET /api/telegram/configs', () => {
  test('has the fields of the specification, and the state of chat and collection', async () => {
    expect(await present()).toMatchObject({
      chatId: String(group.chatId),
      collectionName: 'Sui Rocks',
      collectionId: rocks(),
      hexCollectionId: null,
      maxSupply: 555,
      trackMint: true,
      trackSales: true,
      trackListings: true,
      trackBids: true,
      mintStats: { mintedCount: group.world.sandbox.world.facts('rocks').supply },
      version: 1,
      chatTitle: 'Rock <Group>',
      chatState: 'ok',
      trouble: null,
      purgeAt: null,
      deletedAt: null,
      source: { failure: null },
      pendingCount: 0,
      failedCount: 0,
      doubtfulCount: 0,
    });
    await until('the source was read', async () => (await present()).source.lastSucceededAt !== null);
  });

  test('has as many entries as the status counts', async () => {
    const { data } = (await call('GET', '/api/telegram/status')).body;
    expect(data).toMatchObject({ configCount: (await listed()).length, pendingCount: 0, oldestPendingSeconds: null });
  });

  test('says when something was last sent, and when the last event happened', async () => {
    mintRock();
    await until('a message is sent', async () => (await present()).lastSentAt !== null);
    expect(Date.parse((await present()).lastEventAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('POST /api/telegram/reset-mint-count/{configId}', () => {
  test('sets the count, 0 and the largest included, with a new version and a log entry', async () => {
    const before = (await present()).mintStats.mintedCount;
    for (const count of [0, 1_000_000_000, 42]) {
      expect(await reset({ count })).toMatchObject({
        status: 200,
        body: { data: { id: id(), mintStats: { mintedCount: count } } },
      });
    }
    expect((await present()).version).toBe(4);
    const entries = (await group.world.audited())
      .filter(({ action }) => action === 'telegram-mint-count-reset')
      .slice(-3);
    expect(entries[0]).toMatchObject({ actor: 'chief', before: { mintedCount: before }, after: { mintedCount: 0 } });
    expect(entries[2]).toMatchObject({ before: { mintedCount: 1_000_000_000 }, after: { mintedCount: 42 } });
  });

  test('a save that changes nothing is answered like any other, and makes no version and no log entry', async () => {
    const before = await present();
    const entries = await group.world.audited();
    const unchanged = { status: 200, body: { data: { id: id(), version: before.version } } };
    expect(await reset({ count: before.mintStats.mintedCount })).toMatchObject(unchanged);
    expect(await setHex('')).toMatchObject(unchanged);
    expect(await group.world.audited()).toEqual(entries);
  });

  test('a number that is out of bounds is answered with a readable sentence', async () => {
    const sentence = 'The mint count must be a whole number from 0 to 1,000,000,000.';
    for (const count of [-1, 1.5, 1_000_000_001, 1e300, '5', null]) {
      expect((await reset({ count })).body.message).toBe(sentence);
    }
    expect((await setHex(`0x${'1'.repeat(300)}`)).body.message).toBe('The hex ID must have at most 200 characters.');
  });

  test('the audit log always names the chat by its title', async () => {
    await reset({ count: 3 });
    await sendTest();
    const rows = await group.world.database.rows(
      "select distinct subject_label from audit_entries where subject_kind = 'telegram-configuration' and subject_id = $1",
      [id()],
    );
    expect(rows).toEqual([{ subject_label: 'Sui Rocks in Rock <Group>' }]);
  });

  test.each([
    ['negative', { count: -1 }],
    ['a text', { count: '5' }],
    ['missing', {}],
    ['half an NFT', { count: 1.5 }],
    ['too large', { count: 1_000_000_001 }],
    ['far too large', { count: 1e300 }],
    ['null', { count: null }],
    ['sent with an unknown field', { count: 1, force: true }],
  ])('refuses a count that is %s', async (_what, body) => {
    const before = await present();
    const answer = await reset(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/count|force/);
    expect(await present()).toMatchObject({ version: before.version, mintStats: before.mintStats });
  });

  test.each(['0', '-1', 'abc', '1e3', '99999999999999999999', '9223372036854775808', '%00'])(
    'refuses the id %s',
    async (to) => {
      const answer = await reset({ count: 1 }, {}, to);
      expect(answer.status).toBe(400);
    },
  );

  test('an id that does not exist is not found', async () => {
    expect(await reset({ count: 1 }, {}, '999999999999999999')).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    });
    expect(await call('PUT', '/api/telegram/config/424242', { hexCollectionId: '' })).toMatchObject({
      status: 404,
    });
    expect(await call('DELETE', '/api/telegram/configs/424242')).toMatchObject({ status: 404 });
    expect(await call('POST', '/api/telegram/configs/424242/restore')).toMatchObject({ status: 404 });
    expect(await call('POST', '/api/telegram/configs/424242/send-test')).toMatchObject({ status: 404 });
    expect(await call('GET', '/api/telegram/configs/424242/deliveries')).toMatchObject({ status: 404 });
    expect(await call('POST', '/api/telegram/messages/424242/retry')).toMatchObject({ status: 404 });
  });
});

describe('two admins at once', () => {
  test('a save based on an older version is refused with both versions; without a version the last save wins', async () => {
    const seen = { 'if-match': `"${(await present()).version}"` };
    expect((await reset({ count: 10 }, seen)).status).toBe(200);
    const refused = await reset({ count: 20 }, seen);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'stale', current: { id: id(), version: 2, mintStats: { mintedCount: 10 } }, yours: { count: 20 } },
    });
    expect((await setHex('', seen)).body).toMatchObject({ code: 'stale', yours: { hexCollectionId: '' } });
    expect((await remove(seen)).status).toBe(409);
    expect((await reset({ count: 30 })).status).toBe(200);
    expect((await present()).mintStats.mintedCount).toBe(30);
  });

  test('of two saves at the same moment one wins and the other is refused', async () => {
    const seen = { 'if-match': '"1"' };
    const answers = await Promise.all([reset({ count: 1 }, seen), reset({ count: 2 }, seen)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  test('a malformed version is refused', async () => {
    expect(await reset({ count: 1 }, { 'if-match': '"new"' })).toMatchObject({
      status: 400,
      body: { code: 'invalid-if-match' },
    });
  });

  test('events of the collection make no version, so saves still work', async () => {
    const { version, mintStats } = await present();
    mintRock();
    await until(
      'the mint is counted',
      async () => (await present()).mintStats.mintedCount === mintStats.mintedCount + 1,
    );
    expect((await reset({ count: 7 }, { 'if-match': `"${version}"` })).status).toBe(200);
  });
});
