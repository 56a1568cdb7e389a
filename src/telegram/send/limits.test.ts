import { describe, expect, test } from 'vitest';

import { createSendLimits, type SendKind } from './limits.ts';

/** Rulings R4: Telegram's limits, and how a group's minute is shared. */
const group = '-100';
const person = '7';

function limitsAt() {
  const clock = { ms: 1_000_000 };
  const limits = createSendLimits(() => clock.ms);
  const send = (chatId: string, kind: SendKind, afterMs = 0): void => {
    clock.ms += afterMs;
    limits.end(limits.begin(chatId, kind));
  };
  return { clock, limits, send };
}

describe('the limit of one message a second in a chat', () => {
  test('counts from the answer, as until then the time of arrival is unknown', () => {
    const { clock, limits } = limitsAt();
    const sending = limits.begin(group, 'reply');
    clock.ms += 4_000;
    expect(limits.msUntilChat(group, 'card')).toBe(1_003);
    limits.end(sending);
    clock.ms += 1_000;
    expect(limits.msUntilChat(group, 'card')).toBe(3);
  });

  test('does not wait for an answer that never comes', () => {
    const { clock, limits } = limitsAt();
    limits.begin(person, 'card');
    clock.ms += 6_003;
    expect(limits.msUntilChat(person, 'reply')).toBe(0);
  });

  test('does not count a message that Telegram refused', () => {
    const { limits } = limitsAt();
    limits.cancel(limits.begin(group, 'reply'));
    expect([limits.msUntilChat(group, 'reply'), limits.msUntilAny('reply')]).toEqual([0, 0]);
  });
});

describe('the limit per second over all chats', () => {
  test('allows 30 messages: the next goes when the first of them is a second old', () => {
    const { clock, limits, send } = limitsAt();
    for (let index = 0; index < 30; index += 1) send(`-${index}`, 'card', 1);
    expect(limits.msUntilAny('reply')).toBe(1_003 - 29);
    clock.ms += 1_003 - 29;
    expect(limits.msUntilAny('reply')).toBe(0);
  });

  test('spaces cards evenly, so that a reply soon finds room at any time', () => {
    const { clock, limits } = limitsAt();
    let sentCount = 0;
    for (const endMs = clock.ms + 10_000; clock.ms < endMs; clock.ms += 1) {
      if (limits.msUntilAny('card') > 0) continue;
      limits.end(limits.begin(`-${(sentCount += 1)}`, 'card'));
      if (sentCount > 30) expect(limits.msUntilAny('reply')).toBeLessThanOrEqual(135);
    }
    expect(sentCount).toBeGreaterThan(0.98 * 300);
    expect(sentCount).toBeLessThanOrEqual(307);
  });

  test('allows 20 replies, so that asking everywhere leaves the rest to cards', () => {
    const { limits, send } = limitsAt();
    for (let index = 0; index < 20; index += 1) {
      expect(limits.msUntilAny('reply')).toBe(0);
      send(`-${index}`, 'reply');
    }
    expect(limits.msUntilAny('reply')).toBe(1_003);
    expect(limits.msUntilAny('card')).toBe(0);
  });
});

describe('the limit per minute in a group', () => {
  const afterSending = (count: number, kind: SendKind) => {
    const world = limitsAt();
    for (let index = 0; index < count; index += 1) world.send(group, kind, 2_000);
    world.clock.ms += 2_000;
    return (asked: SendKind) => world.limits.msUntilChat(group, asked) > 0;
  };

  test.each([
    [17, false],
    [18, true],
  ])('after %i messages makes the next card wait: %s', (count, waits) => {
    expect(afterSending(count, 'card')('card')).toBe(waits);
  });

  test('is 20 messages for a reply, of which 18 may be replies', () => {
    expect([19, 20].map((count) => afterSending(count, 'card')('reply'))).toEqual([false, true]);
    expect([17, 18].map((count) => afterSending(count, 'reply')('reply'))).toEqual([false, true]);
  });

  test('does not apply to a person', () => {
    const { clock, limits, send } = limitsAt();
    for (let index = 0; index < 30; index += 1) send(person, 'card', 1_500);
    clock.ms += 1_500;
    expect(limits.msUntilChat(person, 'card')).toBe(0);
  });

  test('is carried over to the copy that sends next', () => {
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

describe('when Telegram asks to wait (429)', () => {
  test('in one chat, only that chat waits', () => {
    const { limits } = limitsAt();
    limits.limited(group, 30_000);
    expect([limits.msUntilChat(group, 'reply'), limits.msUntilAny('card')]).toEqual([30_000, 0]);
  });

  test('in two chats, one after the other, the others do not wait, however long it takes', () => {
    const { limits } = limitsAt();
    for (const chatId of [group, person]) limits.limited(chatId, 3_600_000);
    expect(limits.msUntilChat(person, 'card')).toBe(3_600_000);
    expect([limits.msUntilAny('card'), limits.msUntilAny('reply'), limits.msUntilChat('-200', 'card')]).toEqual([
      0, 0, 0,
    ]);
  });
});
