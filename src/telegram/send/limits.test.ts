import { describe, expect, test } from 'vitest';

import { createSendLimits, type SendKind } from './limits.ts';

/** Rulings R4: Telegram's limits, and who may use how much of a group's minute. */
const group = '-100';
const person = '7';

function limitsAt() {
  const clock = { ms: 1_000_000 };
  const limits = createSendLimits(() => clock.ms);
  const send = (chatId: string, kind: SendKind, afterMs = 0): void => {
    clock.ms += afterMs;
    limits.end(limits.begin(chatId, kind), true);
  };
  return { clock, limits, send };
}

describe('one message a second in a chat', () => {
  test('counts from the answer: while it is on its way, nobody knows when it arrives', () => {
    const { clock, limits } = limitsAt();
    const sending = limits.begin(group, 'reply');
    clock.ms += 4_000;
    expect(limits.msUntilChat(group, 'card')).toBe(1_003);
    limits.end(sending, true);
    clock.ms += 1_000;
    expect(limits.msUntilChat(group, 'card')).toBe(3);
  });

  test('holds nobody up for an answer that does not come', () => {
    const { clock, limits } = limitsAt();
    limits.begin(person, 'card');
    clock.ms += 6_003;
    expect(limits.msUntilChat(person, 'reply')).toBe(0);
  });

  test('what Telegram refused costs nothing of it', () => {
    const { limits } = limitsAt();
    limits.end(limits.begin(group, 'reply'), false);
    expect([limits.msUntilChat(group, 'reply'), limits.msUntilAny('reply')]).toEqual([0, 0]);
  });
});

describe('the second of all chats', () => {
  test('has room for 30: the next goes when the first of them is a second old', () => {
    const { clock, limits, send } = limitsAt();
    for (let index = 0; index < 30; index += 1) send(`-${index}`, 'card', 1);
    expect(limits.msUntilAny('reply')).toBe(1_003 - 29);
    clock.ms += 1_003 - 29;
    expect(limits.msUntilAny('reply')).toBe(0);
  });

  test('cards come evenly, so that a reply soon finds room at any time', () => {
    const { clock, limits } = limitsAt();
    let sentCount = 0;
    for (const endMs = clock.ms + 10_000; clock.ms < endMs; clock.ms += 1) {
      if (limits.msUntilAny('card') > 0) continue;
      limits.end(limits.begin(`-${(sentCount += 1)}`, 'card'), true);
      if (sentCount > 30) expect(limits.msUntilAny('reply')).toBeLessThanOrEqual(135);
    }
    expect(sentCount).toBeGreaterThan(0.98 * 300);
    expect(sentCount).toBeLessThanOrEqual(307);
  });

  test('of replies it takes 20: whoever asks everywhere leaves the rest to cards', () => {
    const { limits, send } = limitsAt();
    for (let index = 0; index < 20; index += 1) {
      expect(limits.msUntilAny('reply')).toBe(0);
      send(`-${index}`, 'reply');
    }
    expect(limits.msUntilAny('reply')).toBe(1_003);
    expect(limits.msUntilAny('card')).toBe(0);
  });
});

describe("a group's minute", () => {
  const afterSending = (count: number, kind: SendKind) => {
    const world = limitsAt();
    for (let index = 0; index < count; index += 1) world.send(group, kind, 2_000);
    world.clock.ms += 2_000;
    return (asked: SendKind) => world.limits.msUntilChat(group, asked) > 0;
  };

  test.each([
    [17, false],
    [18, true],
  ])('after %i messages the next card waits: %s', (count, waits) => {
    expect(afterSending(count, 'card')('card')).toBe(waits);
  });

  test('is 20 for replies, and 18 of them may be replies', () => {
    expect([19, 20].map((count) => afterSending(count, 'card')('reply'))).toEqual([false, true]);
    expect([17, 18].map((count) => afterSending(count, 'reply')('reply'))).toEqual([false, true]);
  });

  test('a person has no such minute', () => {
    const { clock, limits, send } = limitsAt();
    for (let index = 0; index < 30; index += 1) send(person, 'card', 1_500);
    clock.ms += 1_500;
    expect(limits.msUntilChat(person, 'card')).toBe(0);
  });

  test('is counted on by whichever copy sends next', () => {
    const { limits } = limitsAt();
    const sent = Array.from({ length: 18 }, (_, index) => ({
      chatId: group,
      kind: 'card' as const,
      agoMs: 50_000 - index,
    }));
    limits.load(sent, [{ chatId: person, forMs: 5_000 }]);
    expect(limits.msUntilChat(group, 'card')).toBe(10_003);
    expect(limits.msUntilChat(person, 'card')).toBe(5_000);
  });
});

describe('Telegram asks to wait (429)', () => {
  test('one chat: only that waits', () => {
    const { limits } = limitsAt();
    limits.limited(group, 30_000);
    expect([limits.msUntilChat(group, 'reply'), limits.msUntilAny('card')]).toEqual([30_000, 0]);
  });

  test('two chats, one after the other: the others do not wait for them, however long', () => {
    const { limits } = limitsAt();
    for (const chatId of [group, person]) limits.limited(chatId, 3_600_000);
    expect(limits.msUntilChat(person, 'card')).toBe(3_600_000);
    expect([limits.msUntilAny('card'), limits.msUntilAny('reply'), limits.msUntilChat('-200', 'card')]).toEqual([
      0, 0, 0,
    ]);
  });
});
