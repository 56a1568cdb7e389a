import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { expect, onTestFinished, test, vi } from 'vitest';

import { apiFailureOf, type BotApi } from '../send/bot-api.ts';
import { pollUpdates, runBot } from './run-bot.ts';

const update: Update = { update_id: 7 };

/** Telegram gives these answers, one after the other. */
function polled(answers: readonly unknown[]) {
  const asked: object[] = [];
  const taken: (readonly Update[])[] = [];
  const stop = new AbortController();
  const getUpdates = (options: object): Promise<unknown> => {
    asked.push(options);
    if (asked.length === answers.length) stop.abort();
    return Promise.resolve(answers[asked.length - 1]);
  };
  const api = { getUpdates } as unknown as Pick<Api, 'getUpdates'>;
  const take = (updates: readonly Update[]): Promise<void> => Promise.resolve(void taken.push(updates));
  return { asked, taken, over: pollUpdates({ api, take, onAnswer: () => {} }, stop.signal) };
}

test.each([
  ['has a malformed update id', [update, { update_id: '8' }]],
  ['is not a list', { length: 1 }],
])('an answer that %s counts as a failure of Telegram: none of it is taken or confirmed', async (_how, answer) => {
  const { asked, taken, over } = polled([answer, []]);
  const failure = await over.catch((error: unknown) => error);
  expect(apiFailureOf(failure)?.sentence).toBe("Telegram's answer to getUpdates cannot be read.");
  expect(taken).toEqual([]);
  expect(asked).toEqual([expect.not.objectContaining({ offset: expect.anything() })]);
});

test('taken updates are confirmed by the next request', async () => {
  const { asked, taken, over } = polled([[update], []]);
  await over;
  expect(taken).toEqual([[update]]);
  expect(asked[1]).toMatchObject({ offset: 8 });
});

test('a bot whose updates cannot be delivered runs all the same, and says how many until they arrive', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const waiting = [1, 2, 0];
  const api = {
    getMe: async () => ({ id: 7, is_bot: true, first_name: 'Rocks', username: 'rocks_bot' }),
    setWebhook: async () => true,
    getWebhookInfo: async () => ({
      url: 'https://rocks.example/hook',
      pending_update_count: waiting.shift(),
      last_error_date: Date.now() / 1_000,
      last_error_message: 'Connection refused',
    }),
  };
  const reports: unknown[] = [];
  const report = {
    connected: ({ username }: { username: string }, trouble?: string | null) => void reports.push([username, trouble]),
    troubled: () => void reports.push('it does not run'),
  };
  const webhook = async () => ({ url: 'https://rocks.example/hook', pathSecret: 'x', secretToken: 'x' });
  const stop = new AbortController();
  const deps = { botApi: { api } as unknown as BotApi, webhook, take: async () => {}, onIdentified: async () => {} };
  const over = runBot(deps, report, stop.signal);
  await vi.advanceTimersByTimeAsync(3 * 30_000);
  stop.abort();
  await over;
  const undelivered = (updates: string) =>
    `Telegram cannot deliver ${updates} to PUBLIC_URL: Connection refused. Check that it is reachable over https.`;
  expect(reports).toEqual([
    ['rocks_bot', null],
    ['rocks_bot', undelivered('1 update')],
    ['rocks_bot', undelivered('2 updates')],
    ['rocks_bot', null],
  ]);
});
