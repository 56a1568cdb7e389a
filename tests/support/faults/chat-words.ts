import type { FaultWorld } from './world.ts';

export type ChatMessage = ReturnType<FaultWorld['sandbox']['telegram']['history']>[number];

export const wordsOf = ({ text }: Pick<ChatMessage, 'text'>): string => text ?? '';

/** The bot's messages in that chat, in order. */
export const botMessagesIn = ({ sandbox }: FaultWorld, chatId: number): readonly ChatMessage[] =>
  sandbox.telegram.history(chatId).filter(({ from }) => from.is_bot);

export const botWordsIn = (world: FaultWorld, chatId: number): readonly string[] =>
  botMessagesIn(world, chatId).map(wordsOf);

/** Throws if an unknown figure is shown as zero, or at other words that no chat must ever read. */
export function checkWords(words: string): void {
  if (/(?<![\d.,])0 SUI|\$0(?![.\d])|undefined|NaN|null/.test(words)) throw new Error(`a wrong answer: ${words}`);
}
