import { beforeEach, describe, expect, test } from 'vitest';
import { createSendLimits, type SendKind, type Sending } from './limits.ts';
import { createSendGate } from './sending.ts';

/** Rulings R4: at once, one message per chat and four in all are on their way; a slow chat never holds back others. */
let nowMs: number;
let gate: ReturnType<typeof createSendGate>;
let passed: string[];
beforeEach(() => {
  nowMs = 0;
  gate = createSendGate(createSendLimits(() => nowMs));
  passed = [];
});

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for a place and lets ten seconds pass, so that Telegram's own limits do not matter. */
async function ask(chatId: string, kind: SendKind): Promise<void> {
  nowMs += 10_000;
  void gate.pass(chatId, kind, never).then((_sending: Sending) => passed.push(`${kind} to ${chatId}`));
  nowMs += 10_000;
  gate.check();
  await settled();
}
const leave = async (chatId: string): Promise<void> => {
  gate.leave(chatId);
  await settled();
};

describe('messages on their way at once', () => {
  test('are at most one per chat, whatever its kind', async () => {
    await ask('1', 'card');
    await ask('1', 'reply');
    await ask('2', 'reply');
    expect(passed).toEqual(['card to 1', 'reply to 2']);
    await leave('1');
    expect(passed.at(-1)).toBe('reply to 1');
  });

  test.each([
    ['card', 'reply'],
    ['reply', 'card'],
  ] as const)('are at most four; %s messages leave one place to a %s', async (kind, other) => {
    for (const chatId of ['1', '2', '3', '4']) await ask(chatId, kind);
    expect(passed).toEqual([`${kind} to 1`, `${kind} to 2`, `${kind} to 3`]);
    await ask('5', other);
    await ask('6', other);
    expect(passed.slice(3)).toEqual([`${other} to 5`]);
    await leave('2');
    expect(passed).toHaveLength(5);
  });
});
