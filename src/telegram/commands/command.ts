import type { UserFromGetMe } from 'grammy/types';

import type { AnswerOptions } from './answering.ts';
import type { BotDeps, Author } from '../bot-deps.ts';
import type { MessageContent } from '../cards/message-html.ts';
import type { TrackedCollection } from '../../market/contract.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import type { CommandFacts } from '../contract.ts';
import { notConfigured } from '../cards/chat-texts.ts';

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
    const collection = (await deps.activity.tracked([id])).get(id);
    return collection === undefined ? call.answer(notConfigured()) : run({ configuration, collection }, call, deps);
  };
