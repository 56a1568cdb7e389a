import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createConfigurationList } from '../../src/telegram/admin/configuration-routes.ts';
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
const askToWait = (retryAfterSeconds: number, times: number) =>
  delivering.sandbox.faults.set('telegram', { kind: '429', operation: 'sendMessage', retryAfterSeconds, times });
/** The times of the calls that send, by the clock, in milliseconds. */
const calledAtMs = (): readonly number[] =>
  delivering.sandbox.requests
    .of('telegram')
    .entries.filter(({ operations }) => operations.includes('sendMessage'))
    .map(({ at }) => Date.parse(at))
    .toSorted((one, other) => one - other);

describe('a reply for which Telegram asks to wait', () => {
  it('is sent once, even after a second wait, and never sooner than requested', async () => {
    await askToWait(1, 2);
    delivering.copy().start();
    expect(await delivering.reply(chatId, content)).toBe('sent');
    expect(delivering.received(chatId)).toEqual(['Bids are off']);
    const [first = 0, second = 0, third = 0, ...more] = calledAtMs();
    expect(more).toEqual([]);
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(990);
  });

  it('is dropped after a minute, when nobody waits for it any more, and leaves no trouble beside the chat', async () => {
    await askToWait(200, 1);
    delivering.copy().start();
    const said = delivering.reply(chatId, content);
    const limited = 'select 1 from telegram_chats where limited_until > clock_timestamp()';
    await until('the reply waits', async () => (await delivering.database.rows(limited)).length === 1);
    await delivering.database.rows("update telegram_messages set created_at = created_at - interval '1 minute'");
    await delivering.timePasses();
    await delivering.timePasses();
    expect(await said).toBe('dropped');
    expect(delivering.received(chatId)).toEqual([]);
    expect(await delivering.chat(chatId)).toMatchObject({ trouble: null });
  });
});

it('a wait of minutes is shown beside the chat, after the words Telegram says', async () => {
  await askToWait(200, 1);
  await delivering.enqueue([{ chatId, text: 'a sale' }]);
  delivering.copy().start();
  await until('the chat is in trouble', async () => (await delivering.chat(chatId))['trouble'] !== null);
  const [listed] = await createConfigurationList(delivering.db, { tracked: async () => new Map() }).present();
  expect(listed?.trouble).toMatch(
    /^Telegram says: Too Many Requests: wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC; if the group has slow mode, make the bot an admin\.$/,
  );
});
