import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { readRecapConfigurations, queueDailyRecap } from '../../src/telegram/notify/recaps.ts';
import { createOutcomeStore } from '../../src/telegram/send/settle.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { type RowHolder, rowHolder } from '../support/row-holder.ts';
import { telegramAdminScene } from '../support/telegram-admin-scene.ts';

/**
 * All code locks a chat before its configurations, and these before its messages. Code that waits for the chat must
 * hold no lock that the holder of the chat may want next: otherwise the two deadlock, and the database ends one of them.
 */
const waitsWithoutLocks = async (
  holder: RowHolder,
  chatId: unknown,
  work: () => Promise<unknown>,
): Promise<unknown> => {
  await holder.hold('telegram_chats', 'chat_id = $1', [chatId]);
  const working = work();
  try {
    await holder.isWaitedFor();
    await holder.hold('telegram_configurations', 'chat_id = $1', [chatId]);
  } finally {
    await holder.end();
  }
  return working;
};

describe('calls by an admin', () => {
  const scene = telegramAdminScene();
  const { group, id, remove, restore, sendTest } = scene;
  const pool = () => group.world.database.pool;

  test('a restore waits for the chat without holding other locks', async () => {
    await remove();
    const answer = await waitsWithoutLocks(await rowHolder(pool()), group.chatId, restore);
    expect(answer).toMatchObject({ status: 200 });
  });

  test('a test message waits for the chat without holding other locks', async () => {
    const answer = await waitsWithoutLocks(await rowHolder(pool()), group.chatId, sendTest);
    expect(answer).toMatchObject({ status: 200 });
  });

  test.each([
    { name: 'a restore', isDeleted: true, call: restore },
    { name: 'a test message', isDeleted: false, call: sendTest },
  ])('$name follows a group that gets another id at that moment', async ({ isDeleted, call }) => {
    if (isDeleted) await remove();
    const other = -1_009_000_000_000 - group.chatId;
    const telegram = await rowHolder(pool());
    await telegram.change('update telegram_chats set chat_id = $2 where chat_id = $1', [group.chatId, other]);
    const answer = call();
    await telegram.isWaitedFor();
    await telegram.end();
    expect((await answer).status).toBe(200);
    const { rows } = await pool().query('select chat_id from telegram_configurations where id = $1', [id()]);
    expect(rows).toEqual([{ chat_id: String(other) }]);
  });
});

describe("the product's own work", () => {
  let delivering: Delivering;
  beforeAll(async () => void (delivering = await startDelivering()));
  afterAll(() => delivering.end());

  test('a batch of mints does not wait for a change of a chat, and its mints are counted', async () => {
    const [chatId = ''] = await delivering.groups(1, { max_supply: 555 });
    const mints = () => delivering.happen(delivering.copy(), [{ kind: 'mint', type: 'mint' }]);
    const holder = await rowHolder(delivering.database.pool);
    await holder.hold('telegram_chats', 'chat_id = $1', [chatId]);
    await mints();
    await holder.end();
    const { rows } = await delivering.database.pool.query(
      'select minted_count::int from telegram_configurations where chat_id = $1',
      [chatId],
    );
    expect(rows).toEqual([{ minted_count: 1 }]);
  });

  test('a daily recap waits for a chat without holding other locks', async () => {
    const [chatId = ''] = await delivering.groups(1, { recap_minute: 0, recapped_until: new Date(0) });
    const db = typedKysely(delivering.database.pool);
    const [recap] = (await readRecapConfigurations(db)).filter((each) => each.chatId === chatId);
    const tell = () => queueDailyRecap(db, recap!, new Date(), null);
    expect(await waitsWithoutLocks(await rowHolder(delivering.database.pool), chatId, tell)).toBe(true);
  });

  test('a message whose group became a supergroup waits for one of the two without holding the other', async () => {
    const [to = '', from = ''] = (await delivering.groups(2)).toSorted((one, other) => Number(one) - Number(other));
    const [id = ''] = await delivering.enqueue([{ chatId: from, text: 'a sale' }]);
    await delivering.database.rows("update telegram_messages set state = 'sending' where id = $1", [id]);
    const log = { info: () => {}, warn: () => {} };
    const parts = { audit: auditTrail, activity: { unwatch: async () => {} } };
    const content = { html: 'a sale', imageUrl: null, buttons: [], isSilent: false };
    const message = { id, chatId: from, topicId: null, content, form: 'full', attempts: 0 } as const;
    const sending = { ...message, editsMessageId: null, isDoubtful: false, isReply: false };
    const holder = await rowHolder(delivering.database.pool);
    await holder.hold('telegram_chats', 'chat_id = $1', [to]);
    const settled = createOutcomeStore({ db: delivering.db, ...parts, log }).settle(
      sending,
      { kind: 'migrated', toChatId: to },
      new AbortController().signal,
    );
    try {
      await holder.isWaitedFor();
      await holder.hold('telegram_chats', 'chat_id = $1', [from]);
    } finally {
      await holder.end();
    }
    await settled;
    expect(await delivering.rows(to)).toMatchObject([{ id, state: 'pending' }]);
  });
});
