import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';

import { createFloodLimiter, createUpdateIntake } from './admit-updates.ts';

const chat = { id: 5, type: 'private', first_name: 'Ann' } as const;
const from = { id: 5, is_bot: false, first_name: 'Ann', username: 'ann', language_code: 'en' };
const message = { message_id: 1, date: 1_800_000_000, chat, from };
const entities = [{ type: 'bot_command', offset: 0, length: 5 }];

function intake() {
  const stored: Update[] = [];
  const warnings: string[] = [];
  const database = { isAway: false };
  const take = createUpdateIntake({
    store: {
      write: async (arrived) => {
        if (database.isAway) throw new Error('away');
        stored.push(...arrived.map(({ update }) => update));
      },
    },
    handleChats: async () => {},
    limiter: createFloodLimiter(() => 0),
    me: async () => ({ id: 9, username: 'rocks_bot' }),
    log: { warn: (_details: object, said: string) => void warnings.push(said) },
  });
  return { stored, warnings, database, take: (updates: readonly object[]) => take(updates as readonly Update[]) };
}

test('updates that break the Bot API are skipped and logged once; the others beside them are stored', async () => {
  const { stored, warnings, take } = intake();
  const help = { update_id: 2, message: { ...message, text: '/help', entities } };
  await take([{ update_id: 1, callback_query: {} }, { update_id: 3, message: { text: 7 } }, help]);
  expect(stored.map(({ update_id: id }) => id)).toEqual([2]);
  expect(warnings).toHaveLength(1);
});

test('a stored update holds no names, no conversation between people, and in private no text but a command', async () => {
  const { stored, take } = intake();
  const group = { id: -5, type: 'supergroup', title: 'Rocks', is_forum: true };
  const question = { message_id: 3, date: 1, chat: group, from: { ...from, id: 9, is_bot: true }, text: 'How many?' };
  const command = { ...message, chat: group, text: '/help', entities, quote: { text: 'a secret' } };
  await take([
    { update_id: 1, message: { ...command, reply_to_message: { ...question, from, text: 'a secret' } } },
    { update_id: 2, message: { ...command, reply_to_message: question, author_signature: 'Ann' } },
    { update_id: 3, message: { ...message, text: 'a secret' } },
    {
      update_id: 4,
      callback_query: { id: '1', from, data: 'x', message: { ...question, photo: [{ file_id: 'x' }] } },
    },
  ]);
  const words = JSON.stringify(stored);
  expect(words).not.toMatch(/secret|Ann|ann|en"/);
  expect(stored[1]?.message?.reply_to_message).toMatchObject({ from: { id: 9 }, text: 'How many?' });
  expect(stored[2]?.message).toMatchObject({ from: { id: 5 }, text: '' });
});

test('an update that is delivered again, because our confirmation was lost or storing failed, is not counted again', async () => {
  const { stored, database, take } = intake();
  const help = (id: number) => ({ update_id: id, message: { ...message, text: '/help', entities } });
  database.isAway = true;
  for (let times = 0; times < 40; times += 1) await expect(take([help(1)])).rejects.toThrow('away');
  database.isAway = false;
  for (let times = 0; times < 40; times += 1) await take([help(1)]);
  for (let id = 2; id <= 40; id += 1) await take([help(id)]);
  // Thirty questions a minute are answered.
  expect(new Set(stored.map(({ update_id: id }) => id))).toEqual(
    new Set(Array.from({ length: 30 }, (_none, at) => at + 1)),
  );
});
