import type { MessageContent } from '../core/message-content.ts';

/** Rulings R4: on their way at once, over all copies of the product. A crash leaves at most so many in doubt. */
export const inFlightMax = 4;
/** How many of them may go to chats whose last try failed: the others never wait for these. */
export const retriesInFlightMax = 2;

/** What is left of a message that Telegram refused as it was. */
export type MessageForm = 'full' | 'without-picture' | 'plain';

/** Uploaded once, or to be uploaded now; null: a message of words alone. */
export type Picture =
  { readonly kind: 'file-id'; readonly fileId: string } | { readonly kind: 'bytes'; readonly bytes: Buffer } | null;

/** A message that this copy of the product has marked as on its way, in a committed row. */
export interface ClaimedMessage {
  readonly id: string;
  readonly chatId: string;
  readonly topicId: number | null;
  readonly content: MessageContent;
  readonly form: MessageForm;
  /** How often it was tried before, without what Telegram's limits held back. */
  readonly attempts: number;
  /** The message in the chat that this one edits (rulings R4, running cards); null: it is sent. */
  readonly editsMessageId: number | null;
  /** The picture's id at Telegram, when it was uploaded before. */
  readonly fileId: string | null;
  /** Whether a picture may go along at all. */
  readonly wantsPicture: boolean;
  /** Its place among what the gate let through, as it is written there. */
  readonly gateEntry: string;
  /** When it may pass the gate by this process's clock (`performance.now()`), at the latest: not to be sent before … */
  readonly gateLatestMs: number;
  /** … and at the earliest. */
  readonly gateEarliestMs: number;
}

/** What became of a claimed message, as it is to be written down. */
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

export interface Settlement {
  readonly message: ClaimedMessage;
  readonly outcome: Outcome;
  /** So long after it passed the gate it had arrived at the latest. */
  readonly arrivedAfterMs: number;
}

export interface ClaimAsk {
  /** Chats that this copy is busy with. */
  readonly excludedChatIds: readonly string[];
  /** A picture that is neither known to Telegram nor ready has to be made ready before the claim. */
  readonly isPictureReady: (imageUrl: string) => boolean;
  /** False right after the database was away: its holder may be about to write down what became of the message. */
  readonly mayTakeOver: boolean;
}

export type ClaimAnswer =
  | { readonly kind: 'claimed'; readonly message: ClaimedMessage }
  /** Nothing was marked: first the picture, then ask again. */
  | { readonly kind: 'picture-first'; readonly chatId: string; readonly imageUrl: string }
  /** Nothing was marked: what piled up in this chat is to be told as a digest first. */
  | { readonly kind: 'backlog-first'; readonly chatId: string }
  /** Nothing to do before so long, unless something new comes in. */
  | { readonly kind: 'wait'; readonly waitMs: number };

/** The outbox as the sender sees it: all copies of the product share it, and time is the database's alone. */
export interface Outbox {
  /**
   * One transaction: writes down what became of messages, then claims the next one if asked for. Throws what the database
   * throws; then nothing of it has happened.
   */
  step(settlements: readonly Settlement[], ask: ClaimAsk | null): Promise<ClaimAnswer>;
  /** Nothing is sent by any copy for so long: Telegram as a whole is away. */
  pauseAll(forMs: number): Promise<void>;
  rememberBadPicture(imageUrl: string, failure: string, againAfterMs: number): Promise<void>;
}

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

export interface Transport {
  /** Never throws. `signal` ends the wait for the answer, not what is already on its way. */
  send(
    message: Pick<ClaimedMessage, 'chatId' | 'topicId' | 'content' | 'form' | 'editsMessageId'>,
    picture: Picture,
    signal: AbortSignal,
  ): Promise<SendAnswer>;
}

/** Pictures on their way from the web to Telegram. */
export interface PictureShelf {
  /** Bytes that wait to be uploaded; null: none. */
  get(imageUrl: string): Buffer | null;
  /** Resolves when the picture is ready or known to be of no use, in a few seconds at most. Never throws. */
  prepare(imageUrl: string): Promise<void>;
  /** Telegram knows it now. */
  drop(imageUrl: string): void;
}

/** What piled up in one chat becomes a digest and the newest few. */
export interface BacklogDigest {
  compact(chatId: string): Promise<void>;
}
