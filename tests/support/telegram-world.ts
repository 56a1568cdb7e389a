import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type CopyOptions, startTelegramCopy, type TelegramCopy } from './telegram-copy.ts';
import { until } from './until.ts';

/** The bot as in production: real grammY against the sandbox's Telegram, real PostgreSQL, any number of copies. */
export interface TelegramWorld {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  /** Everything that was logged so far, one JSON line an entry. */
  readonly log: () => string;
  copy(options?: CopyOptions): Promise<TelegramCopy>;
  /** A running copy whose bot was initialized. */
  activeCopy(options?: CopyOptions): Promise<TelegramCopy>;
  /** `action` of every entry of the audit log, oldest first. */
  audited(): Promise<
    readonly { readonly action: string; readonly actor: string; readonly before: unknown; readonly after: unknown }[]
  >;
  end(): Promise<void>;
}

/** Fast enough for tests; the proportions are those of production. */
const quickPace = { leaseMs: 1_500, heartbeatMs: 300, firstRetryMs: 100, longestRetryMs: 500 };

export async function startTelegramWorld(sandboxOptions: SandboxOptions = {}): Promise<TelegramWorld> {
  const sandbox = await startSandbox({ telegramLimits: false, ...sandboxOptions });
  const database = await testDatabase();
  const running: TelegramCopy[] = [];
  let log = '';

  const copy = async (options: CopyOptions = {}): Promise<TelegramCopy> => {
    const made = await startTelegramCopy({
      databaseUrl: database.url,
      urls: sandbox.urls,
      facts: sandbox.facts,
      write: (line) => void (log += line),
      ...options,
      name: options.name ?? `copy ${running.length}`,
      pace: { ...quickPace, ...options.pace },
    });
    running.push(made);
    return made;
  };

  return {
    sandbox,
    database,
    log: () => log,
    copy,
    activeCopy: async (options) => {
      const made = await copy(options);
      const { status, body } = await made.call('POST', '/api/telegram/init');
      if (status !== 200) throw new Error(`init answered ${status}: ${body.message}`);
      return made;
    },
    audited: async () => {
      const { rows } = await database.pool.query<{
        action: string;
        actor_name: string;
        before: unknown;
        after: unknown;
      }>('select * from audit_entries order by id');
      return rows.map(({ action, actor_name: actor, before, after }) => ({ action, actor, before, after }));
    },
    end: async () => {
      await Promise.all(running.map((each) => each.stop()));
      await sandbox.stop();
      await database.drop();
    },
  };
}

/** Waits for what the bot says next in a chat: the first of its messages after `afterId` that holds the words. */
export async function saidIn(
  { sandbox }: TelegramWorld,
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
  return find()!;
}

/** Waits until the bot has handled everything that happened in Telegram so far: only then does it confirm. */
export const handled = ({ sandbox }: TelegramWorld): Promise<void> =>
  until('every update is handled', () => sandbox.telegram.counters().pendingUpdates === 0, 10_000);

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
