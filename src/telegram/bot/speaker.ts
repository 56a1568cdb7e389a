import type { Message } from 'grammy/types';

/** The author of a message in a group, for deciding what they may do. */
export interface Speaker {
  readonly kind: 'person' | 'anonymous-admin' | 'other';
  /** A user's id, or the id of the chat on whose behalf it was written. */
  readonly id: number;
  readonly name: string;
}

/** @GroupAnonymousBot represents every anonymous admin of every group: its id says nothing about this one. */
const groupAnonymousBotId = 1087968824;

/**
 * Rulings R4: an anonymous admin is recognised by `sender_chat` being the group itself. A linked channel, or any other
 * chat on whose behalf a message was written, is no admin.
 */
export function speakerOf(message: Pick<Message, 'chat' | 'from' | 'sender_chat'>): Speaker {
  const { chat, from, sender_chat: behalf } = message;
  if (behalf !== undefined) {
    const kind = behalf.id === chat.id ? 'anonymous-admin' : 'other';
    return { kind, id: behalf.id, name: kind === 'anonymous-admin' ? 'Anonymous admin' : 'A channel' };
  }
  if (from === undefined || from.id === groupAnonymousBotId)
    return { kind: 'other', id: from?.id ?? 0, name: 'Nobody' };
  return { kind: 'person', id: from.id, name: nameOf(from) };
}

/** For the audit log. The privacy policy mentions only a messenger user ID: names are not kept. */
export const nameOf = ({ id }: { readonly id: number }): string => `Telegram user ${id}`;

export const actorOf = ({ id, name }: Pick<Speaker, 'id' | 'name'>) =>
  ({ kind: 'telegram', userId: String(id), name }) as const;
