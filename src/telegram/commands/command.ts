import type { Message, UserFromGetMe } from 'grammy/types';

import { answer, factsOf, isGroup, topicOf } from '../bot/answering.ts';
import type { AnswerOptions, BotDeps } from '../bot/bot-deps.ts';
import { type Speaker, speakerOf } from '../bot/speaker.ts';
import type { MessageContent } from '../core/message-content.ts';
import type { Command } from './command-table.ts';
import { adminsOnly, adminUnknown, groupOnly, restoredNotice } from './texts/chat-texts.ts';

/** A command as somebody sent it. */
export interface CommandCall {
  readonly place: 'private' | 'group';
  readonly chatId: number;
  /** The topic in which it was sent. */
  readonly topicId: number | null;
  readonly speaker: Speaker;
  /** What stands behind the command. */
  readonly typed: string;
  /** The bot itself. */
  readonly me: UserFromGetMe;
  /** Answers the message where it stands, and with the id of what was sent. */
  readonly answer: (content: MessageContent, options?: AnswerOptions) => Promise<number>;
}

export type CommandHandler = (call: CommandCall, deps: BotDeps) => Promise<unknown>;

/** What anybody can bring about takes no more of the group's limit than what anybody may ask. */
const asked = { kind: 'question' } as const;

/** Runs a command where it belongs and for those who may; says so otherwise. */
export async function runCommand(
  { name, who, where }: Command,
  handler: CommandHandler,
  { message, me, deps }: { readonly message: Message; readonly me: UserFromGetMe; readonly deps: BotDeps },
): Promise<void> {
  const call = callOf(message, me, deps);
  if (call.place === 'group') await meetGroup(deps, message);
  else if (where === 'groups') {
    await call.answer(groupOnly(name));
    return;
  }
  const isAllowed = who === 'anyone' || (await isGroupAdmin(deps, call.chatId, call.speaker));
  if (isAllowed === true) await handler(call, deps);
  else if (isAllowed === null) await call.answer(adminUnknown(), asked);
  // Once in this chat, then not again.
  else await deps.chats.tellOnce(call.chatId, call.speaker.id, () => call.answer(adminsOnly(), asked));
}

const callOf = (message: Message, me: UserFromGetMe, deps: BotDeps): CommandCall => ({
  place: isGroup(message.chat) ? 'group' : 'private',
  chatId: message.chat.id,
  topicId: topicOf(message),
  speaker: speakerOf(message),
  typed: /^\S+\s+(.*)$/s.exec(message.text ?? '')?.[1]?.trim() ?? '',
  me,
  answer: (content, options) => answer(deps, message, content, options),
});

/** null: Telegram does not say. `isFresh`: it is asked anew. */
export const isGroupAdmin = async (
  { admins }: Pick<BotDeps, 'admins'>,
  chatId: number,
  speaker: Speaker,
  isFresh = false,
): Promise<boolean | null> => {
  if (speaker.kind === 'anonymous-admin') return true;
  return speaker.kind === 'person' ? admins.isAdmin(chatId, speaker.id, isFresh) : false;
};

/** By two clocks; and what was asked just before the bot was put out may be read after that. */
const clockSlackMs = 60_000;

const asMember = { status: 'member', canSendMessages: true, canSendPhotos: true } as const;

/**
 * The group has its row. What is asked there shows that the bot is in it, also where its return was never told: Telegram keeps an
 * update for a day (Bot API, Getting updates). Otherwise it would answer, tell nothing, and lose the configuration after 30 days.
 */
async function meetGroup(
  { chats, membership, sendNow }: Pick<BotDeps, 'chats' | 'membership' | 'sendNow'>,
  { chat, date }: Pick<Message, 'chat' | 'date'>,
): Promise<void> {
  await chats.meet(factsOf(chat));
  const removedAt = (await chats.read(chat.id))?.removedAt ?? null;
  if (removedAt === null || date * 1_000 < removedAt.getTime() + clockSlackMs) return;
  const outcome = await membership.note(factsOf(chat), asMember, false);
  // The word comes before the answer, which may be about what is back.
  if (outcome.kind === 'added' && outcome.restored !== null)
    await sendNow(chat.id, null, restoredNotice(outcome.restored));
}
