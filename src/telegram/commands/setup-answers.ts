import type { Message } from 'grammy/types';

import { answer, factsOf, editMessage, topicOf, topicOfPressed, actorOf, authorOf } from './answering.ts';
import type { BotDeps, Press, Author } from '../bot-deps.ts';
import type { MessageContent } from '../cards/message-html.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import { setUpConfiguration } from '../configs/set-up.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import { Unavailable } from '../../shared/failure.ts';
import { outageOf } from './setup.ts';
import type { PendingSetup } from './setup-store.ts';
import { unavailableAnswer } from '../cards/chat-texts.ts';
import type { BotAction } from './texts/callback-data.ts';
import {
  enterSupply,
  setupCancelled,
  setupDone,
  setupExpired,
  setupKeyOf,
  supplyConfirmed,
  parseSupply,
} from './texts/setup-texts.ts';

/** The pending setup of a pressed question; null: expired. After an interruption the question may exist twice; either counts. */
async function setupOf({ setups }: BotDeps, setupKey: string, { chat }: Press): Promise<PendingSetup | null> {
  const pending = await setups.read(chat.id);
  return pending !== null && setupKeyOf(pending.found) === setupKey ? pending : null;
}

/**
 * 'Enter another': asks for a reply, as a bot in a group receives little else, and removes the buttons. Stores the
 * message where the setup's questions begin.
 */
export async function askForSupply(deps: BotDeps, setupKey: string, press: Press): Promise<void> {
  const { chat, message } = press;
  const messageId = message.message_id;
  const pending = await setupOf(deps, setupKey, press);
  if (pending === null) return editMessage(deps, press, setupExpired());
  ask(deps, press, { ...enterSupply(pending.found), forceReply: true });
  await deps.setups.enterSupply(chat.id, messageId);
  // Not awaited: the question is stored only after this returns, and Telegram may ask this call to wait.
  void deps.api.editMessageReplyMarkup(chat.id, messageId).catch(() => {});
}

export async function cancelSetup(deps: BotDeps, setupKey: string, press: Press): Promise<void> {
  // An older question's button does not end a newer setup.
  if ((await setupOf(deps, setupKey, press)) !== null) await deps.setups.end(press.chat.id);
  editMessage(deps, press, setupCancelled());
}

export async function useSupply(
  deps: BotDeps,
  [, setupKey, maxSupply]: Extract<BotAction, readonly ['use-supply', ...unknown[]]>,
  press: Press,
): Promise<void> {
  const { chat, by } = press;
  const pending = await setupOf(deps, setupKey, press);
  const done = await finishSetup(deps, {
    chat,
    pending,
    maxSupply,
    by,
    topicId: topicOfPressed(press.message),
    setupKey,
  });
  if (done instanceof Unavailable) ask(deps, press, unavailableAnswer(done));
  else editMessage(deps, press, done);
}

/** Replies to the /setup: if `content` asks for a reply, Telegram prompts its author. */
function ask(deps: BotDeps, { message }: Press, content: MessageContent): void {
  const original = 'reply_to_message' in message ? message.reply_to_message : undefined;
  const replyTo = original === undefined ? {} : { replyTo: original.message_id };
  deps.addReply({ chat: factsOf(message.chat), topicId: topicOfPressed(message), content: { ...content, ...replyTo } });
}

export type SupplyReply = Message & {
  readonly text: string;
  readonly reply_to_message: NonNullable<Message['reply_to_message']>;
};

/**
 * Takes the number that a group admin replies with after 'Enter another': any of them, as any of them may press the buttons.
 * A reply to any of its questions counts: to the first or to one that refused a number.
 */
export async function takeSupply(deps: BotDeps, reply: SupplyReply): Promise<void> {
  const chat = { id: reply.chat.id, title: factsOf(reply.chat).title };
  const by = authorOf(reply);
  const pending = await deps.setups.read(chat.id);
  const typed = parseSupply(reply.text, pending?.found.mintedCount);
  const respond = (content: MessageContent): void => answer(deps, reply, content);
  if (pending !== null) {
    // A reply to a question of an older setup does not answer a newer one.
    const { promptMessageId: askedIn } = pending;
    if (askedIn === null || reply.reply_to_message.message_id < askedIn) return respond(setupExpired());
  }
  if (typed.kind === 'refused') {
    if (pending === null) return respond(setupExpired());
    return answer(deps, reply, enterSupply(pending.found, typed.problem), { forceReply: true });
  }
  const done = await finishSetup(deps, { chat, pending, maxSupply: typed.supply, by, topicId: topicOf(reply) });
  respond(done instanceof Unavailable ? unavailableAnswer(done) : done);
}

interface Finish {
  readonly chat: { readonly id: number; readonly title: string };
  readonly pending: PendingSetup | null;
  readonly maxSupply: number;
  readonly by: Author;
  /** Of the question. */
  readonly topicId: number | null;
  /** Of a pressed question; left out for a reply. */
  readonly setupKey?: string;
}

/** Stores the confirmed setup; returns the answer. If the marketplace does not respond, the question stays open. */
async function finishSetup(deps: BotDeps, finish: Finish): Promise<MessageContent | Unavailable> {
  const { chat, pending, maxSupply, by } = finish;
  if (pending === null) return repeatedOrExpired(deps, finish);
  const tracked = await deps.activity.track(pending.found).catch(outageOf);
  if (tracked instanceof Unavailable) return tracked;
  const confirmed = { chatId: chat.id, chatTitle: chat.title, tracked, maxSupply, actor: actorOf(by) };
  const configuration = await setUpConfiguration(deps, { ...pending, ...confirmed });
  if (configuration === null) return repeatedOrExpired(deps, { ...finish, setupKey: setupKeyOf(pending.found) });
  return doneAnswer(deps, configuration, finish);
}

/** A confirmation that is repeated because its answer was lost gets the same answer again. */
async function repeatedOrExpired(deps: BotDeps, finish: Finish): Promise<MessageContent> {
  const { chat, maxSupply, setupKey } = finish;
  const present = await deps.configurations.ofChat(chat.id);
  if (present === null || present.maxSupply !== maxSupply) return setupExpired();
  const id = present.trackedCollectionId;
  const followed = (await deps.activity.tracked([id])).get(id);
  if (setupKey !== undefined && (followed === undefined || setupKeyOf(followed) !== setupKey)) return setupExpired();
  return doneAnswer(deps, present, finish);
}

/** A version above 1: the group was set up before. */
async function doneAnswer(
  { chats }: BotDeps,
  { collectionName: name, version }: Configuration,
  { chat, maxSupply, topicId }: Finish,
): Promise<MessageContent> {
  const pinned = openTopicOf(await chats.read(chat.id));
  const ofPinned = pinned === topicId ? 'to this topic' : 'to their own topic';
  const place = pinned === null ? 'here' : ofPinned;
  const words = version === 1 ? setupDone : supplyConfirmed;
  return words({ name, maxSupply, place });
}
