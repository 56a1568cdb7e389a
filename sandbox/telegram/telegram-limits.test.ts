import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../tests/support/until.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { botApiCaller } from './bot-api-caller.ts';
import { createSendLimits } from './send-limits.ts';

describe('limits on messages, in sliding windows', () => {
  const limitsAt = () => {
    const clock = { ms: 1_000_000 };
    return { clock, limits: createSendLimits(() => clock.ms) };
  };

  test('one per second in a chat, to the millisecond', () => {
    const { clock, limits } = limitsAt();
    expect(limits.take(1, false)).toBeNull();
    clock.ms += 999;
    expect(limits.take(1, false)).toBe(1);
    clock.ms += 1;
    expect(limits.take(1, false)).toBeNull();
    expect(limits.refusals).toEqual({ overall: 0, group: 0, chat: 1 });
  });

  test('thirty per second overall, however they are spread', () => {
    const { clock, limits } = limitsAt();
    for (let chat = 1; chat <= 30; chat += 1) {
      clock.ms += 30;
      expect(limits.take(chat, false)).toBeNull();
    }
    clock.ms += 100;
    expect(limits.take(31, false)).toBe(1);
    clock.ms += 30;
    expect(limits.take(32, false)).toBeNull();
    expect(limits.take(33, false)).toBe(1);
  });

  test('twenty per minute in a group, any number in a private chat; a refusal gives the full wait', () => {
    const { clock, limits } = limitsAt();
    for (let message = 0; message < 20; message += 1) {
      expect(limits.take(-1, true)).toBeNull();
      expect(limits.take(1, false)).toBeNull();
      clock.ms += 1000;
    }
    expect(limits.take(1, false)).toBeNull();
    expect(limits.take(-1, true)).toBe(40);
    clock.ms += 40_000;
    expect(limits.take(-1, true)).toBeNull();
    expect(limits.take(-1, true)).toBe(1);
  });

  test('a refused message does not lengthen the wait', () => {
    const { clock, limits } = limitsAt();
    limits.take(1, false);
    for (const step of [200, 400, 300]) {
      clock.ms += step;
      expect(limits.take(1, false)).toBe(1);
    }
    clock.ms += 100;
    expect(limits.take(1, false)).toBeNull();
  });
});

describe('over the wire', () => {
  let sandbox: Sandbox;
  let call: ReturnType<typeof botApiCaller>;
  beforeAll(async () => {
    sandbox = await startSandbox();
    call = botApiCaller(sandbox);
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    sandbox.telegram.reset();
    sandbox.telegram.setLimits(null);
    await sandbox.faults.clear();
  });
  const say = (chatId = sandbox.telegram.seeded.groupId) => call('sendMessage', { chat_id: chatId, text: 'x' });

  test('a message over a limit gets 429 with the seconds to wait, and counts as refused, not as posted', async () => {
    expect((await say()).ok).toBe(true);
    expect(await say()).toEqual({
      status: 429,
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 1',
      parameters: { retry_after: 1 },
    });
    expect(sandbox.telegram.counters()).toMatchObject({
      acceptedMessages: 1,
      refusals: { 429: 1 },
      overLimit: { chat: 1, group: 0, overall: 0 },
    });
    expect(sandbox.telegram.history(sandbox.telegram.seeded.groupId)).toHaveLength(1);
  });

  test('limits can be switched off and changed', async () => {
    sandbox.telegram.setLimits({ enforced: false });
    for (let message = 0; message < 40; message += 1) expect((await say()).ok).toBe(true);
    sandbox.telegram.setLimits({ enforced: true, perChatPerSecond: 2, perGroupPerMinute: 3 });
    expect([(await say()).status, (await say()).status, (await say()).status]).toEqual([200, 200, 429]);
  });

  test('ten thousand groups can be created at once and accept messages', async () => {
    const chatIds = sandbox.telegram.createGroups({ count: 10_000 });
    expect(new Set(chatIds).size).toBe(10_000);
    expect((await say(chatIds.at(-1))).ok).toBe(true);
  });

  test.each(['accepted-reset', 'accepted-hang'] as const)(
    'after %s the message is posted but the caller gets no answer',
    async (kind) => {
      await sandbox.faults.set('telegram', { kind, operation: 'sendMessage', times: 1 });
      const url = `${sandbox.urls.telegram}/bot${sandbox.telegram.token}/sendMessage`;
      const body = new URLSearchParams({ chat_id: String(sandbox.telegram.seeded.groupId), text: 'x' });
      const gone = new AbortController();
      const sending = fetch(url, { method: 'POST', body, signal: gone.signal }).then(
        () => 'answered',
        () => 'unanswered',
      );
      await until('the message is posted', () => sandbox.telegram.accepted().length === 1);
      if (kind === 'accepted-hang') gone.abort();
      expect(await sending).toBe('unanswered');
      expect(sandbox.telegram.counters().acceptedMessages).toBe(1);
    },
  );

  test("a fault can apply to one chat alone, and answers 429 in Telegram's form", async () => {
    const { groupId, forumId } = sandbox.telegram.seeded;
    await sandbox.faults.set('telegram', { kind: '429', operation: `chat:${groupId}`, retryAfterSeconds: 7 });
    expect(await say()).toMatchObject({ status: 429, parameters: { retry_after: 7 } });
    expect((await say(forumId)).ok).toBe(true);
    await sandbox.faults.clear();
    await sandbox.faults.set('telegram', { kind: '500', operation: 'sendMessage' });
    expect(await say()).toMatchObject({ status: 500, ok: false, description: 'Internal Server Error' });
    expect((await call('getMe')).ok).toBe(true);
  });
});
