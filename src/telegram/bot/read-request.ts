import type { Message, Update, UserFromGetMe } from 'grammy/types';

import { commandNamed } from '../commands/command-table.ts';
import type { SupplyReply } from '../commands/setup-answers.ts';
import { asksForSupply } from '../commands/texts/setup-texts.ts';
import { authorOf } from '../commands/answering.ts';
import type { Author } from '../bot-deps.ts';

/**
 * - `query`: for anyone; answers with known facts and changes nothing.
 * - `admin-action`: in a group, an admin command, a button press or a reply to the bot's question: for its admins only.
 * - `chat-change`: of a group or of the bot's membership: never dropped.
 * - `none`: everything else that people write and post.
 */
type RequestKind = 'query' | 'admin-action' | 'chat-change' | 'none';

/** What an update wants of the bot. */
export interface UpdateRequest {
  readonly updateId: number;
  readonly kind: RequestKind;
  /** 0: none. */
  readonly chatId: number;
  readonly isGroup: boolean;
  /** The sender: a user's id, or the id of the chat on whose behalf the message was written. */
  readonly personId: number;
  /** The sender's kind, by the message alone. Whether a `person` is an admin is decided by the group's list of admins. */
  readonly author: Author['kind'];
  /** A command's name, such as 'floor'; `noSuchCommand` or `notACommand`; null: not addressed to this bot. */
  readonly command: string | null;
  readonly isPress: boolean;
}

/** An unknown command, and any other text in private. Both are answered with a pointer to /help. */
export const noSuchCommand = '(no such command)';
export const notACommand = '(not a command)';

export type Me = Pick<UserFromGetMe, 'id' | 'username'>;

/** Read when an update arrives, for the limits on floods, and again from its row by the job that handles it. */
export function readRequest(update: Update, me: Me): UpdateRequest {
  const { message, callback_query: press } = update;
  const chat = chatOf(update);
  const isGroup = chat?.type === 'group' || chat?.type === 'supergroup';
  const author = message && authorOf(message);
  const personId = press?.from.id ?? author?.id ?? 0;
  const command = commandOf(message, me);
  return {
    updateId: update.update_id,
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

function kindOf(update: Update, isGroup: boolean, command: string | null, me: Me): RequestKind {
  const { message, callback_query: press, my_chat_member: own } = update;
  // Nothing can be changed in private: the bot only says where it can.
  const adminAction = isGroup ? 'admin-action' : 'query';
  if (press !== undefined) return adminAction;
  if (own !== undefined) return isGroup ? 'chat-change' : 'none';
  if (message === undefined || message.is_automatic_forward === true) return 'none';
  if (isGroup && isGroupChange(message)) return 'chat-change';
  if (isGroup && isSupplyReply(message, me.id)) return 'admin-action';
  if (command === null) return 'none';
  return commandNamed(command)?.who === 'group-admins' ? adminAction : 'query';
}

const isGroupChange = (message: Message): boolean =>
  message.migrate_to_chat_id !== undefined ||
  message.migrate_from_chat_id !== undefined ||
  message.new_chat_title !== undefined ||
  message.forum_topic_reopened !== undefined;

function commandOf(message: Message | undefined, { username }: Me): string | null {
  if (message === undefined) return null;
  const isPrivate = message.chat.type === 'private';
  const typed = typedCommand(message);
  if (typed === null) return isPrivate && message.text !== undefined ? notACommand : null;
  const [name = '', botName = null] = typed.slice(1).toLowerCase().split('@', 2);
  const namesThisBot = botName === username.toLowerCase();
  if ((namesThisBot || botName === null) && commandNamed(name) !== null) return name;
  // In a group, a command without a bot name may be for any bot.
  return isPrivate || namesThisBot ? noSuchCommand : null;
}

/** `/Floor@RocksBot`: the command at the start of a message, as typed; null without one. */
function typedCommand({ text, entities }: Pick<Message, 'text' | 'entities'>): string | null {
  const [first] = entities ?? [];
  return text === undefined || first?.type !== 'bot_command' || first.offset !== 0 ? null : text.slice(0, first.length);
}

/** While the question is open, Telegram turns anything typed into a reply; a command is still a command. */
export const isSupplyReply = (message: Message, botId: number): message is SupplyReply =>
  message.text !== undefined &&
  typedCommand(message) === null &&
  message.reply_to_message?.from?.id === botId &&
  asksForSupply(message.reply_to_message.text ?? '');
