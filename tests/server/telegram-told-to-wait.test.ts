import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Delivering, startDelivering } from '../support/delivering.ts';

/** Replies, which go past the deliveries: Telegram may ask to wait more than once (429). */
let delivering: Delivering;
let chatId: string;
beforeEach(async () => {
  delivering = await startDelivering({ telegramLimits: false });
  [chatId = ''] = await delivering.groups(1);
});
afterEach(() => delivering.end());

const content = { html: 'Bids are off', imageUrl: null, buttons: [], isSilent: false };
const toldToWait = (retryAfterSeconds: number, times: number) =>
  delivering.sandbox.faults.set('telegram', { kind: '429', operation: 'sendMessage', retryAfterSeconds, times });
/** When each call that sends came, by the clock, in milliseconds. */
const calledAtMs = (): readonly number[] =>
  delivering.sandbox.requests
    .of('telegram')
    .entries.filter(({ operations }) => operations.includes('sendMessage'))
    .map(({ at }) => Date.parse(at))
    .toSorted((one, other) => one - other);

describe('A reply that Telegram asks to wait with', () => {
  it('is said after the second wait as after the first, once, and never sooner than it was told', async () => {
    await toldToWait(1, 2);
    await delivering.copy().sendNow(Number(chatId), null, content, { kind: 'change' });
    expect(delivering.received(chatId)).toEqual(['Bids are off']);
    const [first = 0, second = 0, third = 0, ...more] = calledAtMs();
    expect(more).toEqual([]);
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(990);
  });

  it('is given up at the second wait when it is a question: both together are longer than anybody waits for an answer', async () => {
    await toldToWait(2, 3);
    const asked = delivering.copy().sendNow(Number(chatId), null, content, { kind: 'question' });
    await expect(asked).rejects.toMatchObject({ error_code: 429 });
    expect(calledAtMs()).toHaveLength(2);
    expect(delivering.received(chatId)).toEqual([]);
  });
});
