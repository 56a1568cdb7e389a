import type { Update } from 'grammy/types';
import { typedKysely } from '../../src/db/connect.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createFloodLimiter, createUpdateIntake } from '../../src/telegram/bot/admit-updates.ts';
import { addUpdateJobs, createUpdateStore, type UpdateJobs } from '../../src/telegram/bot/update-jobs.ts';
import type { TestDatabase } from './database.ts';

const admin = 1;
export const member = 2;
let lastId = 0;
export const said = (text: string, { chatId = -5, from = admin, type = 'supergroup', id = (lastId += 1) } = {}) => ({
  update_id: id,
  message: {
    message_id: id,
    date: 1,
    chat: { id: chatId, type, title: 'Rocks' },
    from: { id: from, is_bot: false, first_name: 'Ada' },
    ...(text === '' ? { sticker: { file_id: 'x' } } : { text }),
    entities: [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]!.length }],
  },
});
export const given = (updates: readonly object[]) => updates as readonly Update[];
export const wordsOf = ({ message }: Update): string => message?.text ?? '';
export const title = (words: string, chatId = -5) => {
  const { update_id, message } = said(words, { chatId });
  return { update_id, message: { ...message, new_chat_title: words, entities: [] } };
};

export interface InboxCopy extends UpdateJobs {
  readonly take: ReturnType<typeof createUpdateIntake>;
  readonly handled: readonly string[];
  readonly end: () => Promise<void>;
}

const me = { id: 9, username: 'rocks_bot' };

/** The part of one copy of the product that takes updates in. */
export async function inboxCopy(
  database: TestDatabase,
  handle: (update: Update) => Promise<void> = async () => {},
  isAdmin: (personId: number) => boolean = (personId) => personId === admin,
): Promise<InboxCopy> {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const jobs = createJobs({ url: database.url, log });
  const handled: string[] = [];
  const store = createUpdateStore(typedKysely(database.pool));
  const nowMs = (): number => performance.now();
  const { handleChats, handleWaiting } = addUpdateJobs({
    store,
    jobs,
    isOn: async () => true,
    me: async () => me,
    handle: async (update) => {
      handled.push(wordsOf(update));
      await handle(update);
    },
    isAdmin: async ({ personId }) => isAdmin(personId),
    refuse: ({ update }) => void handled.push(`refused ${wordsOf(update)}`),
    nowMs,
  });
  const take = createUpdateIntake({ store, handleChats, me: async () => me, limiter: createFloodLimiter(nowMs), log });
  await jobs.start();
  return { take, handleChats, handleWaiting, handled, end: () => jobs.stop() };
}
