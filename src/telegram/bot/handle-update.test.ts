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

test('an update that we cannot handle is logged as an error, and the chat gets a notice', async () => {
  const { told, handle } = handler(() => Promise.reject(new Error('ours')));
  await handle();
  expect(told).toEqual(['error: A Telegram update could not be handled', expect.stringContaining('my fault')]);
});
