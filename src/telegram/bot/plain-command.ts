import type { Message, Update } from 'grammy/types';

/** `/Floor@RocksBot`: the command that a message begins with, as it was typed; null without one. */
export function commandWord({ text, entities }: Pick<Message, 'text' | 'entities'>): string | null {
  const [first] = entities ?? [];
  return text === undefined || first?.type !== 'bot_command' || first.offset !== 0 ? null : text.slice(0, first.length);
}

/**
 * The update with the command that it begins with in small letters: `/Floor@RocksBot` means `/floor`. What stands behind the
 * command is left as it was typed.
 */
export function withPlainCommand(update: Update): Update {
  const { message } = update;
  const word = message && commandWord(message);
  if (message?.text === undefined || word === undefined || word === null) return update;
  return { ...update, message: { ...message, text: word.toLowerCase() + message.text.slice(word.length) } };
}
