import type { Message, Update, UserFromGetMe } from 'grammy/types';

import { commandNamed } from '../commands/command-table.ts';
import { asksForSupply } from '../commands/texts/setup-texts.ts';
import { type Author, authorOf } from './group-admins.ts';

/**
 * What an update is to the bot.
 * - `question`: asks for known facts and changes nothing.
 * - `wish`: in a group, an admin command, a button press or a reply to the bot's question: for its admins only.
 * - `event`: a change of a group or of the bot's membership: never dropped.
 * - `nothing`: everything else that people write and post.
 */
type UpdateKind = 'question' | 'wish' | 'event' | 'nothing';

export interface Asked {
  readonly kind: UpdateKind;
  /** 0: none. */
  readonly chatId: number;
  readonly isGroup: boolean;
  /** The sender: a user's id, or the id of the chat on whose behalf the message was written. */
  readonly personId: number;
  /** The sender's kind, by the message alone. Whether a `person` is an admin is decided by the group's list of admins. */
  readonly author: Author['kind'];
  /** 'floor'; `unknownWord` or `otherWords`; null: not addressed to this bot. */
  readonly command: string | null;
  readonly isPress: boolean;
}

/** An unknown command, and any other text in private. Both are answered with a pointer to /help. */
export const unknownWord = 'unknown command';
export const otherWords = 'other words';

type Me = Pick<UserFromGetMe, 'id' | 'username'>;

export function readAsked(update: Update, me: Me): Asked {
  const { message, callback_query: press } = update;
  const chat = chatOf(update);
  const isGroup = chat?.type === 'group' || chat?.type === 'supergroup';
  const author = message && authorOf(message);
  const personId = press?.from.id ?? author?.id ?? 0;
  const command = commandOf(message, me);
  return {
    kind: kindOf(update, isGroup, command, me),
    chatId: chat?.id ?? personId,
    isGroup,
    personId,
    author: author?.kind ?? 'person',
    command,
    isPress: press !== undefined,
  };
}

const chatOf = ({ message, callback_query: press, my_chat_member: own }: Update) =>
  (message ?? press?.message ?? own)?.chat;

function kindOf(update: Update, isGroup: boolean, command: string | null, me: Me): UpdateKind {
  const { message, callback_query: press, my_chat_member: own } = update;
  // Nothing can be changed in private: the bot only says where it can.
  const wish = isGroup ? 'wish' : 'question';
  if (press !== undefined) return wish;
  if (own !== undefined) return isGroup ? 'event' : 'nothing';
  if (message === undefined || message.is_automatic_forward === true) return 'nothing';
  if (isGroup && isGroupChange(message)) return 'event';
  if (isGroup && isSupplyReply(message, me.id)) return 'wish';
  if (command === null) return 'nothing';
  return commandNamed(command)?.who === 'group-admins' ? wish : 'question';
}

const isGroupChange = (message: Message): boolean =>
  message.migrate_to_chat_id !== undefined ||
  message.migrate_from_chat_id !== undefined ||
  message.new_chat_title !== undefined ||
  message.forum_topic_closed !== undefined ||
  message.forum_topic_reopened !== undefined;

function commandOf(message: Message | undefined, { username }: Me): string | null {
  if (message === undefined) return null;
  const isPrivate = message.chat.type === 'private';
  const word = commandWord(message);
  if (word === null) return isPrivate && message.text !== undefined ? otherWords : null;
  const [name = '', whose = null] = word.slice(1).toLowerCase().split('@', 2);
  const isMine = whose === null || whose === username.toLowerCase();
  if (isMine && commandNamed(name) !== null) return name;
  // In a group, a command without a bot name may be for any bot.
  return isPrivate || (isMine && whose !== null) ? unknownWord : null;
}

/** `/Floor@RocksBot`: the command at the start of a message, as typed; null without one. */
function commandWord({ text, entities }: Pick<Message, 'text' | 'entities'>): string | null {
  const [first] = entities ?? [];
  return text === undefined || first?.type !== 'bot_command' || first.offset !== 0 ? null : text.slice(0, first.length);
}

export type SupplyReply = Message & {
  readonly text: string;
  readonly reply_to_message: NonNullable<Message['reply_to_message']>;
};

/** While the question is open, Telegram turns anything typed into a reply; a command is still a command. */
export const isSupplyReply = (message: Message, botId: number): message is SupplyReply =>
  message.text !== undefined &&
  commandWord(message) === null &&
  message.reply_to_message?.from?.id === botId &&
  asksForSupply(message.reply_to_message.text ?? '');
