import type { Update } from 'grammy/types';

import { kyselyOver } from '../../src/db/connect.ts';
import { createInboxStore, type InboxStore } from '../../src/telegram/adapters/inbox-store.ts';
import type { TelegramTables } from '../../src/telegram/adapters/tables.ts';
import { createUpdateIntake, type UpdateIntake } from '../../src/telegram/service/update-intake.ts';
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

export interface InboxCopy {
  readonly intake: UpdateIntake;
  readonly handled: readonly string[];
  /** Which statements it has asked of the database, in order. */
  readonly statements: readonly string[];
  /** What it has warned of, and what it said was over. */
  readonly logged: readonly string[];
  readonly carryOn: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface InboxCopyOptions {
  readonly claimMs?: number;
  readonly renewEveryMs?: number;
  readonly handle?: (update: Update) => Promise<void>;
}

/** One copy of the product, as far as it takes updates in. */
export function inboxCopy(
  database: TestDatabase,
  name: string,
  { claimMs = 60_000, renewEveryMs = 60_000, handle = async () => {} }: InboxCopyOptions = {},
): InboxCopy {
  const statements: string[] = [];
  const store = createInboxStore({ db: kyselyOver<TelegramTables>(database.pool), copy: name, claimMs });
  const counted = Object.fromEntries(
    Object.entries(store).map(([key, run]) => [
      key,
      (...args: readonly never[]) => {
        statements.push(key);
        return (run as (...all: readonly never[]) => unknown)(...args);
      },
    ]),
  ) as unknown as InboxStore;
  const handled: string[] = [];
  const logged: string[] = [];
  const note = (_details: object, sentence: string): void => void logged.push(sentence);
  const intake = createUpdateIntake({
    store: counted,
    handle: async (update) => {
      handled.push(wordsOf(update));
      await handle(update);
    },
    sayWait: async () => {},
    admins: {
      standingOf: (_chatId, userId) => (userId === admin ? 'admin' : 'member'),
      wasAdmin: async (_chatId, userId) => userId === admin,
      note: () => {},
    },
    me: () => ({ id: 9, username: 'rocks_bot' }),
    log: { info: note, warn: note, error: note },
    lookEveryMs: 50,
    renewEveryMs,
    nowMs: () => performance.now(),
  });
  const stops: AbortController[] = [];
  const carryOn = (): Promise<void> => {
    const stop = new AbortController();
    stops.push(stop);
    return intake.carryOn(stop.signal);
  };
  const end = async (): Promise<void> => {
    for (const stop of stops) stop.abort();
    await intake.stop();
  };
  return { intake, handled, statements, logged, carryOn, end };
}
