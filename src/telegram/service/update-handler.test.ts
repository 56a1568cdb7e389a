import { Bot } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { expect, test } from 'vitest';

import { Unavailable } from '../../shared/failure.ts';
import { createUpdateHandler } from './update-handler.ts';

const me = { id: 1, is_bot: true, first_name: 'Rocks', username: 'rocks_bot' } as UserFromGetMe;
const update: Update = { update_id: 7, poll: { id: '1' } as NonNullable<Update['poll']> };

function handler(answer: (bot: Bot) => Promise<unknown>) {
  const told: string[] = [];
  const tell = (level: string) => (_details: object, message: string) => told.push(`${level}: ${message}`);
  // Nothing listens at port 1: Telegram is gone.
  const bot = new Bot('1:token', { botInfo: me, client: { apiRoot: 'http://127.0.0.1:1' } });
  bot.on('poll', () => answer(bot));
  const log = { info: tell('info'), warn: tell('warn'), error: tell('error') };
  return {
    told,
    handle: createUpdateHandler({
      bot,
      log,
      apologise: async () => void told.push('apologised'),
      sayWait: async (_update, waitMs) => void told.push(`wait ${waitMs} ms`),
    }),
  };
}

test('an update that finds Telegram gone is to be tried again: a warning, no error, and no word to the chat', async () => {
  const { told, handle } = handler((bot) => bot.api.sendMessage(1, 'rock'));
  await expect(handle(update)).rejects.toThrow('sendMessage');
  expect(told).toEqual(['warn: An update of Telegram could not be handled yet; it is tried again']);
});

test('where a limit is used up the chat is told how long, and no apology costs more of it', async () => {
  const { told, handle } = handler(() => Promise.reject(new Unavailable('rate-limited', 'slow', undefined, 20_000)));
  await handle(update);
  expect(told).toEqual(['info: A chat was asked more than its limit lets the bot answer', 'wait 20000 ms']);
});

test('an update that we cannot handle is an error, and the chat is told', async () => {
  const { told, handle } = handler(() => Promise.reject(new Error('ours')));
  await handle(update);
  expect(told).toEqual(['error: An update of Telegram could not be handled', 'apologised']);
});
