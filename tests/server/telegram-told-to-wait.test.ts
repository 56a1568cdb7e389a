import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Delivering, startDelivering } from '../support/delivering.ts';
import { until } from '../support/until.ts';

/** Telegram may ask to wait more than once (429). */
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
    delivering.copy().start();
    expect(await delivering.reply(chatId, content)).toBe('sent');
    expect(delivering.received(chatId)).toEqual(['Bids are off']);
    const [first = 0, second = 0, third = 0, ...more] = calledAtMs();
    expect(more).toEqual([]);
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(990);
  });

  it('is given up after a minute: nobody waits for it any more', async () => {
    await toldToWait(1, 1);
    delivering.copy().start();
    const said = delivering.reply(chatId, content);
    await until('it waits', () => calledAtMs().length === 1);
    await delivering.database.rows("update telegram_messages set created_at = created_at - interval '1 minute'");
    expect(await said).toBe('dropped');
    expect(delivering.received(chatId)).toEqual([]);
  });
});
