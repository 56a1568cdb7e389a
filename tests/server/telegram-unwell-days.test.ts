import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Delivering, startDelivering } from '../support/delivering.ts';
import { deliverySteps } from '../support/delivery-steps.ts';
import { until } from '../support/until.ts';

/** Issue part E and rulings R4: Telegram asks to wait, is away or is slow. */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering({ telegramLimits: false })));
afterEach(() => delivering.end());

const telegram = () => delivering.sandbox.telegram;
const { drained, drainedInNoTime } = deliverySteps(() => delivering);

describe('while Telegram is unwell', () => {
  it('429 is obeyed: the chat waits as long as requested, which does not count as an attempt, and other chats go on', async () => {
    const [limited = '', fine = ''] = await delivering.groups(2);
    await delivering.sandbox.faults.set('telegram', {
      kind: '429',
      operation: `chat:${limited}`,
      retryAfterSeconds: 1,
      times: 1,
    });
    await delivering.enqueue([limited, fine].map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy().start();
    await until('the other chat has its message', () => delivering.received(fine).length === 1);
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
    expect(at - asked).toBeGreaterThan(900);
    expect(await delivering.rows(limited)).toMatchObject([{ state: 'sent', attempts: 1, is_doubtful: false }]);
  });

  it('two groups that are told to wait for an hour hold up no other group', async () => {
    const [one = '', other = '', third = ''] = await delivering.groups(3);
    for (const chatId of [one, other]) {
      const fault = { kind: '429', operation: `chat:${chatId}`, retryAfterSeconds: 3_600 } as const;
      await delivering.sandbox.faults.set('telegram', fault);
    }
    await delivering.enqueue([one, other].map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy().start();
    await until('both were told to wait', async () => {
      const limited = 'select 1 from telegram_chats where limited_until > clock_timestamp()';
      return (await delivering.database.rows(limited)).length === 2;
    });
    await delivering.enqueue([{ chatId: third, text: 'hello' }]);
    await until('the third group has its message', () => delivering.received(third).length === 1);
    expect([delivering.received(one), delivering.received(other)]).toEqual([[], []]);
  });

  it.each(['500', '503', 'refused', 'reset'] as const)(
    '%s: nothing is lost, and all arrives afterwards',
    async (kind) => {
      const chatIds = await delivering.groups(5);
      await delivering.sandbox.faults.set('telegram', { kind });
      await delivering.enqueue(
        chatIds.flatMap((chatId) => [0, 1].map((index) => ({ chatId, text: `message ${index}` }))),
      );
      delivering.copy().start();
      await until('a message was tried', async () => (await delivering.rows()).some(({ attempts }) => attempts > 0));
      await delivering.sandbox.faults.clear('telegram');
      await drainedInNoTime();
      for (const chatId of chatIds) expect(delivering.received(chatId)).toEqual(['message 0', 'message 1']);
    },
  );

  it('a message whose answer is lost after it was accepted is sent again, and marked as doubtful', async () => {
    const [chatId = ''] = await delivering.groups(1);
    await delivering.sandbox.faults.set('telegram', { kind: 'accepted-reset', times: 1 });
    await delivering.enqueue([0, 1].map((index) => ({ chatId, text: `message ${index}` })));
    delivering.copy().start();
    await drainedInNoTime();
    expect(delivering.received(chatId)).toEqual(['message 0', 'message 0', 'message 1']);
    expect(await delivering.rows(chatId)).toMatchObject([{ is_doubtful: true }, { is_doubtful: false }]);
  });

  it('a message whose answers are all lost is sent again once, then set aside with the reason, and the next one goes on', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const fault = { kind: 'accepted-reset', operation: 'sendMessage' } as const;
    await delivering.sandbox.faults.set('telegram', { ...fault, times: 2 });
    await delivering.enqueue([0, 1].map((index) => ({ chatId, text: `message ${index}` })));
    delivering.copy().start();
    await drainedInNoTime();
    expect(delivering.received(chatId)).toEqual(['message 0', 'message 0', 'message 1']);
    const reason = expect.stringContaining('for the second time: the message may have arrived');
    expect(await delivering.rows(chatId)).toMatchObject([
      { state: 'failed', is_doubtful: true, reason },
      { state: 'sent' },
    ]);
  });

  it('a message that may have arrived waits however long Telegram does not answer, and is sent again afterwards', async () => {
    const [chatId = ''] = await delivering.groups(1);
    await delivering.sandbox.faults.set('telegram', { kind: 'hang' });
    await delivering.enqueue([{ chatId, text: 'hello' }]);
    delivering.copy({ limits: { answerWithinMs: 200 } }).start();
    await until('the message was tried several times', async () => {
      await delivering.timePasses();
      return (await delivering.rows()).some(({ attempts }) => attempts > 3);
    });
    await delivering.sandbox.faults.clear('telegram');
    await drainedInNoTime();
    expect(delivering.received(chatId)).toEqual(['hello']);
    expect(await delivering.rows(chatId)).toMatchObject([{ state: 'sent', is_doubtful: true }]);
  });

  it('a chat whose answers hang or are slow does not hold back the others', async () => {
    const [hanging = '', slow = '', ...fine] = await delivering.groups(42);
    await delivering.sandbox.faults.set('telegram', { kind: 'hang', operation: `chat:${hanging}` });
    await delivering.sandbox.faults.set('telegram', { kind: 'slow', operation: `chat:${slow}`, delayMs: 1_500 });
    await delivering.enqueue([hanging, slow, ...fine].map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy({ limits: { stopWithinMs: 200, answerWithinMs: 120_000 } }).start();
    await until('the other chats have their messages', () =>
      fine.every((chatId) => delivering.received(chatId).length === 1),
    );
    // The first try to the hanging chat is still under way: no other chat waited for its end.
    expect(await delivering.rows(hanging)).toMatchObject([{ state: 'sending', attempts: 0 }]);
    await until('the slow chat has its message', () => delivering.received(slow).length === 1);
    expect(delivering.received(hanging)).toEqual([]);
  });

  it('three groups whose answers are late every time, as in slow mode, leave a place to the others', async () => {
    const [healthy = '', ...slow] = await delivering.groups(4);
    for (const chatId of slow)
      await delivering.sandbox.faults.set('telegram', { kind: 'slow', operation: `chat:${chatId}`, delayMs: 2_000 });
    const sendingCount = async () => (await delivering.rows()).filter(({ state }) => state === 'sending').length;
    await delivering.enqueue(slow.map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy().start();
    await until('all three are on their way', async () => (await sendingCount()) === 3);
    await delivering.timePasses();
    await drained();
    // Nothing waits in these groups any more, and the queue has noticed; it still knows that they are slow.
    await delivering.timePasses();
    await delivering.enqueue([{ chatId: healthy, text: 'between' }]);
    await drained();
    await delivering.enqueue([...slow, healthy].map((chatId) => ({ chatId, text: 'again' })));
    await until('the healthy group has both messages', () => delivering.received(healthy).length === 2);
    expect(slow.flatMap((chatId) => delivering.received(chatId))).toEqual(['hello', 'hello', 'hello']);
  });

  it.each([
    ['refuse everything', '500'],
    ['do not answer', 'hang'],
  ] as const)('eight of ten groups that %s: a healthy one gets its message within 2 s', async (_how, kind) => {
    const groups = await delivering.groups(10);
    const [failing, healthy] = [groups.slice(0, 8), groups.slice(8)];
    for (const chatId of failing) {
      await delivering.sandbox.faults.set('telegram', { kind, operation: `chat:${chatId}` });
    }
    await delivering.enqueue(failing.map((chatId) => ({ chatId, text: 'hello' })));
    delivering.copy({ limits: { stopWithinMs: 200, answerWithinMs: 1_000 } }).start();
    await until(
      'the failing groups were tried',
      async () => (await delivering.rows()).reduce((sum, { attempts }) => sum + attempts, 0) >= 8,
      60_000,
    );
    for (const chatId of healthy) {
      const enqueuedMs = Date.now();
      await delivering.enqueue([{ chatId, text: 'hello' }]);
      await until('the healthy group has its message', () => delivering.received(chatId).length === 1);
      expect(Date.now() - enqueuedMs).toBeLessThan(2_000);
    }
    for (const chatId of failing) expect(delivering.received(chatId)).toEqual([]);
  });

  it('a message that was on its way when its configuration was deleted, and did not arrive, is not sent again', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const [configuration] = await delivering.database.rows<{ id: string }>('select id from telegram_configurations');
    await delivering.sandbox.faults.set('telegram', { kind: 'hang', times: 1 });
    delivering.copy({ limits: { answerWithinMs: 1_000 } }).start();
    await delivering.enqueue([{ chatId, configurationId: configuration?.id ?? '', text: 'hello' }]);
    await until('the message is on its way', async () => (await delivering.rows())[0]?.state === 'sending');
    await delivering.database.rows('update telegram_configurations set deleted_at = clock_timestamp()');
    await drainedInNoTime();
    expect(await delivering.rows()).toMatchObject([{ state: 'dropped', reason: 'configuration-deleted' }]);
    expect(delivering.received(chatId)).toEqual([]);
  });

  it('with a token that Telegram refuses everything waits, and the token is neither logged nor stored', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const token = '987654321:not-the-token-of-this-bot';
    delivering.copy({ tokenOf: token, limits: { stopWithinMs: 200 } }).start();
    await delivering.enqueue([{ chatId, text: 'hello' }]);
    await until('a message was tried', async () => (await delivering.rows()).some(({ attempts }) => attempts > 0));
    await delivering.sandbox.faults.set('telegram', { kind: 'refused' });
    await until('the message was retried and waits', async () => {
      await delivering.timePasses();
      return (await delivering.rows()).some(({ attempts, state }) => attempts > 1 && state === 'pending');
    });
    expect(delivering.log() + JSON.stringify(await delivering.rows())).not.toContain('not-the-token');
  });
});
