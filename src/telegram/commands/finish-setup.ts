import { Unavailable } from '../../shared/failure.ts';
import type { MessageContent } from '../cards/message-content.ts';
import { unavailableAnswer } from './texts/chat-texts.ts';
import { setupDone, setupExpired, supplyConfirmed } from './texts/setup-texts.ts';
import type { Configuration } from '../configs/configuration-row.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import type { PendingSetup } from './setup-store.ts';
import type { BotDeps } from '../bot/bot-deps.ts';
import { actorOf, type Speaker } from '../bot/speaker.ts';
import { outageOf } from './setup.ts';

interface Finish {
  readonly chat: { readonly id: number; readonly title: string };
  readonly pending: PendingSetup | null;
  readonly maxSupply: number;
  readonly by: Speaker;
}

/** Stores the confirmed setup; returns the answer. If the marketplace does not respond, the question stays open. */
export async function finishSetup(deps: BotDeps, { chat, pending, maxSupply, by }: Finish): Promise<MessageContent> {
  if (pending === null) return repeatedOrExpired(deps, chat.id, maxSupply);
  const tracked = await deps.tracking.track(pending.found).catch(outageOf);
  if (tracked instanceof Unavailable) return unavailableAnswer(tracked.upstream);
  const configuration = await deps.configuring.setUp({
    chatId: chat.id,
    chatTitle: chat.title,
    topicId: pending.topicId,
    collectionId: pending.collectionId,
    found: pending.found,
    tracked,
    maxSupply,
    actor: actorOf(by),
  });
  if (configuration === null) return repeatedOrExpired(deps, chat.id, maxSupply);
  return doneAnswer(configuration, maxSupply, pending.topicId);
}

/** A repeated confirmation, because its answer was lost, finds its result in place. */
async function repeatedOrExpired(deps: BotDeps, chatId: number, maxSupply: number): Promise<MessageContent> {
  const present = await deps.configurations.ofChat(chatId);
  if (present === null || present.maxSupply !== maxSupply) return setupExpired();
  const chat = await deps.chats.read(chatId);
  return doneAnswer(present, maxSupply, openTopicOf(chat));
}

/** A configuration beyond its first version was set up before. */
function doneAnswer(
  { collectionName: name, version }: Configuration,
  maxSupply: number,
  topicId: number | null,
): MessageContent {
  const done = { name, maxSupply, isTopic: topicId !== null };
  return version === 1 ? setupDone(done) : supplyConfirmed(done);
}
