import { startSandbox, type Sandbox } from '../sandbox/start-sandbox.ts';
import { createPool, typedKysely } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';
import { migrate } from '../src/db/migrate.ts';
import { type Child, startChild } from '../tests/support/child.ts';
import { temporaryDataDir } from '../tests/support/temporary-data-dir.ts';
import { countUnsent, enqueueBurst, insertChats } from './telegram-burst.ts';

type Accepted = ReturnType<Sandbox['telegram']['drainAccepted']>[number];

/** The product's embedded PostgreSQL, the sandbox's strict Telegram, and waiting messages for many groups. */
export interface BenchOutbox {
  readonly sandbox: Sandbox;
  readonly chatIds: readonly string[];
  readonly url: string;
  /** Queues the next `perChat` messages for every chat, all at once, with texts like `3 of -100…`. */
  enqueue(perChat: number): Promise<void>;
  pendingCount(): Promise<number>;
  /** The texts of the messages marked as doubtful, which may have arrived twice. */
  doubtful(): Promise<ReadonlySet<string>>;
  /** How many messages were queued for each chat so far. */
  givenCount(): number;
  accepted(): readonly Accepted[];
  startCopy(answerWithinMs: number): Promise<Child>;
  stop(): Promise<void>;
}

export const startOutbox = async (groupCount: number): Promise<BenchOutbox> => {
  const sandbox = await startSandbox();
  const dataDir = await temporaryDataDir('disk');
  const postgres = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: dataDir.path, log: silentLog });
  const pool = createPool(postgres.url, silentLog);
  await migrate(pool, silentLog);
  const db = typedKysely(pool);
  const chatIds = sandbox.telegram.createGroups({ count: groupCount }).map(String);
  await pool.query(insertChats, [chatIds]);
  let given = 0;
  return {
    sandbox,
    chatIds,
    url: postgres.url,
    enqueue: async (perChat) => {
      await enqueueBurst(db, chatIds, { from: given, perChat });
      given += perChat;
    },
    pendingCount: async () => {
      const { rows } = await pool.query<{ count: number }>(countUnsent);
      return rows[0]?.count ?? 0;
    },
    doubtful: async () => {
      const { rows } = await pool.query<{ html: string }>(
        "select content ->> 'html' as html from telegram_messages where is_doubtful",
      );
      return new Set(rows.map(({ html }) => html));
    },
    givenCount: () => given,
    accepted: () => sandbox.telegram.accepted(),
    startCopy: async (answerWithinMs) => {
      const settings = {
        databaseUrl: postgres.url,
        token: sandbox.facts.telegramBotToken,
        apiUrl: sandbox.urls.telegram,
        answerWithinMs,
      };
      const child = startChild('tests/support/sending-copy.ts', [], { TELEGRAM_COPY: JSON.stringify(settings) });
      await child.firstLine();
      return child;
    },
    stop: async () => {
      await pool.end();
      await postgres.stop();
      await dataDir.remove();
      await sandbox.stop();
    },
  };
};

/** Compares what arrived with what was queued: lost and repeated messages, and chats with messages out of order. */
export const compareWithGiven = (
  outbox: BenchOutbox,
): { readonly lost: number; readonly repeated: readonly string[]; readonly disordered: number } => {
  const heard = new Map<string, string[]>(outbox.chatIds.map((chatId) => [chatId, []]));
  for (const { chatId, text } of outbox.accepted()) heard.get(String(chatId))?.push(text);
  let lost = 0;
  let disordered = 0;
  const repeated: string[] = [];
  for (const [chatId, texts] of heard) {
    const firsts = [...new Set(texts)];
    const given = Array.from({ length: outbox.givenCount() }, (_none, index) => `${index} of ${chatId}`);
    lost += given.filter((text) => !firsts.includes(text)).length;
    const numbers = firsts.map((text) => Number.parseInt(text, 10));
    if (numbers.some((number, index) => number < (numbers[index - 1] ?? 0))) disordered += 1;
    repeated.push(...texts.filter((text, index) => texts.indexOf(text) !== index));
  }
  return { lost, repeated, disordered };
};
