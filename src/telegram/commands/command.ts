import type { Message, UserFromGetMe } from 'grammy/types';

import { answer, isGroup, topicOf } from '../bot/answering.ts';
import type { AnswerOptions, BotDeps } from '../bot/bot-deps.ts';
import { adminsOnly, adminUnknown, groupOnly } from '../core/chat-texts.ts';
import type { MessageContent } from '../cards/message-content.ts';
import { meetGroup } from '../bot/meet-group.ts';
import { type Speaker, speakerOf } from '../bot/speaker.ts';
import type { Command } from './command-table.ts';

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
