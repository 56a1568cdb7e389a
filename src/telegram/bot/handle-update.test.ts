import { Api, GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import { createUpdateHandler } from './handle-update.ts';
import type { Asked } from './read-asked.ts';

const person = { id: 5, is_bot: false, first_name: 'Ann' };
const message = { message_id: 1, date: 1, chat: { ...person, type: 'private' as const }, from: person, text: '/help' };
const asked = { kind: 'question', command: 'help' } as Asked;

function handler(dispatch: () => Promise<unknown>) {
  const told: string[] = [];
  const tell = (level: string) => (_details: object, text: string) => told.push(`${level}: ${text}`);
  const handle = createUpdateHandler({
    dispatch: async () => void (await dispatch()),
    log: { info: tell('info'), warn: tell('warn'), error: tell('error') },
    api: { answerCallbackQuery: () => Promise.resolve(true) },
  });
  return {
    told,
    handle: () => handle({ update_id: 7, message }, asked, ({ content }) => void told.push(content.html)),
  };
}

test('an update that finds Telegram gone is to be tried again: a warning, no error, and no word to the chat', async () => {
  // Nothing listens at port 1: Telegram is gone.
  const { told, handle } = handler(() => new Api('1:token', { apiRoot: 'http://127.0.0.1:1' }).sendMessage(1, 'rock'));
  await expect(handle()).rejects.toThrow('sendMessage');
  expect(told).toEqual(['warn: An update of Telegram could not be handled yet; it is tried again']);
});

test('where Telegram asks to wait nothing costs more of the limit', async () => {
  const answer = { ok: false, error_code: 429, description: 'Too Many Requests' } as const;
  const { told, handle } = handler(() => Promise.reject(new GrammyError('slow', answer, 'editMessageText', {})));
  await handle();
  expect(told).toEqual(['info: Telegram does not let the bot answer in a chat']);
});

test('an update that we cannot handle is an error, and the chat is told', async () => {
  const { told, handle } = handler(() => Promise.reject(new Error('ours')));
  await handle();
  expect(told).toEqual(['error: An update of Telegram could not be handled', expect.stringContaining('my fault')]);
});
