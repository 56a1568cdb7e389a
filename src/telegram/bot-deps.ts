import type { Api } from 'grammy';
import type { MaybeInaccessibleMessage } from 'grammy/types';
import type { Kysely } from 'kysely';

import type { AuditTrail } from '../audit/contract.ts';
import type { BotPace } from '../bot-service/bot-runner.ts';
import type { BotIdentity, ServiceStore } from '../bot-service/service-store.ts';
import type { Config } from '../config.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Activity } from '../market/contract.ts';
import type { OwnRocks } from '../market/rocks-contract.ts';
import type { Clock } from '../shared/clock.ts';
import type { ImageShrinker } from '../sources/pictures/shrink-image.ts';
import type { SetupStore } from './commands/setup-store.ts';
import type { MessageContent } from './cards/message-html.ts';
import type { ChatFacts, ChatStore } from './configs/chat-store.ts';
import type { ConfigurationStore } from './configs/configuration-store.ts';
import type { Outbox } from './send/outbox.ts';
import type { SuiPrice } from './sui-price.ts';
import type { Logger } from '../process/logger.ts';

/** What the rest of the product gives the group-chat bot, and the bot's own stores. */
export interface TelegramParts {
  readonly db: Kysely<Database>;
  /** URL of the database, for the bot's lock. May contain a password: never logged. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly activity: Activity;
  readonly prices: SuiPrice;
  readonly rocks: OwnRocks;
  readonly shrinker: Pick<ImageShrinker, 'shrink'>;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  /** A clock that never goes back, for the limits on questions and commands. */
  readonly nowMs: () => number;
  readonly log: Logger;
  /** Without TELEGRAM_BOT_TOKEN everything but the bot works (rulings R1). TRACKER_POLL_MAX_MS says when a figure is old, no more. */
  readonly config: Pick<
    Config,
    | 'TELEGRAM_BOT_TOKEN'
    | 'TELEGRAM_API_URL'
    | 'TELEGRAM_MODE'
    | 'PUBLIC_URL'
    | 'EXPLORER_URL'
    | 'TRACKER_POLL_MAX_MS'
    | 'MARKET_API_URL'
  >;
  readonly pace: BotPace;
  readonly chats: ChatStore;
  readonly configurations: ConfigurationStore;
  readonly setups: SetupStore;
  readonly outbox: Outbox;
  readonly service: ServiceStore;
  readonly botIdentity: BotIdentity;
  /** Whether the bot is wanted and its token belongs to the bot that the groups know. */
  readonly isOn: () => Promise<boolean>;
}

/** An answer to an update: stored in the transaction that marks the update handled, and sent before all cards. */
export interface Reply {
  readonly chat: ChatFacts;
  readonly topicId: number | null;
  readonly content: MessageContent;
}
export type AddReply = (reply: Reply) => void;

/** For handling one update. */
export interface BotDeps extends TelegramParts {
  readonly api: Api;
  readonly addReply: AddReply;
}

export interface Author {
  readonly kind: 'person' | 'anonymous-admin' | 'other';
  /** A user's id, or the id of the chat on whose behalf it was written. */
  readonly id: number;
  readonly name: string;
}

/** A press by a group admin, in a group. */
export interface Press {
  /** With the button. */
  readonly message: MaybeInaccessibleMessage;
  readonly chat: { readonly id: number; readonly title: string };
  readonly by: Author;
}
