import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { transact } from '../../src/db/transaction.ts';
import { createConfigurationStore } from '../../src/telegram/configs/configuration-store.ts';
import { someEvent } from '../support/activity-events.ts';
import { storeEvents } from '../support/stored-events.ts';
import { telegramAdminScene } from '../support/telegram-admin-scene.ts';
import { setUpGroup } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

/** Specification 7 (telegram), rulings R2, R4 and R6. */
const {
  group,
  id,
  telegram,
  typeOf,
  handled,
  watched,
  lastEntry,
  call,
  listed,
  present,
  reset,
  setHex,
  remove,
  restore,
  sendTest,
} = telegramAdminScene();

describe('deleting and restoring', () => {
  test('a deleted configuration is off the list, no longer watched, restorable for 30 days, and its restore is logged', async () => {
    expect(await remove()).toMatchObject({ status: 200, body: { data: { id: id() } } });
    expect((await listed()).map((each) => each.id)).not.toContain(id());
    expect(await watched()).not.toContain(id());
    const deleted = (await listed('/api/telegram/deleted-configs')).find((each) => each.id === id());
    expect(Math.round((Date.parse(deleted?.purgeAt ?? '') - Date.now()) / 86_400_000)).toBe(30);
    expect((await remove()).status).toBe(404);
    expect(await restore()).toMatchObject({
      status: 200,
      body: { data: { id: id(), deletedAt: null, trackMint: true } },
    });
    expect(await watched()).toContain(id());
    expect((await restore()).status).toBe(404);
    expect((await group.world.audited()).slice(-2)).toMatchObject([
      {
        action: 'telegram-configuration-deleted',
        actor: 'chief',
        before: { isDeleted: false },
        after: { isDeleted: true },
      },
      { action: 'telegram-configuration-restored', actor: 'chief' },
    ]);
  });

  test('a configuration that is deleted after the bot was removed is purged when the first of its two periods ends', async () => {
    const setRemovedAt = (at: string) =>
      group.world.database.rows(`update telegram_chats set removed_at = ${at} where chat_id = $1`, [group.chatId]);
    await setRemovedAt("now() - interval '20 days'");
    await remove();
    const deleted = (await listed('/api/telegram/deleted-configs')).find((each) => each.id === id());
    expect(Math.round((Date.parse(deleted?.purgeAt ?? '') - Date.now()) / 86_400_000)).toBe(10);
    await setRemovedAt('null');
    await restore();
  });

  test('deleting, restoring and testing a configuration at the same moment does not deadlock', async () => {
    const calls = [remove, restore, sendTest];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 24 }, async (_none, at) => calls[at % 3]?.()));
      expect(answers.filter((answer) => (answer?.status ?? 500) >= 500)).toEqual([]);
    }
    await restore();
  });

  test('a change does not wait for rows that only refer to the group and its configuration, as each message does', async () => {
    const referring = typedKysely(group.world.database.pool).transaction();
    await referring.execute(async (trx) => {
      await sql`
        select 1 from telegram_configurations join telegram_chats using (chat_id) where id = ${id()} for key share`.execute(
        trx,
      );
      const { chatId } = await present();
      expect((await remove()).status).toBe(200);
      expect((await restore()).status).toBe(200);
      const holding = typedKysely(group.world.database.pool);
      const ofChat = createConfigurationStore(holding).ofChat;
      expect(await transact(holding, (trx) => ofChat(Number(chatId), trx))).toMatchObject({ id: id() });
    });
  });

  test('mints that were found while a configuration was deleted are counted when it is restored, even those from just before', async () => {
    const { mintStats } = await present();
    await remove();
    const [row] = await group.world.database.rows<{ of: string }>(
      'select tracked_collection_id as of from telegram_configurations where id = $1',
      [id()],
    );
    const mint = { trackedCollectionId: BigInt(row!.of), kind: 'mint', type: 'mint', happenedAt: new Date() } as const;
    const before = { ...mint, happenedAt: new Date(Date.now() - 45_000) };
    await storeEvents(typedKysely(group.world.database.pool), [someEvent(1, mint), someEvent(2, before)]);
    expect((await restore()).body.data).toMatchObject({ mintStats: { mintedCount: mintStats.mintedCount + 2 } });
  });

  test('after 30 days a deleted configuration is neither listed nor restorable', async () => {
    await remove();
    await group.world.database.rows(
      "update telegram_configurations set deleted_at = clock_timestamp() - interval '30 days 1 minute' where id = $1",
      [id()],
    );
    expect((await listed('/api/telegram/deleted-configs')).map((each) => each.id)).not.toContain(id());
    expect((await restore()).status).toBe(404);
  });

  test('a deleted configuration cannot be restored while the chat tracks another collection', async () => {
    await remove();
    await setUpGroup(group.world, group.chatId, typeOf('lava-lizards'), group.creator);
    const answer = await restore();
    expect(answer).toMatchObject({ status: 409, body: { code: 'chat-taken' } });
    expect(answer.body.message).toContain('Lava Lizards');
  });

  test('an edit of a deleted configuration is refused', async () => {
    await remove();
    expect((await reset({ count: 1 })).status).toBe(404);
    expect((await setHex('')).status).toBe(404);
    expect(await sendTest()).toMatchObject({
      status: 409,
      body: { code: 'configuration-deleted' },
    });
  });

  test('the configuration of a chat that removed the bot is restored without its collection being read', async () => {
    await remove();
    telegram().setBot({ chatId: group.chatId, status: 'kicked' });
    await handled();
    expect((await restore()).status).toBe(200);
    expect(await watched()).not.toContain(id());
  });
});

describe('deliveries of a chat', () => {
  const failedMessage = async (): Promise<string> => {
    const [row] = await group.world.database.rows<{ id: string }>(
      `insert into telegram_messages (chat_id, configuration_id, kind, content, state, reason)
       values ($1, $2, 'card', '{"html":"mended","imageUrl":null,"buttons":[],"isSilent":false}', 'failed', 'Bad Request: no') returning id`,
      [group.chatId, id()],
    );
    return row?.id ?? '';
  };

  test('send test posts the latest real sale, which is then among the deliveries', async () => {
    const answer = await sendTest();
    expect(answer).toMatchObject({ status: 200, body: { data: { kind: 'test', state: 'pending' } } });
    await until('the message arrives', () =>
      telegram()
        .history(group.chatId)
        .some(({ text }) => text?.includes('the latest real sale') === true),
    );
    await until('the message is stored as sent', async () => {
      const { data } = (await call('GET', `/api/telegram/configs/${id()}/deliveries`)).body;
      return (data as { messages: { kind: string; state: string }[] }).messages.some(
        (each) => each.kind === 'test' && each.state === 'sent',
      );
    });
    expect(await lastEntry()).toMatchObject({ action: 'telegram-test-sent', actor: 'chief' });
  });

  test('a failed message can be sent again, once', async () => {
    const messageId = await failedMessage();
    expect((await present()).failedCount).toBe(1);
    expect(await call('POST', `/api/telegram/messages/${messageId}/retry`)).toMatchObject({
      status: 200,
      body: { data: { id: messageId } },
    });
    await until('the message arrives', () =>
      telegram()
        .history(group.chatId)
        .some(({ text }) => text === 'mended'),
    );
    await until('the message is stored as sent', async () => (await present()).pendingCount === 0);
    expect(await call('POST', `/api/telegram/messages/${messageId}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'message-not-failed' },
    });
    expect((await group.world.audited()).filter(({ action }) => action === 'telegram-message-retried')).toHaveLength(1);
  });

  test('a failed message of a deleted configuration cannot be sent again until the configuration is restored', async () => {
    const messageId = await failedMessage();
    await remove();
    expect(await call('POST', `/api/telegram/messages/${messageId}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'configuration-deleted' },
    });
    await restore();
    expect((await call('POST', `/api/telegram/messages/${messageId}/retry`)).status).toBe(200);
  });

  test('no test is sent to a chat that removed the bot', async () => {
    telegram().setBot({ chatId: group.chatId, status: 'kicked' });
    await handled();
    expect(await sendTest()).toMatchObject({
      status: 409,
      body: { code: 'chat-removed' },
    });
  });

  test('no test is sent while the bot is off', async () => {
    await call('POST', '/api/telegram/shutdown');
    try {
      expect(await sendTest()).toMatchObject({
        status: 409,
        body: { code: 'bot-off' },
      });
    } finally {
      await call('POST', '/api/telegram/init');
    }
  });
});
