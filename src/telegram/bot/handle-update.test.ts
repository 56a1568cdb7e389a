import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';

import { Unavailable } from '../../shared/failure.ts';
import { createUpdateHandler } from './handle-update.ts';
import type { Asked } from './read-asked.ts';

const update: Update = { update_id: 7 };
const asked = { kind: 'question' } as Asked;

function handler(dispatch: () => Promise<unknown>) {
  const told: string[] = [];
  const tell = (level: string) => (_details: object, message: string) => told.push(`${level}: ${message}`);
  const handle = createUpdateHandler({
    dispatch: async () => void (await dispatch()),
    log: { info: tell('info'), warn: tell('warn'), error: tell('error') },
    apologise: async () => void told.push('apologised'),
    sayWait: async (_update, waitMs) => void told.push(`wait ${waitMs} ms`),
  });
  return { told, handle: (more: Partial<Asked> = {}) => handle(update, { ...asked, ...more }) };
}

test('an update that finds Telegram gone is to be tried again: a warning, no error, and no word to the chat', async () => {
  // Nothing listens at port 1: Telegram is gone.
  const { told, handle } = handler(() => new Api('1:token', { apiRoot: 'http://127.0.0.1:1' }).sendMessage(1, 'rock'));
  await expect(handle()).rejects.toThrow('sendMessage');
  expect(told).toEqual(['warn: An update of Telegram could not be handled yet; it is tried again']);
});

test('where a limit is used up the chat is told how long, and no apology costs more of it', async () => {
  const { told, handle } = handler(() => Promise.reject(new Unavailable('rate-limited', 'slow', undefined, 20_000)));
  await handle();
  expect(told).toEqual(['info: A chat was asked more than its limit lets the bot answer', 'wait 20000 ms']);
  await handle({ kind: 'wish' });
  expect(told.filter((each) => each.startsWith('wait'))).toHaveLength(1);
});

test('an update that we cannot handle is an error, and the chat is told', async () => {
  const { told, handle } = handler(() => Promise.reject(new Error('ours')));
  await handle();
  expect(told).toEqual(['error: An update of Telegram could not be handled', 'apologised']);
});
