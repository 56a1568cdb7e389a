import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createConfigurationList } from '../../src/telegram/admin/configuration-routes.ts';
import { type Child, startChild } from '../support/child.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { until } from '../support/until.ts';

/** Rulings R4: at most one doubtful message a chat and four in all after a kill -9, never a lost one; an orderly stop leaves none. */
let delivering: Delivering;
const children: Child[] = [];
beforeEach(async () => void (delivering = await startDelivering()));
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
  await delivering.end();
});

const startCopy = async (answerWithinMs = 2_000): Promise<Child> => {
  const settings = {
    databaseUrl: delivering.database.url,
    token: delivering.sandbox.facts.telegramBotToken,
    apiUrl: delivering.sandbox.urls.telegram,
    answerWithinMs,
  };
  const child = startChild('tests/support/sending-copy.ts', [], { TELEGRAM_COPY: JSON.stringify(settings) });
  children.push(child);
  await child.firstLine();
  return child;
};
const accepted = (): number => delivering.sandbox.telegram.counters().acceptedMessages;
const sendingCount = async (): Promise<number> =>
  (await delivering.rows()).filter(({ state }) => state === 'sending').length;

const configurationsOf = async ({ database }: Delivering): Promise<Map<string, string>> => {
  const rows = await database.rows<{ id: string; chat_id: string }>('select id, chat_id from telegram_configurations');
  return new Map(rows.map(({ id, chat_id }) => [chat_id, id]));
};

/** Each message arrived once and in order, except those marked as doubtful. Returns how many were repeated. */
const checkEachMessage = async (chatIds: readonly string[], perChat: number): Promise<number> => {
  let repeatedCount = 0;
  for (const chatId of chatIds) {
    const texts = delivering.received(chatId);
    const firsts = texts.filter((text, index) => texts.indexOf(text) === index);
    expect(firsts).toEqual(Array.from({ length: perChat }, (_none, index) => `message ${index} of ${chatId}`));
    const repeated = texts.filter((text, index) => texts.indexOf(text) !== index);
    const doubtful = (await delivering.rows(chatId)).filter(({ is_doubtful }) => is_doubtful).map(({ html }) => html);
    for (const text of repeated) expect(doubtful).toContain(text);
    repeatedCount += repeated.length;
  }
  return repeatedCount;
};

describe('a copy of the product', () => {
  it('killed with -9 five times in a burst loses nothing; at most four messages per kill are repeated, and they are marked', async () => {
    const chatIds = await delivering.groups(60);
    await delivering.enqueue(
      Array.from({ length: 4 }, (_none, index) =>
        chatIds.map((chatId) => ({ chatId, text: `message ${index} of ${chatId}` })),
      ).flat(),
    );
    for (let kill = 1; kill <= 5; kill += 1) {
      const child = await startCopy();
      const already = accepted();
      await until('the copy is sending', () => accepted() > already + Math.round(Math.random() * 35));
      await child.end('SIGKILL');
    }
    await startCopy();
    await until('all are sent', () => delivering.isDrained());
    expect(await checkEachMessage(chatIds, 4)).toBeLessThanOrEqual(5 * 4);
    const doubtful = (await delivering.rows()).filter(({ is_doubtful }) => is_doubtful);
    expect(doubtful.length).toBeLessThanOrEqual(5 * 4);
    expect(delivering.sandbox.telegram.counters().overLimit).toEqual({ overall: 0, group: 0, chat: 0 });
  }, 60_000);

  it('killed while Telegram takes 2 s to answer leaves at most four messages in doubt, one per chat, each sent again once and counted', async () => {
    const chatIds = await delivering.groups(12);
    const configurations = await configurationsOf(delivering);
    await delivering.enqueue(
      [0, 1].flatMap((index) =>
        chatIds.map((chatId) => ({
          chatId,
          configurationId: configurations.get(chatId) ?? '',
          text: `message ${index} of ${chatId}`,
        })),
      ),
    );
    await delivering.sandbox.faults.set('telegram', { kind: 'accepted-slow', delayMs: 2_000 });
    const child = await startCopy(7_000);
    // The second round is on its way: four messages have arrived and are stored as sent.
    await until('the copy is sending', () => accepted() >= 8);
    await child.end('SIGKILL');
    const killed = (await delivering.rows()).filter(({ state }) => state === 'sending');
    expect(killed.length).toBeGreaterThan(0);
    expect(killed.length).toBeLessThanOrEqual(4);
    expect(new Set(killed.map(({ chat_id }) => chat_id)).size).toBe(killed.length);
    await delivering.sandbox.faults.clear('telegram');
    await startCopy(7_000);
    await until('all are sent', () => delivering.isDrained(), 60_000);
    const doubtful = (await delivering.rows()).filter(({ is_doubtful }) => is_doubtful);
    expect(doubtful.map(({ id }) => id)).toEqual(killed.map(({ id }) => id));
    expect(await checkEachMessage(chatIds, 2)).toBeLessThanOrEqual(killed.length);
    for (const { chat_id, html } of doubtful) {
      expect(delivering.received(chat_id).filter((text) => text === html).length).toBeLessThanOrEqual(2);
    }
    const tracking = { tracked: async () => new Map() };
    const shown = await createConfigurationList(delivering.db, tracking).present();
    for (const { chatId, doubtfulCount } of shown) {
      expect(doubtfulCount).toBe(killed.filter(({ chat_id }) => chat_id === chatId).length);
    }
  }, 90_000);

  it('has at most these four messages on their way, a reply among them: cards do not take all four places', async () => {
    const chatIds = await delivering.groups(12);
    const isReply = (index: number) => (index % 2 === 0 ? ({ kind: 'reply' } as const) : {});
    await delivering.enqueue(chatIds.map((chatId, index) => ({ chatId, text: 'hello', ...isReply(index) })));
    await delivering.sandbox.faults.set('telegram', { kind: 'accepted-hang' });
    await startCopy(15_000);
    await until('four are on their way', () => accepted() >= 4);
    const asked = performance.now();
    await until('500 ms have passed', () => performance.now() - asked > 500);
    const sending = (await delivering.rows()).filter(({ state }) => state === 'sending');
    expect(accepted()).toBe(4);
    expect(sending).toHaveLength(4);
    // At least one place is for replies, however many cards wait.
    expect(sending.map(({ kind }) => kind)).toContain('reply');
  });

  it('killed between the request and its answer has the message sent again by another copy, as doubtful', async () => {
    const [chatId = ''] = await delivering.groups(1);
    await delivering.sandbox.faults.set('telegram', { kind: 'accepted-hang', times: 1 });
    await delivering.enqueue([0, 1].map((index) => ({ chatId, text: `message ${index} of ${chatId}` })));
    const child = await startCopy();
    await until('Telegram has the message', () => accepted() === 1);
    await child.end('SIGKILL');
    expect(await sendingCount()).toBe(1);
    await startCopy();
    await until('all are sent', () => delivering.isDrained());
    expect(await checkEachMessage([chatId], 2)).toBe(1);
    expect(await delivering.rows()).toMatchObject([{ is_doubtful: true }, { is_doubtful: false }]);
  });

  it('stopped in an orderly way finishes messages on their way: none is repeated or stays marked', async () => {
    const chatIds = await delivering.groups(40);
    await delivering.enqueue(chatIds.map((chatId) => ({ chatId, text: `message 0 of ${chatId}` })));
    delivering.sandbox.faults.setLatency('telegram', 150);
    const child = await startCopy(15_000);
    await until('the copy is sending', () => accepted() > 3);
    expect(await child.end('SIGTERM')).toBe(0);
    expect(await sendingCount()).toBe(0);
    delivering.sandbox.faults.setLatency('telegram', 0);
    await startCopy();
    await until('all are sent', () => delivering.isDrained());
    expect(await checkEachMessage(chatIds, 1)).toBe(0);
    expect((await delivering.rows()).filter(({ is_doubtful }) => is_doubtful)).toEqual([]);
  });

  it('stopped in an orderly way does not wait for an answer that never comes: the message is queued again as doubtful', async () => {
    const [chatId = ''] = await delivering.groups(1);
    await delivering.sandbox.faults.set('telegram', { kind: 'hang' });
    await delivering.enqueue([{ chatId, text: 'hello' }]);
    const deliveries = delivering.copy();
    deliveries.start();
    await until('the message is on its way', async () => (await sendingCount()) === 1);
    const startedMs = performance.now();
    await deliveries.stop();
    expect(performance.now() - startedMs).toBeLessThan(4_800);
    expect(await delivering.rows()).toMatchObject([{ state: 'pending', is_doubtful: true }]);
  });

  it('killed while another runs leaves the rest of its messages to that one', async () => {
    const chatIds = await delivering.groups(30);
    await delivering.enqueue(
      [0, 1].flatMap((index) => chatIds.map((chatId) => ({ chatId, text: `message ${index} of ${chatId}` }))),
    );
    const [killed] = await Promise.all([startCopy(), startCopy()]);
    await until('one of them is sending', () => accepted() > 20);
    await killed?.end('SIGKILL');
    await until('all are sent', () => delivering.isDrained());
    expect(await checkEachMessage(chatIds, 2)).toBeLessThanOrEqual(4);
  });
});

describe('a database that goes away', () => {
  it('neither loses nor repeats a message when its connections break in the middle', async () => {
    const chatIds = await delivering.groups(60);
    await delivering.enqueue(chatIds.map((chatId) => ({ chatId, text: `message 0 of ${chatId}` })));
    delivering.copy().start();
    for (const soMany of [10, 25, 40]) {
      await until('the copy is sending', () => accepted() >= soMany);
      await delivering.database.pool
        .query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        .catch(() => {});
    }
    await until('all are sent', () => delivering.isDrained().catch(() => false));
    expect(await checkEachMessage(chatIds, 1)).toBe(0);
  });

  it('does not keep a chat waiting for a message that it marked without answering', async () => {
    const [chatId = ''] = await delivering.groups(1);
    await delivering.enqueue([0, 1].map((index) => ({ chatId, text: `message ${index} of ${chatId}` })));
    const deliveries = delivering.copy();
    deliveries.start();
    await until('the first is sent', () => accepted() === 1);
    await delivering.database.rows("update telegram_messages set state = 'sending' where state = 'pending'");
    const isSent = async () => {
      await delivering.timePasses();
      return delivering.isDrained();
    };
    await until('all are sent', isSent);
    expect(await checkEachMessage([chatId], 2)).toBe(0);
    expect(await delivering.rows(chatId)).toMatchObject([{ is_doubtful: false }, { is_doubtful: true }]);
  });
});
