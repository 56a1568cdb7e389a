import type { Bot } from 'grammy';

import type { TrackedCollection } from '../../market/contract.ts';
import { notConfigured } from '../core/chat-texts.ts';
import { floorAnswer, summaryAnswer } from '../core/facts-texts.ts';
import type { MessageContent } from '../core/message-content.ts';
import { statusAnswer } from '../core/status-text.ts';
import type { Configuration } from '../adapters/configuration-row.ts';
import { openTopicOf } from '../adapters/chat-store.ts';
import { apiFailureOf } from '../adapters/bot-api.ts';
import { sampleFor } from '../sample-for.ts';
import { usdSoon } from '../usd-soon.ts';
import { topicOf } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { byGroupAdmin, type GroupCommand, inGroup } from './group-commands.ts';

const dayMs = 86_400_000;

/** /floor, /summary and /status for anyone, /test for group admins: what is known, from the database alone. */
export function addFactsCommands(bot: Bot, deps: BotDeps): void {
  bot.command(
    'floor',
    inGroup(deps, (command) => tell(deps, command, floorOf)),
  );
  bot.command(
    'summary',
    inGroup(deps, (command) => tell(deps, command, summaryOf)),
  );
  bot.command(
    'status',
    inGroup(deps, (command) => tell(deps, command, statusOf)),
  );
  bot.command(
    'test',
    byGroupAdmin(deps, (command) => tell(deps, command, sampleOf, sendSample)),
  );
}

interface Known {
  readonly configuration: Configuration;
  readonly collection: TrackedCollection;
}

async function tell(
  deps: BotDeps,
  command: GroupCommand,
  contentOf: (deps: BotDeps, known: Known, command: GroupCommand) => Promise<MessageContent>,
  send: (deps: BotDeps, command: GroupCommand, content: MessageContent) => Promise<unknown> = (
    _deps,
    { answer },
    content,
  ) => answer(content),
): Promise<void> {
  const configuration = await deps.configurations.ofChat(command.chatId);
  const collection =
    configuration === null
      ? undefined
      : (await deps.tracking.tracked([configuration.trackedCollectionId])).get(configuration.trackedCollectionId);
  if (configuration === null || collection === undefined) {
    await command.answer(notConfigured());
    return;
  }
  await send(deps, command, await contentOf(deps, { configuration, collection }, command));
}

const floorOf = async ({ prices, clock }: BotDeps, { collection }: Known): Promise<MessageContent> =>
  floorAnswer({ collection, usdPerSui: await usdSoon(prices, clock), now: clock.now() });

async function summaryOf({ history, prices, clock, explorerUrl }: BotDeps, about: Known): Promise<MessageContent> {
  const { collection, configuration } = about;
  const now = clock.now();
  const [day, total, usdPerSui] = await Promise.all([
    history.summary(collection.id, new Date(now.getTime() - dayMs)),
    history.summary(collection.id, configuration.createdAt),
    usdSoon(prices, clock),
  ]);
  const { mintedCount, maxSupply, createdAt: since, timeZone } = configuration;
  return summaryAnswer({
    collection,
    day,
    total,
    since,
    timeZone,
    mintedCount,
    maxSupply,
    explorerUrl,
    usdPerSui,
    now,
  });
}

async function statusOf(deps: BotDeps, { collection }: Known, command: GroupCommand): Promise<MessageContent> {
  const { chatId } = command;
  const [chat, deliveries] = await Promise.all([deps.chats.read(chatId), deps.deliveriesOf(chatId)]);
  return statusAnswer({
    collection,
    canSendMessages: chat?.canSendMessages ?? true,
    canSendPhotos: chat?.canSendPhotos ?? true,
    pinned:
      chat === null || chat.topicId === null
        ? null
        : { chatId, topicId: chat.topicId, state: chat.topicState, askedInTopicId: topicOf(command.ctx.msg) },
    trouble: chat?.trouble ?? null,
    ...deliveries,
    now: deps.clock.now(),
  });
}

const sampleOf = (deps: BotDeps, { configuration }: Known): Promise<MessageContent> => sampleFor(deps, configuration);

/** Where the notifications go, so that it shows whether they arrive; if that topic is no more, where it was asked for. */
async function sendSample(deps: BotDeps, command: GroupCommand, content: MessageContent): Promise<void> {
  const chat = await deps.chats.read(command.chatId);
  try {
    await deps.sendNow(command.chatId, openTopicOf(chat), content);
  } catch (error) {
    if (apiFailureOf(error)?.kind !== 'refused') throw error;
    await command.answer(content);
  }
}
