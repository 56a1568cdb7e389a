import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Delivering, startDelivering } from '../support/delivering.ts';
import { until } from '../support/until.ts';

/** Issue part E and rulings R4: each way in which Telegram refuses, what becomes of the message, and that nobody else waits. */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering()));
afterEach(() => delivering.end());

const telegram = () => delivering.sandbox.telegram;
const drained = () => until('everything is sent or set aside', () => delivering.isDrained());

describe('A message that Telegram refuses', () => {
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
    const { openTransaction } = await import('../../src/platform/database/open-transaction.ts');
    const answer = await delivering.db
      .transaction()
      .execute((trx) => deliveries.store.retry(poisoned, openTransaction(trx)));
    expect(answer).toMatchObject({ kind: 'queued', message: { state: 'pending', preview: 'mended' } });
    deliveries.wake();
    await drained();
    expect(delivering.received(chatId)).toEqual(['the next', 'mended']);
    const again = await delivering.db
      .transaction()
      .execute((trx) => deliveries.store.retry(poisoned, openTransaction(trx)));
    expect(again).toEqual({ kind: 'not-failed' });
  });

  it('ends with the chat when the bot was put out: what waits there is dropped with the reason, others go on', async () => {
    const [kicked = '', left = '', fine = ''] = await delivering.groups(3);
    const user = telegram().createUser({ firstName: 'Ida' });
    await delivering.enlist(user.id, 'private');
    telegram().setBot({ chatId: Number(kicked), status: 'kicked' });
    telegram().setBot({ chatId: Number(left), status: 'left' });
    const all = [kicked, left, String(user.id), '-1009999999999', fine];
    await delivering.enlist(-1_009_999_999_999, 'supergroup');
    await delivering.enqueue(all.flatMap((chatId) => [0, 1].map((index) => ({ chatId, text: `message ${index}` }))));
    delivering.copy().start();
    await drained();
    expect(delivering.received(fine)).toEqual(['message 0', 'message 1']);
    const reasons = [/kicked/, /not a member/, /chat not found/, /chat not found/];
    for (const [index, chatId] of all.slice(0, 4).entries()) {
      const rows = await delivering.rows(chatId);
      expect(rows.map(({ state }) => state)).toEqual(['dropped', 'dropped']);
      for (const { reason } of rows) expect(reason).toMatch(reasons[index] ?? /never/);
      expect(await delivering.chat(chatId)).toMatchObject({ removed_at: expect.any(Date), has_pending: false });
    }
    expect(await delivering.chat(kicked)).toMatchObject({ bot_status: 'kicked' });
    expect(await delivering.chat(left)).toMatchObject({ bot_status: 'left' });
  });

  it('moves with its group, configuration and all, when that became a supergroup', async () => {
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
  });

  it('goes to the chat itself when its topic is gone, and says so until the next one arrives', async () => {
    const { forumId: id } = telegram().seeded;
    const { threadId } = telegram().createTopic({ chatId: id, name: 'sales today' });
    const chatId = await delivering.enlist(id, 'supergroup');
    await delivering.database.pool.query('update telegram_chats set topic_id = $1', [threadId]);
    telegram().setTopic({ chatId: id, threadId, isDeleted: true });
    await delivering.enqueue([{ chatId, text: 'one', topicId: String(threadId) }]);
    delivering.copy().start();
    await drained();
    expect(delivering.received(chatId)).toEqual(['one']);
    expect(await delivering.chat(chatId)).toMatchObject({
      topic_id: null,
      trouble: 'Bad Request: message thread not found',
    });
    await delivering.enqueue([{ chatId, text: 'two' }]);
    await until('all is well again', async () => (await delivering.chat(chatId))['trouble'] === null);
  });

  it('a closed topic is left as well', async () => {
    const { forumId: id } = telegram().seeded;
    const { threadId } = telegram().createTopic({ chatId: id, name: 'sales today' });
    const chatId = await delivering.enlist(id, 'supergroup');
    telegram().setTopic({ chatId: id, threadId, isClosed: true });
    await delivering.enqueue([0, 1].map((index) => ({ chatId, text: `message ${index}`, topicId: String(threadId) })));
    delivering.copy().start();
    await drained();
    expect(delivering.received(chatId)).toEqual(['message 0', 'message 1']);
    expect(telegram().counters().refusals).toEqual({ '400': 1 });
  });

  it('waits while the bot may not write; the trouble is told, other chats go on, and nothing is lost', async () => {
    const [muted = '', fine = ''] = await delivering.groups(2);
    telegram().setPermissions({ chatId: Number(muted), permissions: { can_send_messages: false } });
    await delivering.enqueue([muted, fine].map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy().start();
    await until('the trouble is told', async () => (await delivering.chat(muted))['trouble'] !== null);
    await until('the other chat has heard', () => delivering.received(fine).length === 1);
    expect(await delivering.chat(muted)).toMatchObject({ trouble: expect.stringMatching(/not enough rights/) });
    expect(await delivering.rows(muted)).toMatchObject([{ state: 'pending', attempts: 1 }]);
    telegram().setPermissions({ chatId: Number(muted), permissions: { can_send_messages: true } });
    await delivering.database.pool.query('update telegram_chats set next_send_at = clock_timestamp()');
    await drained();
    expect(delivering.received(muted)).toEqual(['hello']);
  });
});

describe('Days on which Telegram is unwell', () => {
  it('429 is obeyed: the chat waits as long as it was told, which is no attempt, and other chats go on', async () => {
    const [limited = '', fine = ''] = await delivering.groups(2);
    await delivering.sandbox.faults.set('telegram', {
      kind: '429',
      operation: `chat:${limited}`,
      retryAfterSeconds: 2,
      times: 1,
    });
    await delivering.enqueue([limited, fine].map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy().start();
    await until('the other chat has heard', () => delivering.received(fine).length === 1);
    expect(delivering.received(limited)).toEqual([]);
    await drained();
    const [at = 0] = telegram()
      .accepted()
      .filter(({ chatId }) => String(chatId) === limited)
      .map(({ atMs }) => atMs);
    const asked =
      telegram()
        .calls()
        .find(({ parameters }) => parameters['chat_id'] === fine)?.atMs ?? 0;
    expect(at - asked).toBeGreaterThan(1_800);
    expect(await delivering.rows(limited)).toMatchObject([{ state: 'sent', attempts: 1, is_doubtful: false }]);
  });

  it('a second chat that is told to wait meanwhile makes everything wait', async () => {
    const [one = '', other = '', third = ''] = await delivering.groups(3);
    for (const chatId of [one, other]) {
      await delivering.sandbox.faults.set('telegram', {
        kind: '429',
        operation: `chat:${chatId}`,
        retryAfterSeconds: 2,
        times: 1,
      });
    }
    const deliveries = delivering.copy();
    await delivering.enqueue([one, other].map((chatId) => ({ chatId, text: 'hello' })));
    deliveries.start();
    const gate = async (): Promise<boolean> => {
      const { rows } = await delivering.database.pool.query<{ is_paused: boolean }>(
        'select paused_until > clock_timestamp() as is_paused from telegram_send_gate',
      );
      return rows[0]?.is_paused === true;
    };
    await until('everything waits', gate);
    await delivering.enqueue([{ chatId: third, text: 'hello' }]);
    await drained();
    expect(
      telegram()
        .accepted()
        .map(({ chatId }) => String(chatId))
        .toSorted(),
    ).toEqual([one, other, third].toSorted());
    expect(await gate()).toBe(false);
  });

  it.each(['500', '503', 'refused', 'reset'] as const)(
    '%s: nothing is lost, everything arrives afterwards',
    async (kind) => {
      const chatIds = await delivering.groups(5);
      await delivering.sandbox.faults.set('telegram', { kind });
      await delivering.enqueue(
        chatIds.flatMap((chatId) => [0, 1].map((index) => ({ chatId, text: `message ${index}` }))),
      );
      delivering.copy().start();
      await until('it has been tried', async () => (await delivering.rows()).some(({ attempts }) => attempts > 0));
      await delivering.sandbox.faults.clear('telegram');
      await drained();
      for (const chatId of chatIds) expect(delivering.received(chatId)).toEqual(['message 0', 'message 1']);
    },
  );

  it('an answer that is lost after the message was taken: sent again, and marked as doubtful', async () => {
    const [chatId = ''] = await delivering.groups(1);
    await delivering.sandbox.faults.set('telegram', { kind: 'accepted-reset', times: 1 });
    await delivering.enqueue([0, 1].map((index) => ({ chatId, text: `message ${index}` })));
    delivering.copy().start();
    await drained();
    expect(delivering.received(chatId)).toEqual(['message 0', 'message 0', 'message 1']);
    expect(await delivering.rows(chatId)).toMatchObject([{ is_doubtful: true }, { is_doubtful: false }]);
  });

  it('a chat whose answers hang or are slow does not hold back the others', async () => {
    const [hanging = '', slow = '', ...fine] = await delivering.groups(42);
    await delivering.sandbox.faults.set('telegram', { kind: 'hang', operation: `chat:${hanging}` });
    await delivering.sandbox.faults.set('telegram', { kind: 'slow', operation: `chat:${slow}`, delayMs: 3_000 });
    await delivering.enqueue([hanging, slow, ...fine].map((chatId) => ({ chatId, text: 'hello' })));
    const startedMs = performance.now();
    delivering.copy().start();
    await until('the others have heard', () => fine.every((chatId) => delivering.received(chatId).length === 1));
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await until('the slow one has heard', () => delivering.received(slow).length === 1);
    expect(delivering.received(hanging)).toEqual([]);
  });

  it('a token that Telegram refuses: everything waits, and the token stands nowhere', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const token = '987654321:not-the-token-of-this-bot';
    delivering.copy({ tokenOf: token }).start();
    await delivering.enqueue([{ chatId, text: 'hello' }]);
    await until('it has been tried', async () => (await delivering.rows()).some(({ attempts }) => attempts > 0));
    await delivering.sandbox.faults.set('telegram', { kind: 'refused' });
    await until('it has been tried again', async () => (await delivering.rows()).some(({ attempts }) => attempts > 1));
    expect(await delivering.rows()).toMatchObject([{ state: 'pending' }]);
    expect(delivering.log() + JSON.stringify(await delivering.rows())).not.toContain('not-the-token');
  });
});
