import { afterAll, beforeAll, beforeEach } from 'vitest';

import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import type { TelegramCopy } from './telegram-copy.ts';
import {
  configurationOf,
  handled,
  saidIn,
  setUpGroup,
  startTelegramWorld,
  type TelegramWorld,
  watchers,
} from './telegram-world.ts';
import { until } from './until.ts';

type Telegram = Sandbox['telegram'];
type ChatMessage = ReturnType<Telegram['history']>[number];
type Row = Readonly<Record<string, unknown>>;

/** The people and things in the scene; each test gets another group. */
interface Group {
  readonly world: TelegramWorld;
  /** The only copy of the product, its bot initialized. */
  readonly copy: TelegramCopy;
  readonly chatId: number;
  /** User id of the group's creator, who does everything unless another user is given. */
  readonly creator: number;
  /** User id of a member without rights. */
  readonly member: number;
}

export interface TelegramGroupScene {
  readonly group: Group;
  readonly telegram: () => Telegram;
  /** The contract of the product's own collection. */
  readonly rocks: () => string;
  /** The contract of a collection of the sandbox. */
  readonly typeOf: (key: string) => string;
  /** Writes in the group; returns the message's id. */
  readonly type: (text: string, userId?: number) => number;
  readonly reply: (to: Pick<ChatMessage, 'messageId'>, text: string, userId?: number) => number;
  readonly press: (message: Pick<ChatMessage, 'messageId'>, button: string, userId?: number) => void;
  /** Waits until the bot has written these words in the group. */
  readonly said: (words: RegExp | string, afterId?: number) => Promise<ChatMessage>;
  /** Waits until the bot has handled everything so far. */
  readonly handled: () => Promise<void>;
  /** A message as the group sees it now. */
  readonly shown: (message: Pick<ChatMessage, 'messageId'>) => ChatMessage;
  /** The bot's messages in the group so far. */
  readonly ofBot: () => readonly ChatMessage[];
  /** Types `/setup` with that text; returns the message's id. */
  readonly setup: (text: string, userId?: number) => number;
  /** The whole conversation that makes the group track the product's own collection; returns the configuration's id. */
  readonly setUp: (chatId?: number) => Promise<string>;
  /** The same in the topic of the seeded forum; returns the bot's question for the supply. */
  readonly setUpInTopic: () => Promise<ChatMessage>;
  readonly configuration: () => Promise<Row | undefined>;
  /** The configuration, as soon as there is one. */
  readonly stored: () => Promise<Row>;
  readonly chatRow: (chatId?: number) => Promise<Row | undefined>;
  readonly watched: () => Promise<readonly string[]>;
  /** The newest entry of the audit log. */
  readonly lastEntry: () => Promise<Awaited<ReturnType<TelegramWorld['audited']>>[number] | undefined>;
}

/** One world for the test file that calls this, and in it a supergroup of that title for each test. */
export function telegramGroupScene(title = 'Rock Group'): TelegramGroupScene {
  let world: TelegramWorld;
  let copy: TelegramCopy;
  let creator: number;
  let member: number;
  let chatId: number;
  const telegram = (): Telegram => world.sandbox.telegram;

  beforeAll(async () => {
    world = await startTelegramWorld();
    copy = await world.activeCopy();
    creator = telegram().createUser({ firstName: 'Cleo', username: 'cleo' }).id;
    member = telegram().createUser({ firstName: 'Moe' }).id;
  });
  afterAll(() => world.end());
  beforeEach(() => {
    const members = [{ userId: creator, status: 'creator' as const }, { userId: member }];
    chatId = telegram().createChat({ kind: 'supergroup', title, members }).id;
  });

  const rocks = (): string => world.sandbox.facts.collectionType;
  const type = (text: string, userId = creator): number => telegram().type({ chatId, userId, text }).messageId;
  const configuration = () => configurationOf(world, chatId);
  const shown: TelegramGroupScene['shown'] = (message) => {
    const found = telegram()
      .history(chatId)
      .find(({ messageId }) => messageId === message.messageId);
    if (found === undefined) throw new Error(`Message ${message.messageId} is not in the group`);
    return found;
  };

  return {
    group: {
      get world() {
        return world;
      },
      get copy() {
        return copy;
      },
      get chatId() {
        return chatId;
      },
      get creator() {
        return creator;
      },
      get member() {
        return member;
      },
    },
    telegram,
    rocks,
    typeOf: (key) => world.sandbox.world.state.collections.get(key)?.nftType ?? '',
    type,
    reply: ({ messageId: replyToMessageId }, text, userId = creator) =>
      telegram().type({ chatId, userId, text, replyToMessageId }).messageId,
    press: ({ messageId }, button, userId = creator) => void telegram().press({ chatId, messageId, userId, button }),
    said: (words, afterId = 0) => saidIn(world, chatId, words, afterId),
    handled: () => handled(world),
    shown,
    ofBot: () =>
      telegram()
        .history(chatId)
        .filter(({ from, service }) => from.is_bot && service === null && from.id === telegram().bot.id),
    setup: (text, userId) => type(`/setup ${text}`, userId),
    setUp: (id = chatId) => setUpGroup(world, id, rocks(), creator),
    setUpInTopic: async () => {
      const { forumId, topics, adminId } = telegram().seeded;
      const said = { chatId: forumId, userId: adminId, threadId: topics.sales, text: `/setup ${rocks()}` };
      const asked = await saidIn(world, forumId, 'maximum supply', telegram().type(said).messageId);
      telegram().press({ chatId: forumId, messageId: asked.messageId, userId: adminId, button: 'Use 555' });
      return asked;
    },
    configuration,
    stored: async () => {
      await until('the configuration is stored', async () => (await configuration()) !== undefined);
      return (await configuration())!;
    },
    chatRow: async (id = chatId) =>
      (await world.database.rows<Row>('select * from telegram_chats where chat_id = $1', [id]))[0],
    watched: () => watchers(world),
    lastEntry: async () => (await world.audited()).at(-1),
  };
}
