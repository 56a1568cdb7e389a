import type { MessageContent } from '../cards/message-content.ts';

/** Rulings R4: messages sent at the same time. A crash leaves at most this many in doubt. */
export const onTheirWayMax = 4;

/** The simpler form of a refused message. */
type MessageForm = 'full' | 'without-picture' | 'plain';

/** Uploaded before, or to be uploaded now; null: text only. */
export type Picture =
  { readonly kind: 'file-id'; readonly fileId: string } | { readonly kind: 'bytes'; readonly bytes: Uint8Array } | null;

/** A message marked as being sent, in a committed row. */
export interface Message {
  readonly id: string;
  readonly chatId: string;
  readonly topicId: number | null;
  readonly content: MessageContent;
  readonly form: MessageForm;
  /** Earlier attempts, except those held back by Telegram's limits. */
  readonly attempts: number;
  /** The message that this one edits (rulings R4, running cards); null: a new message. */
  readonly editsMessageId: number | null;
}

/** The outcome of a message, as it is stored. */
export type Outcome =
  | { readonly kind: 'sent'; readonly platformMessageId: number | null; readonly uploadedFileId: string | null }
  | {
      readonly kind: 'again';
      readonly reason: string;
      readonly delayMs: number;
      /** The request was sent and its answer was lost: it may have arrived. */
      readonly isDoubtful: boolean;
      readonly form?: MessageForm;
      /** Goes to the chat itself while its topic is in this state. */
      readonly leavesTopic?: 'closed' | 'gone';
      /** For the chat's admins: Telegram's own words. */
      readonly trouble?: string;
      readonly lacksPhotoRight?: boolean;
      /** Telegram no longer knows the picture. */
      readonly forgetsFileId?: boolean;
      /** The picture itself was refused. */
      readonly badPicture?: boolean;
      /** The message to edit is gone. */
      readonly losesCard?: boolean;
    }
  /** Telegram asked to wait: not counted as an attempt. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The bot is no longer in that chat. */
  | { readonly kind: 'removed'; readonly reason: string; readonly botStatus: 'left' | 'kicked' }
  | { readonly kind: 'migrated'; readonly toChatId: string };

/** Telegram's answer to one send, without secrets. */
export type SendAnswer =
  | { readonly kind: 'sent'; readonly messageId: number | null; readonly fileId: string | null }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly description: string;
      readonly retryAfterMs: number | null;
      readonly migrateToChatId: string | null;
    }
  | { readonly kind: 'unanswered'; readonly reason: string; readonly isDoubtful: boolean };

export interface ReplyOptions {
  readonly replyTo?: number;
  readonly forceReply?: boolean;
}

/** Telegram's limits, after parsing the entities (Bot API: sendMessage, sendPhoto). UTF-16 units, like Telegram's. */
export const textMaxLength = 4096;
export const captionMaxLength = 1024;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** The visible text of Telegram's HTML. Anything that is no HTML stays as it is. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(
      /&(?:(lt|gt|amp|quot)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
      (whole, name?: string, decimal?: string, hex?: string) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
      },
    );

/** At most `maxLength` units, never half a character; a cut is marked. */
export const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
