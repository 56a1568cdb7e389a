import { notConfigured, removeQuestion } from './texts/chat-texts.ts';
import type { CommandHandler } from './command.ts';

/** Asks first; buttons do the rest. */
export const remove: CommandHandler = async ({ chatId, answer }, { configurations }) => {
  const present = await configurations.ofChat(chatId);
  return answer(present === null ? notConfigured() : removeQuestion(present.collectionName, present.id));
};
