import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Delivering, startDelivering } from '../support/delivering.ts';
import { until } from '../support/until.ts';

/** Issue part E, rulings R4: order per chat, and Telegram's limits kept by design. The sandbox enforces them to the millisecond. */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering()));
afterEach(() => delivering.end());

const overLimit = (): Record<string, number> => delivering.sandbox.telegram.counters().overLimit;
const noneOver = { overall: 0, group: 0, chat: 0 };
const numbered = (chatIds: readonly string[], count: number) =>
  Array.from({ length: count }, (_none, index) =>
    chatIds.map((chatId) => ({ chatId, text: `message ${index} of ${chatId}` })),
  ).flat();

describe('deliveries', () => {
  it('send each waiting message once, and store that it was sent', async () => {
    const [chatId = ''] = await delivering.groups(1);
    delivering.copy().start();
    await delivering.enqueue([{ chatId, text: 'one <b>sale</b>' }]);
    await until('the message is sent', () => delivering.isDrained());
    expect(delivering.received(chatId)).toEqual(['one sale']);
    expect(await delivering.rows(chatId)).toMatchObject([
      { state: 'sent', attempts: 1, is_doubtful: false, sent_at: expect.any(Date) },
    ]);
  });

  it('keep 30 a second over all chats: none of 150 messages is refused, and they do not take minutes', async () => {
    const chatIds = await delivering.groups(150);
    await delivering.enqueue(numbered(chatIds, 1));
    const startedMs = performance.now();
    delivering.copy().start();
    await until('all are sent', () => delivering.isDrained());
    const seconds = (performance.now() - startedMs) / 1_000;
    expect(overLimit()).toEqual(noneOver);
    // 4 s if nothing else runs; `npm run bench telegram-deliveries` shows how near the limit it is.
    expect(seconds).toBeGreaterThan(3.9);
    expect(seconds).toBeLessThan(15);
    expect(delivering.sandbox.telegram.counters().acceptedMessages).toBe(150);
  });

  it('keep one a second in a chat, in the order of events, while other chats go on', async () => {
    const chatIds = await delivering.groups(3);
    await delivering.enqueue(numbered(chatIds, 4));
    delivering.copy().start();
    await until('all are sent', () => delivering.isDrained());
    for (const chatId of chatIds) {
      expect(delivering.received(chatId)).toEqual([0, 1, 2, 3].map((index) => `message ${index} of ${chatId}`));
    }
    expect(overLimit()).toEqual(noneOver);
  });

  it('keep 20 a minute in a group, two of them for replies: the next card waits until the minute has room', async () => {
    const [chatId = '', other = ''] = await delivering.groups(2);
    // As if another copy had sent them.
    await delivering.database.rows(
      `insert into telegram_messages (chat_id, kind, content, state, sent_at)
       select $1, 'notice', '{}', 'sent', clock_timestamp() - second * interval '1 second' from generate_series(2, 18) second`,
      [chatId],
    );
    await delivering.enqueue(numbered([chatId, other], 2));
    delivering.copy().start();
    await until('the other group has both messages', () => delivering.received(other).length === 2);
    expect(delivering.received(chatId)).toEqual([`message 0 of ${chatId}`]);
  });

  it('are sent by one of two copies, within the limits', async () => {
    const chatIds = await delivering.groups(60);
    await delivering.enqueue(numbered(chatIds, 2));
    delivering.copy().start();
    delivering.copy().start();
    await until('all are sent', () => delivering.isDrained());
    expect(overLimit()).toEqual(noneOver);
    for (const chatId of chatIds) {
      expect(delivering.received(chatId)).toEqual([0, 1].map((index) => `message ${index} of ${chatId}`));
    }
  });

  it('send a reply before waiting cards, within a second, and count it', async () => {
    const chatIds = await delivering.groups(90);
    await delivering.enqueue(numbered(chatIds, 1));
    const [asked = 0] = delivering.sandbox.telegram.createGroups({ count: 1 });
    delivering.copy().start();
    await until('the copy is sending', () => delivering.sandbox.telegram.counters().acceptedMessages > 30);
    const content = { html: 'the floor', imageUrl: null, buttons: [], isSilent: false };
    const askedAtMs = performance.now();
    await delivering.reply(asked, content);
    expect(performance.now() - askedAtMs).toBeLessThan(1_000);
    expect(await delivering.isDrained()).toBe(false);
    await until('all are sent', () => delivering.isDrained());
    expect(overLimit()).toEqual(noneOver);
  });

  it('give replies only a share: asking in many groups at once delays nobody’s notifications', async () => {
    const chatIds = await delivering.groups(20);
    const asking = delivering.sandbox.telegram.createGroups({ count: 90 });
    const content = { html: 'the floor', imageUrl: null, buttons: [], isSilent: false };
    const answers = asking.map((chatId) => delivering.reply(chatId, content));
    await until('all replies wait', async () => (await delivering.rows()).length === asking.length);
    await delivering.enqueue(numbered(chatIds, 1));
    delivering.copy().start();
    const areSent = () => chatIds.every((chatId) => delivering.received(chatId).length === 1);
    await until('the notifications are sent', areSent);
    expect(delivering.sandbox.telegram.counters().acceptedMessages).toBeLessThan(asking.length + chatIds.length);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['sent']));
    expect(overLimit()).toEqual(noneOver);
  });
});
