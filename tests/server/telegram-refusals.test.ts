import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChatStore } from '../../src/telegram/configs/chat-store.ts';
import { noteArrived } from '../../src/telegram/send/settle.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { deliverySteps } from '../support/delivery-steps.ts';
import { until } from '../support/until.ts';

/**
 * Issue part E and rulings R4: every kind of refusal by Telegram, its outcome for the message, and that others do not
 * wait. How long the next attempt waits is tested elsewhere: here time passes by itself.
 */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering({ telegramLimits: false })));
afterEach(() => delivering.end());

const telegram = () => delivering.sandbox.telegram;
const { drainedInNoTime: drained, inTransaction } = deliverySteps(() => delivering);

let messageId: string;

/** Watches the collection of each group for it. */
const watchAll = () =>
  delivering.database.rows(
    "insert into collection_watches select tracked_collection_id, 'telegram', id::text from telegram_configurations",
  );
const watchingChats = async (): Promise<string[]> => {
  const rows = await delivering.database.rows<{ chat_id: string }>(
    'select c.chat_id::text from collection_watches w join telegram_configurations c on c.id::text = w.watcher',
  );
  return rows.map(({ chat_id: chatId }) => chatId);
};

describe('a message that Telegram refuses', () => {
  it('is sent once more as plain text when its markup is broken; the next one goes on', async () => {
    const [chatId = ''] = await delivering.groups(1);
    await delivering.enqueue([
      { chatId, text: '<b>broken <i>markup &amp; more' },
      { chatId, text: 'the next' },
    ]);
    delivering.copy().start();
    await drained();
    expect(delivering.received(chatId)).toEqual(['broken markup & more', 'the next']);
    expect(await delivering.rows(chatId)).toMatchObject([
      { state: 'sent', form: 'plain', attempts: 2, is_doubtful: false },
      { state: 'sent', form: 'full', attempts: 1 },
    ]);
  });

  it("is set aside with Telegram's own reason when plain text does not help; the next one goes on, and a retry sends it", async () => {
    const [chatId = ''] = await delivering.groups(1);
    const [poisoned = ''] = await delivering.enqueue([
      { chatId, text: '<b></b>' },
      { chatId, text: 'the next' },
    ]);
    const deliveries = delivering.copy();
    deliveries.start();
    await drained();
    expect(delivering.received(chatId)).toEqual(['the next']);
    const [failed] = await delivering.rows(chatId);
    expect(failed).toMatchObject({ state: 'failed', attempts: 2 });
    expect(failed?.reason).toMatch(/^Bad Request: .*empty/);

    await delivering.database.pool.query(
      `update telegram_messages set content = jsonb_set(content, '{html}', '"mended"') where id = $1`,
      [poisoned],
    );
    const answer = await inTransaction((transaction) => delivering.outbox.retry(transaction, poisoned));
    expect(answer).toMatchObject({ state: 'pending', preview: 'mended' });
    await drained();
    expect(delivering.received(chatId)).toEqual(['the next', 'mended']);
    const again = inTransaction((transaction) => delivering.outbox.retry(transaction, poisoned));
    await expect(again).rejects.toMatchObject({ reason: 'message-not-failed' });
  });

  it('is dropped with the reason, like all others in its chat, when the bot was removed there; other chats go on', async () => {
    const [kicked = '', left = '', fine = ''] = await delivering.groups(3);
    const user = telegram().createUser({ firstName: 'Ida' });
    await delivering.enlist(user.id, 'private');
    telegram().setBot({ chatId: Number(kicked), status: 'kicked' });
    telegram().setBot({ chatId: Number(left), status: 'left' });
    const all = [kicked, left, String(user.id), '-1009999999999', fine];
    await delivering.enlist(-1_009_999_999_999, 'supergroup');
    await watchAll();
    await delivering.enqueue(all.flatMap((chatId) => [0, 1].map((index) => ({ chatId, text: `message ${index}` }))));
    delivering.copy().start();
    await drained();
    expect(delivering.received(fine)).toEqual(['message 0', 'message 1']);
    const reasons = [/kicked/, /not a member/, /chat not found/, /chat not found/];
    for (const [index, chatId] of all.slice(0, 4).entries()) {
      const rows = await delivering.rows(chatId);
      expect(rows.map(({ state }) => state)).toEqual(['dropped', 'dropped']);
      for (const { reason } of rows) expect(reason).toMatch(reasons[index] ?? /never/);
      expect(await delivering.chat(chatId)).toMatchObject({ removed_at: expect.any(Date) });
    }
    expect(await watchingChats()).toEqual([fine]);
    expect(await delivering.chat(kicked)).toMatchObject({ bot_status: 'kicked' });
    expect(await delivering.chat(left)).toMatchObject({ bot_status: 'left' });
    const entries = await delivering.database.pool.query(
      "select before, after from audit_entries where action = 'telegram-bot-removed'",
    );
    expect(entries.rows).toHaveLength(4);
    expect(entries.rows).toContainEqual({
      before: { bot: 'member' },
      after: { bot: 'kicked', reason: expect.stringContaining('kicked') },
    });
  });

  it('moves with its group and the configuration when the group became a supergroup', async () => {
    const { groupId } = telegram().seeded;
    const from = await delivering.enlist(groupId, 'group');
    const { id } = telegram().migrateGroup({ chatId: groupId });
    await delivering.enqueue([0, 1].map((index) => ({ chatId: from, text: `message ${index}` })));
    delivering.copy().start();
    await drained();
    expect(delivering.received(String(id))).toEqual(['message 0', 'message 1']);
    const { rows } = await delivering.database.pool.query('select chat_id from telegram_configurations');
    expect(rows).toEqual([{ chat_id: String(id) }]);
    expect(await delivering.chat(from)).toEqual({});
    expect(await delivering.chat(String(id))).toMatchObject({ kind: 'supergroup', removed_at: null });
    const entries = await delivering.database.pool.query('select action, before, after from audit_entries');
    expect(entries.rows).toEqual([
      { action: 'telegram-chat-migrated', before: { chatId: from }, after: { chatId: String(id) } },
    ]);
  });

  it('moves to a supergroup that was set up meanwhile; the old collection of the group is no longer watched', async () => {
    const { groupId } = telegram().seeded;
    const from = await delivering.enlist(groupId, 'group');
    const { id } = telegram().migrateGroup({ chatId: groupId });
    const to = await delivering.enlist(id, 'supergroup');
    await watchAll();
    await delivering.enqueue([{ chatId: from, text: 'a message' }]);
    delivering.copy().start();
    await drained();
    expect(delivering.received(to)).toEqual(['a message']);
    const { rows } = await delivering.database.pool.query(
      'select w.watcher from collection_watches w join telegram_configurations c on c.id::text = w.watcher where c.deleted_at is not null',
    );
    expect(rows).toEqual([]);
    expect(await watchingChats()).toEqual([to]);
  });

  it.each([
    ['closed', { isClosed: true }, 'telegram-topic-closed'],
    ['gone', { isDeleted: true }, 'telegram-topic-gone'],
  ] as const)(
    'goes to the chat itself while its topic is %s: the pin stays, and the group gets one notice',
    async (state, change, action) => {
      const { forumId: id } = telegram().seeded;
      const { threadId } = telegram().createTopic({ chatId: id, name: 'sales today' });
      const chatId = await delivering.enlist(id, 'supergroup');
      await delivering.database.pool.query('update telegram_chats set topic_id = $1', [threadId]);
      telegram().setTopic({ chatId: id, threadId, ...change });
      await delivering.enqueue(
        [0, 1].map((index) => ({ chatId, text: `message ${index}`, topicId: String(threadId) })),
      );
      delivering.copy().start();
      await drained();
      expect(delivering.received(chatId)).toEqual(['message 0', 'message 1', expect.stringContaining('come here')]);
      expect(telegram().counters().refusals).toEqual({ '400': 1 });
      expect(await delivering.chat(chatId)).toMatchObject({
        topic_id: String(threadId),
        topic_state: state,
        trouble: null,
      });
      const { rows } = await delivering.database.pool.query(
        'select action, actor_name, before, after from audit_entries',
      );
      const [before, after] = [`topic ${threadId}`, 'the group itself'].map((to) => ({ notificationsTo: to }));
      expect(rows).toEqual([{ action, actor_name: 'Telegram', before, after }]);
    },
  );

  it('waits while the bot may not write; the trouble is stored, other chats go on, and nothing is lost', async () => {
    const [muted = '', fine = ''] = await delivering.groups(2);
    await delivering.database.pool.query('update telegram_chats set can_send_photos = false');
    telegram().setPermissions({ chatId: Number(muted), permissions: { can_send_messages: false } });
    await delivering.enqueue([muted, fine].map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy().start();
    await until('the trouble is stored', async () => (await delivering.chat(muted))['trouble'] !== null);
    await until('the other chat has its message', () => delivering.received(fine).length === 1);
    expect(await delivering.chat(muted)).toMatchObject({ trouble: expect.stringMatching(/not enough rights/) });
    expect(await delivering.rows(muted)).toMatchObject([{ state: 'pending', attempts: 1 }]);
    telegram().setPermissions({ chatId: Number(muted), permissions: { can_send_messages: true } });
    await drained();
    expect([delivering.received(muted), await delivering.chat(muted)]).toMatchObject([['hello'], { trouble: null }]);
  });

  it('is sent with its picture again once a reply with one has arrived, as Telegram does not report the right', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const imageUrl = `data:image/png;base64,${picture.toString('base64')}`;
    const content = { html: 'a sale', imageUrl, buttons: [], isSilent: false };
    const methods = () =>
      telegram()
        .accepted()
        .map(({ method }) => method);
    const maySendPhotos = (may: boolean) =>
      telegram().setPermissions({ chatId: Number(chatId), permissions: { can_send_photos: may } });
    maySendPhotos(false);
    const deliveries = delivering.copy();
    deliveries.start();
    await delivering.enqueue([{ chatId, text: '', content }]);
    await drained();
    expect(methods()).toEqual(['sendMessage']);
    expect(await delivering.chat(chatId)).toMatchObject({ can_send_photos: false });
    maySendPhotos(true);
    await delivering.reply(chatId, content);
    await delivering.enqueue([{ chatId, text: '', content }]);
    await drained();
    expect(methods()).toEqual(['sendMessage', 'sendPhoto', 'sendPhoto']);
    expect(await delivering.chat(chatId)).toMatchObject({ can_send_photos: true });
  });

  it.each([
    [
      'Telegram reports that the mute was lifted',
      (chatId: string) =>
        inTransaction((trx) =>
          createChatStore(delivering.db).noteMembership(
            trx,
            { id: Number(chatId), kind: 'supergroup', title: 'Rock Fans', isForum: false },
            { status: 'member', canSendMessages: true, canSendPhotos: true },
          ),
        ),
    ],
    ['a reply has arrived there', (chatId: string) => noteArrived(delivering.db, chatId, { hasPhoto: false })],
    [
      'an admin retries it',
      async () => {
        await delivering.database.pool.query("update telegram_messages set state = 'failed' where state = 'pending'");
        await inTransaction((trx) => delivering.outbox.retry(trx, messageId));
      },
    ],
  ] as const)('no longer waits for the right once %s', async (_when, lift) => {
    const [muted = ''] = await delivering.groups(1);
    telegram().setPermissions({ chatId: Number(muted), permissions: { can_send_messages: false } });
    [messageId = ''] = await delivering.enqueue([{ chatId: muted, text: 'hello' }]);
    delivering.copy().start();
    await until('the message waits', async () => (await delivering.rows(muted))[0]?.attempts === 1);
    telegram().setPermissions({ chatId: Number(muted), permissions: { can_send_messages: true } });
    await lift(muted);
    // The back-off alone would be 45 seconds at least.
    await until('the message has arrived', () => delivering.received(muted).length === 1, 20_000);
  });
});
