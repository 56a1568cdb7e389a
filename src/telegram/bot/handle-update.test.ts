import { expect, test } from 'vitest';

import { createUpdateHandler, type UpdateHandlerDeps } from './handle-update.ts';
import { readRequest } from './read-request.ts';

const from = { id: 5, is_bot: false, first_name: 'Ann' };
const chat = { id: -5, type: 'group' as const, title: 'Rocks' };
const entities = [{ type: 'bot_command' as const, offset: 0, length: 5 }];
const update = { update_id: 7, message: { message_id: 1, date: 1, chat, from, text: '/help', entities } };
const me = { id: 9, username: 'rocks_bot' };

/** A bot whose every command fails with this error. */
function failingBot(failure: Error) {
  const happened: string[] = [];
  const log = (level: string) => (_details: object, text: string) => happened.push(`${level}: ${text}`);
  const { handle } = createUpdateHandler({
    chats: { save: () => Promise.reject(failure) },
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    me: async () => me,
  } as unknown as UpdateHandlerDeps);
  const reply = ({ content }: { readonly content: { readonly html: string } }) => void happened.push(content.html);
  return { happened, handle: () => handle(update, readRequest(update, me), reply) };
}

test('an update that we cannot handle is logged as an error, and the chat gets a notice', async () => {
  const { happened, handle } = failingBot(new Error('ours'));
  await handle();
  expect(happened).toEqual(['error: A Telegram update could not be handled', expect.stringContaining('my fault')]);
});
