import type { MessageContent } from '../core/message-content.ts';

/** Rulings R4: on their way at once. A crash leaves at most so many in doubt. */
export const onTheirWayMax = 4;

/** What is left of a message that Telegram refused as it was. */
export type MessageForm = 'full' | 'without-picture' | 'plain';

/** Uploaded once, or to be uploaded now; null: a message of words alone. */
export type Picture =
  { readonly kind: 'file-id'; readonly fileId: string } | { readonly kind: 'bytes'; readonly bytes: Buffer } | null;

/** A message that is marked as on its way, in a committed row. */
export interface Message {
  readonly id: string;
  readonly chatId: string;
  readonly topicId: number | null;
  readonly content: MessageContent;
  readonly form: MessageForm;
  /** How often it was tried before, without what Telegram's limits held back. */
  readonly attempts: number;
  /** The message in the chat that this one edits (rulings R4, running cards); null: it is sent. */
  readonly editsMessageId: number | null;
}

/** What became of a message, as it is to be written down. */
export type Outcome =
  | { readonly kind: 'sent'; readonly platformMessageId: number | null; readonly uploadedFileId: string | null }
  | {
      readonly kind: 'again';
      readonly reason: string;
      readonly delayMs: number;
      /** The request went out and its answer was lost: it may have arrived. */
      readonly isDoubtful: boolean;
      readonly form?: MessageForm;
      /** To the chat itself while its topic is so. */
      readonly leavesTopic?: 'closed' | 'gone';
      /** For people who look after the chat: Telegram's own words. */
      readonly trouble?: string;
      readonly lacksPhotoRight?: boolean;
      /** Telegram does not know the picture any more. */
      readonly forgetsFileId?: boolean;
      /** The picture itself was refused. */
      readonly badPicture?: boolean;
      /** The message that was to be edited is gone. */
      readonly losesCard?: boolean;
    }
  /** Telegram asked to wait: no attempt of ours. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The bot is in that chat no more. */
  | { readonly kind: 'removed'; readonly reason: string; readonly botStatus: 'left' | 'kicked' }
  | { readonly kind: 'migrated'; readonly toChatId: string };

/** Telegram's answer to one send, without anything secret in it. */
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

export interface Transport {
  /** Never throws. `signal` ends the wait for the answer, not what is already on its way. */
  send(
    message: Pick<Message, 'chatId' | 'topicId' | 'content' | 'form' | 'editsMessageId'> & {
      readonly reply?: ReplyOptions;
    },
    picture: Picture,
    signal: AbortSignal,
  ): Promise<SendAnswer>;
}

/** Pictures on their way from the web to Telegram. */
export interface Pictures {
  /** Bytes that wait to be uploaded; null: none. */
  get(imageUrl: string): Buffer | null;
  /** Resolves when the picture is ready or known to be of no use, in a few seconds at most. Never throws. */
  prepare(imageUrl: string): Promise<void>;
  /** Telegram knows it now. */
  drop(imageUrl: string): void;
}
