import type { Update } from 'grammy/types';

/**
 * The update with the command that it begins with in small letters: `/Floor@RocksBot` means `/floor`. What stands behind the
 * command is left as it was typed.
 */
export function withPlainCommand(update: Update): Update {
  const { message } = update;
  const [first] = message?.entities ?? [];
  if (message?.text === undefined || first?.type !== 'bot_command' || first.offset !== 0) return update;
  const text = message.text.slice(0, first.length).toLowerCase() + message.text.slice(first.length);
  return { ...update, message: { ...message, text } };
}
