import { dropWaiting } from '../../src/telegram/configs/configuration-store.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { TelegramParts } from '../../src/telegram/bot-deps.ts';
import { createTelegramPosting } from '../../src/telegram/notify/posting.ts';
import type { Messaging } from '../../src/telegram/messaging.ts';
import { mist, someAddress, someNft, noNft } from '../support/activity-events.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { deliverySteps, sales } from '../support/delivery-steps.ts';
import { until } from '../support/until.ts';

/** Rulings R4 and R6: from an event to its message, and how an admin sees it. */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering()));
afterEach(() => delivering.end());

const { drained, sql, inTransaction } = deliverySteps(() => delivering);

describe('an event that is found', () => {
  it('is posted once in every group that tracks its collection, with one row for each group and event', async () => {
    const chatIds = await delivering.groups(3);
    const [deaf = ''] = await delivering.groups(1, { track_sales: false });
    const [gone = ''] = await delivering.groups(1);
    const [deleted = ''] = await delivering.groups(1, { deleted_at: new Date() });
    await sql('update telegram_chats set removed_at = clock_timestamp() where chat_id = $1', [gone]);
    const deliveries = delivering.copy();
    deliveries.start();
    const [eventId] = await delivering.happen(deliveries, sales(1));
    await drained();
    for (const chatId of chatIds) {
      expect(delivering.received(chatId)).toEqual([expect.stringContaining('Sui Rock #1')]);
    }
    for (const chatId of [deaf, gone, deleted]) expect(delivering.received(chatId)).toEqual([]);
    const rows = await sql<{ chat_id: string }>('select * from telegram_deliveries order by chat_id');
    expect(rows).toHaveLength(4);
    expect(rows.find(({ chat_id }) => chat_id === deaf)).toMatchObject({
      event_id: String(eventId),
      message_id: null,
      dropped_reason: 'not-tracked',
    });
  });

  it('that is a transfer without a sale is posted in no group, alone in its batch or beside a sale', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const transfers = [{ id: 1n, sender: someAddress(1), receiver: someAddress(2) }];
    const alone = { collection: delivering.collection, floorBeforeMist: null, events: [], transfers };
    // Most batches of a lively collection are like this one: they need no database query.
    const untouchable = {} as Parameters<typeof deliveries.listener.recordBatch>[1];
    await deliveries.listener.recordBatch(
      { ...alone, earlierListings: [], earlierMintCount: 0, gapMs: 30_000, hasMore: false },
      untouchable,
    );
    await delivering.happen(deliveries, sales(1), { transfers });
    await drained();
    expect(delivering.received(chatId)).toEqual([expect.stringContaining('Sui Rock #1')]);
  });

  it('and happened before a group was set up, or while its configuration was gone, is not posted there, though the collection was read for another group', async () => {
    const [old = ''] = await delivering.groups(1, { max_supply: 555, minted_count: 400 });
    const [young = ''] = await delivering.groups(1, { max_supply: 555, minted_count: 400, followed_since: new Date() });
    const deliveries = delivering.copy();
    deliveries.start();
    const mint = (number: number, secondsAgo: number) => ({
      kind: 'mint' as const,
      ...someNft(number, { nftImageUrl: null }),
      happenedAt: new Date(Date.now() - secondsAgo * 1_000),
    });
    await delivering.happen(deliveries, [mint(401, 3), mint(402, 0)]);
    await drained();
    expect(delivering.received(old)).toHaveLength(2);
    expect(delivering.received(young)).toEqual([expect.stringContaining('402 / 555 minted')]);
    const dropped = await sql('select dropped_reason from telegram_deliveries where message_id is null');
    expect(dropped).toEqual([{ dropped_reason: 'before-setup' }]);
  });

  it('is posted once even if it is handed over again', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    deliveries.start();
    const [eventId = 0n] = await delivering.happen(deliveries, sales(1));
    const [event] = await sql('select id from activity_events');
    expect(event).toEqual({ id: String(eventId) });
    await delivering.db.transaction().execute((trx) =>
      deliveries.listener.recordBatch(
        {
          collection: delivering.collection,
          floorBeforeMist: null,
          transfers: [],
          earlierListings: [],
          earlierMintCount: 0,
          gapMs: 30_000,
          hasMore: false,
          events: [
            {
              ...sales(1)[0],
              id: eventId,
              trackedCollectionId: delivering.collection.id,
              kind: 'sale',
              type: 'buy',
              transactionDigest: null,
              priceMist: mist(1),
              foreignCoinType: null,
              foreignRawAmount: null,
              buyer: null,
              seller: null,
              marketName: null,
              ...noNft,
              happenedAt: new Date(),
            },
          ],
        },
        trx,
      ),
    );
    await drained();
    expect(delivering.received(chatId)).toHaveLength(1);
  });

  it('raises the mint count of every group of the collection, which does not count as a save by a person', async () => {
    await delivering.groups(2, { minted_count: 410, max_supply: 555 });
    const deliveries = delivering.copy();
    await delivering.happen(deliveries, [...sales(2), ...sales(3, { kind: 'mint', type: 'mint' })]);
    expect(await sql('select minted_count, version from telegram_configurations')).toEqual([
      { minted_count: '413', version: 1 },
      { minted_count: '413', version: 1 },
    ]);
  });

  it('shows the mint count of its own moment, though its mints were counted while the bot was off', async () => {
    const [chatId = ''] = await delivering.groups(1, { minted_count: 412, max_supply: 555 });
    const deliveries = delivering.copy();
    deliveries.start();
    const mints = [411, 412].map((number) => ({ kind: 'mint' as const, ...someNft(number, { nftImageUrl: null }) }));
    await delivering.happen(deliveries, mints, { earlierMintCount: 2 });
    await drained();
    const counts = mints.map((_mint, index) => expect.stringContaining(`${411 + index} / 555 minted`));
    expect(delivering.received(chatId)).toEqual(counts);
  });

  it('is stored with its messages or not at all', async () => {
    await delivering.groups(1);
    const deliveries = delivering.copy();
    const broken = {
      ...deliveries,
      listener: {
        ...deliveries.listener,
        recordBatch: async (...given: Parameters<typeof deliveries.listener.recordBatch>) => {
          await deliveries.listener.recordBatch(...given);
          throw new Error('the poll fails');
        },
      },
    } satisfies Messaging;
    await expect(delivering.happen(broken, sales(1))).rejects.toThrow('the poll fails');
    expect(await sql('select 1 from activity_events union all select 1 from telegram_messages')).toEqual([]);
  });

  it('costs a few statements for a thousand groups', async () => {
    const chatIds = await delivering.groups(1_000);
    const deliveries = delivering.copy();
    const startedMs = performance.now();
    await delivering.happen(deliveries, sales(3));
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect((await sql<{ count: string }>('select count(*) from telegram_messages'))[0]?.count).toBe('3000');
    const order = await sql<{ chat_id: string; ids: string[] }>(
      'select chat_id, array_agg(id order by happened_at, id)::text[] as ids from telegram_messages group by chat_id',
    );
    expect(order).toHaveLength(chatIds.length);
    for (const { ids } of order) expect(ids).toEqual(ids.toSorted((one, other) => Number(one) - Number(other)));
  });
});

describe('the outbox, as an admin sees it,', () => {
  it('is paged newest first, counts waiting messages, and drops those of a removed configuration', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const [row] = await sql<{ id: string }>('select id from telegram_configurations');
    const configurationId = row?.id ?? '';
    const { outbox } = delivering;
    await delivering.enqueue(
      Array.from({ length: 60 }, (_none, index) => ({
        chatId,
        configurationId,
        text: `<b>message</b> ${index} &lt;3`,
      })),
    );
    const first = await outbox.page(configurationId, null);
    expect(first.messages).toHaveLength(50);
    expect(first.messages[0]).toMatchObject({ preview: 'message 59 <3', state: 'pending', isDoubtful: false });
    const second = await outbox.page(configurationId, first.nextBefore);
    expect(second.messages.at(-1)?.preview).toBe('message 0 <3');
    expect(second.nextBefore).toBeNull();
    expect(await outbox.counts()).toMatchObject({ pendingCount: 60 });
    expect(await outbox.ofChat(chatId)).toMatchObject({ pendingCount: 60, lastSentAt: null });
    await inTransaction((trx) => dropWaiting(trx, { chatId, configurationId }, 'removed'));
    expect(await outbox.counts()).toEqual({ pendingCount: 0, oldestPendingSeconds: null });
  });

  it('sends a test message at the end of the queue and shows it with its outcome', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const [row] = await sql<{ id: string }>('select id from telegram_configurations');
    const configurationId = row?.id ?? '';
    const deliveries = delivering.copy();
    deliveries.start();
    const content = { html: 'a sample', imageUrl: null, buttons: [], isSilent: false };
    const test = await inTransaction((transaction) =>
      delivering.outbox.enqueueTest(transaction, { configurationId, chatId, topicId: null, content }),
    );
    expect(test).toMatchObject({ kind: 'test', state: 'pending' });
    await drained();
    const { messages } = await delivering.outbox.page(configurationId, null);
    expect(messages).toMatchObject([{ id: test.id, state: 'sent', sentAt: expect.any(String) }]);
  });

  it('offers a group for announcements, with its trouble while a message there waits for a right', async () => {
    const [muted = ''] = await delivering.groups(1);
    delivering.sandbox.telegram.setPermissions({ chatId: Number(muted), permissions: { can_send_messages: false } });
    await delivering.enqueue([{ chatId: muted, text: 'hello' }]);
    delivering.copy().start();
    await until('the message waits', async () => (await delivering.rows(muted))[0]?.attempts === 1);
    const service = { read: async () => ({ wanted: 'active' }) };
    const parts = { db: delivering.db, config: { TELEGRAM_BOT_TOKEN: '1:x' }, service } as unknown as TelegramParts;
    const places = await createTelegramPosting(parts).places();
    expect(places).toMatchObject([{ id: muted, trouble: expect.stringContaining('not enough rights') }]);
    delivering.sandbox.telegram.setPermissions({ chatId: Number(muted), permissions: { can_send_messages: true } });
    await until('the message arrives at a later try', async () => {
      await delivering.timePasses();
      return (await delivering.rows(muted))[0]?.state === 'sent';
    });
    expect(await createTelegramPosting(parts).places()).toMatchObject([{ id: muted, trouble: null }]);
  });
});
