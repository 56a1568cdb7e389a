import type { Sandbox, SandboxOptions } from '../../sandbox/start-sandbox.ts';
import { type CopiesWorld, startCopiesWorld } from './copies-world.ts';
import { type CopyOptions, startTelegramCopy, type TelegramCopy } from './telegram-copy.ts';
import { until } from './until.ts';

/** The bot as in production: real grammY against the sandbox's Telegram, real PostgreSQL, any number of copies. */
export interface TelegramWorld extends CopiesWorld<TelegramCopy, CopyOptions> {
  /** Where Telegram has no limits (the usual case here) the bot need not keep any: what it said lies long ago. */
  readonly timePasses: () => Promise<void>;
  /** Waits until everything that was taken is handled, and what is said about it sent. */
  readonly idle: () => Promise<void>;
}

/** Fast enough for tests; the proportions are those of production. */
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
        deliveryLimits: { nowMs: () => performance.now() + passedMs, ...deps.deliveryLimits },
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
        'nothing waits in the inbox, and no answer',
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

/** Waits for what the bot says next in a chat: the first of its messages after `afterId` that holds the words. */
export async function saidIn(
  { sandbox, timePasses }: TelegramWorld,
  chatId: number,
  words: RegExp | string,
  afterId = 0,
  deadlineMs = 10_000,
): Promise<ReturnType<Sandbox['telegram']['history']>[number]> {
  const holds = (text: string | null): boolean =>
    text !== null && (typeof words === 'string' ? text.includes(words) : words.test(text));
  const find = () =>
    sandbox.telegram
      .history(chatId)
      .find((message) => message.messageId > afterId && message.from.is_bot && holds(message.text));
  await until(`the bot says ${String(words)} in ${chatId}`, () => find() !== undefined, deadlineMs);
  await timePasses();
  return find()!;
}

interface UsedUp {
  /** How many replies and cards the group got within the minute, two seconds apart. */
  readonly replies: number;
  readonly cards?: number;
  /** One more card waits. */
  readonly cardWaits?: boolean;
}

/** Much was said in the group before; another copy than those so far sends what comes now. */
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
  await until('its bot runs', async () => {
    const { body } = await copy.call('GET', '/api/telegram/status');
    return (body.data as { readonly active: boolean }).active;
  });
  return copy;
}

/** Waits until the bot has handled everything that happened in Telegram so far. */
export const handled = async ({ sandbox, idle, timePasses }: TelegramWorld): Promise<void> => {
  await until('every update is taken', () => sandbox.telegram.counters().pendingUpdates === 0, 10_000);
  await idle();
  await timePasses();
};

/** The data of the button with that text under a message. */
export const buttonsOf = (message: {
  readonly replyMarkup: { readonly inline_keyboard: readonly (readonly { readonly text: string }[])[] } | null;
}): readonly string[] => (message.replyMarkup?.inline_keyboard ?? []).flat().map(({ text }) => text);

/** Connects a group to a collection, as its creator; answers the configuration's id. */
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

/** The row of what a chat tracks. */
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

/** Which configurations are watched in the pipeline. */
export async function watchers({ database }: TelegramWorld): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ watcher: string }>(
    "select watcher from collection_watches where listener = 'telegram' order by watcher::bigint",
  );
  return rows.map(({ watcher }) => watcher);
}
