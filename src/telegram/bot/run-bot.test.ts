import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';

import { apiFailureOf } from '../send/bot-api.ts';
import { pollUpdates } from './run-bot.ts';

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
