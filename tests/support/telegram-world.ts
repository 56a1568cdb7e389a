import type { Sandbox, SandboxOptions } from '../../sandbox/start-sandbox.ts';
import { type CopiesWorld, startCopiesWorld } from './copies-world.ts';
import { type CopyOptions, startTelegramCopy, type TelegramCopy } from './telegram-copy.ts';
import { NotInTime, until } from './until.ts';

/** The bot as in production: real grammY against the sandbox's Telegram, real PostgreSQL, any number of copies. */
export interface TelegramWorld extends CopiesWorld<TelegramCopy, CopyOptions> {
  /** If Telegram enforces no limits (the usual case here), ages the bot's messages so that its own limits do not delay a test. */
  readonly timePasses: () => Promise<void>;
  /** Waits until every update taken in is handled, and its reply sent. */
  readonly idle: () => Promise<void>;
}

/** Fast enough for tests, with the proportions of production. */
export const quickPace = { firstRetryMs: 100, longestRetryMs: 500 };

export async function startTelegramWorld(sandboxOptions: SandboxOptions = {}): Promise<TelegramWorld> {
  const { telegramLimits = false } = sandboxOptions;
  let passedMs = 0;
  const world = await startCopiesWorld<TelegramCopy, CopyOptions>({
    sandboxOptions: { ...sandboxOptions, telegramLimits },
    pace: quickPace,
    initPath: '/api/telegram/init',
    start: (deps) =>
      startTelegramCopy({
        ...deps,
        senderLimits: { nowMs: () => performance.now() + passedMs, ...deps.senderLimits },
      }),
  });
  const { database } = world;
  return {
    ...world,
    timePasses: async () => {
      if (!telegramLimits) passedMs += 120_000;
    },
    idle: async () => {
      await until(
        'inbox and replies are empty',
        async () => {
          const waiting = await database.rows(
            `select 1 from telegram_inbox where handled_at is null union all
           select 1 from telegram_messages where kind = 'reply' and state in ('pending', 'sending')`,
          );
          return waiting.length === 0;
        },
        20_000,
      );
    },
  };
}

/** Waits for the first message of the bot in a chat after `afterId` that contains the words. */
export async function saidIn(
  { sandbox, timePasses }: TelegramWorld,
  chatId: number,
  words: RegExp | string,
  afterId = 0,
  deadlineMs = 10_000,
): Promise<ReturnType<Sandbox['telegram']['history']>[number]> {
  const holds = (text: string | null): boolean =>
    text !== null && (typeof words === 'string' ? text.includes(words) : words.test(text));
  const ofBot = () =>
    sandbox.telegram.history(chatId).filter((message) => message.messageId > afterId && message.from.is_bot);
  const find = () => ofBot().find((message) => holds(message.text));
  const sentence = `the bot says ${String(words)} in ${chatId}`;
  await until(sentence, () => find() !== undefined, deadlineMs).catch((error: unknown) => {
    if (!(error instanceof NotInTime)) throw error;
    const last = ofBot().slice(-3);
    const texts = last.map(({ text }) => JSON.stringify(text)).join('\n');
    throw new NotInTime(`${error.message}. It said ${last.length === 0 ? 'nothing' : `last:\n${texts}`}`);
  });
  await timePasses();
  return find()!;
}

interface UsedUp {
  /** The number of replies and cards that the group got within the minute, two seconds apart. */
  readonly replies: number;
  readonly cards?: number;
  /** Whether one more card waits. */
  readonly cardWaits?: boolean;
}

/** Fills a group's minute with earlier messages; a new copy sends what follows. */
export async function minuteUsed(
  world: TelegramWorld,
  chatId: number,
  { replies, cards = 0, cardWaits = false }: UsedUp,
): Promise<TelegramCopy> {
  const { copies, database } = world;
  await Promise.all(copies.map((each) => each.stop()));
  await database.rows(
    `insert into telegram_messages (chat_id, kind, content, state, sent_at)
     select $1, 'reply', '{}', 'sent', clock_timestamp() - n * interval '2 seconds' from generate_series(1, $2::int) n`,
    [chatId, replies],
  );
  await database.rows(
    `insert into telegram_messages (chat_id, kind, content, state, sent_at)
     select $1, 'notice', '{}', 'sent', clock_timestamp() - (n + $2) * interval '2 seconds' from generate_series(1, $3::int) n`,
    [chatId, replies, cards],
  );
  if (cardWaits) {
    await database.rows(
      `insert into telegram_messages (chat_id, kind, content) values ($1, 'notice', '{"html": "a card", "imageUrl": null, "buttons": []}')`,
      [chatId],
    );
  }
  const copy = await world.copy();
  await until('the bot runs', async () => {
    const { body } = await copy.call('GET', '/api/telegram/status');
    return (body.data as { readonly active: boolean }).active;
  });
  return copy;
}

/** Waits until the bot has handled everything that happened in Telegram so far. */
export const handled = async ({ sandbox, idle, timePasses }: TelegramWorld): Promise<void> => {
  await until('every update is taken in', () => sandbox.telegram.counters().pendingUpdates === 0, 10_000);
  await idle();
  await timePasses();
};

/** The texts of the buttons under a message. */
export const buttonsOf = (message: {
  readonly replyMarkup: { readonly inline_keyboard: readonly (readonly { readonly text: string }[])[] } | null;
}): readonly string[] => (message.replyMarkup?.inline_keyboard ?? []).flat().map(({ text }) => text);

/** Connects a group to a collection, as its creator; returns the configuration's id. */
export async function setUpGroup(
  world: TelegramWorld,
  chatId: number,
  collection: string,
  userId: number,
): Promise<string> {
  const { telegram } = world.sandbox;
  const { messageId } = telegram.type({ chatId, userId, text: `/setup ${collection}` });
  const asked = await saidIn(world, chatId, 'maximum supply', messageId);
  const [use = ''] = buttonsOf(asked);
  telegram.press({ chatId, messageId: asked.messageId, userId, button: use });
  await until('the group is set up', async () => (await configurationOf(world, chatId)) !== undefined);
  await handled(world);
  return String((await configurationOf(world, chatId))?.['id']);
}

/** The row of a chat's configuration. */
export async function configurationOf(
  { database }: TelegramWorld,
  chatId: number,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'select * from telegram_configurations where chat_id = $1 and deleted_at is null',
    [chatId],
  );
  return rows[0];
}

/** The ids of configurations that watch a collection in the pipeline. */
export async function watchers({ database }: TelegramWorld): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ watcher: string }>(
    "select watcher from collection_watches where listener = 'telegram' order by watcher::bigint",
  );
  return rows.map(({ watcher }) => watcher);
}
