import type { Message, UserFromGetMe } from 'grammy/types';

import { answer, type AnswerOptions, factsOf, isGroup, topicOf } from '../bot/answering.ts';
import type { BotDeps } from '../bot/bot-deps.ts';
import { noteMembership } from '../bot/membership.ts';
import { type Author, authorOf } from '../bot/group-admins.ts';
import type { MessageContent } from '../send/message.ts';
import type { TrackedCollection } from '../../market/contract.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import type { CommandFacts } from '../contract.ts';
import { groupOnly, notConfigured } from './texts/chat-texts.ts';

export interface CommandCall {
  readonly place: 'private' | 'group';
  readonly chatId: number;
  readonly topicId: number | null;
  readonly author: Author;
  readonly typed: string;
  readonly me: UserFromGetMe;
  readonly answer: (content: MessageContent, options?: AnswerOptions) => void;
}

type Handler = (call: CommandCall, deps: BotDeps) => Promise<unknown> | void;

/** A command: its descriptions and its handler. One file each; command-table.ts lists them. */
export interface Command extends CommandFacts {
  readonly handle: Handler;
}

interface TrackedGroup {
  readonly configuration: Configuration;
  readonly collection: TrackedCollection;
}

/** Runs in a group that follows a collection; any other group is told how to begin. */
export const inTrackedGroup =
  (run: (group: TrackedGroup, call: CommandCall, deps: BotDeps) => Promise<unknown>): Handler =>
  async (call, deps) => {
    const configuration = await deps.configurations.ofChat(call.chatId);
    if (configuration === null) return call.answer(notConfigured());
    const { trackedCollectionId: id } = configuration;
    const collection = (await deps.tracking.tracked([id])).get(id);
    return collection === undefined ? call.answer(notConfigured()) : run({ configuration, collection }, call, deps);
  };

/** Runs a command where it belongs; elsewhere, answers where that is. `handleSome` (update-jobs.ts) has refused people who are not admins. */
export async function runCommand(
  { name, where, handle }: Command,
  { message, me, deps }: { readonly message: Message; readonly me: UserFromGetMe; readonly deps: BotDeps },
): Promise<void> {
  const call = callOf(message, me, deps);
  if (call.place === 'group') await meetGroup(deps, message);
  else if (where === 'groups') return call.answer(groupOnly(name));
  await handle(call, deps);
}

const callOf = (message: Message, me: UserFromGetMe, deps: BotDeps): CommandCall => ({
  place: isGroup(message.chat) ? 'group' : 'private',
  chatId: message.chat.id,
  topicId: topicOf(message),
  author: authorOf(message),
  typed: /^\S+\s+(.*)$/s.exec(message.text ?? '')?.[1]?.trim() ?? '',
  me,
  answer: (content, options) => answer(deps, message, content, options),
});

/** Two clocks are involved, and a command from just before the bot's removal may be read after it. */
const clockSlackMs = 60_000;

const asMember = { status: 'member', canSendMessages: true, canSendPhotos: true } as const;

/**
 * Makes sure that the group has its row. A command there shows that the bot is a member, even if its return was never
 * reported: Telegram keeps an update for a day (Bot API, Getting updates). Otherwise the bot would answer but post
 * nothing, and the configuration would be purged after 30 days.
 */
async function meetGroup(deps: BotDeps, { chat, date }: Pick<Message, 'chat' | 'date'>): Promise<void> {
  const { chats } = deps;
  await chats.save(factsOf(chat));
  const removedAt = (await chats.read(chat.id))?.removedAt ?? null;
  if (removedAt === null || date * 1_000 < removedAt.getTime() + clockSlackMs) return;
  await noteMembership(deps, factsOf(chat), asMember, { wasInside: false });
}
