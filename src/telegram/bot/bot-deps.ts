import type { Api, Context, Filter } from 'grammy';
import type { Kysely } from 'kysely';

import type { AuditTrail } from '../../audit/contract.ts';
import type { Database } from '../../db/schema.ts';
import type { CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import type { OwnRocks } from '../../market/rocks-contract.ts';
import type { Clock } from '../../shared/clock.ts';
import type { SetupStore } from '../commands/setup-store.ts';
import type { MessageContent } from '../cards/parts.ts';
import type { ChatFacts, ChatStore } from '../configs/chat-store.ts';
import type { ConfigurationStore } from '../configs/configuration-store.ts';
import type { DeliveryStore } from '../send/delivery-store.ts';
import type { SuiPrice } from '../sui-price.ts';
import type { Speaker } from './group-admins.ts';
import type { Log } from '../../process/logger.ts';

export interface TelegramSettings {
  /** null: no TELEGRAM_BOT_TOKEN. A normal state: everything but the bot works (rulings R1). */
  readonly botToken: string | null;
  readonly apiUrl: string;
  readonly mode: 'polling' | 'webhook';
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly explorerUrl: string;
  readonly pollMaxMs: number;
  /** `host:port` of hosts whose pictures may come over http and from a private address. */
  readonly trustedImageHosts: readonly string[];
}

/** What is said about an update: stored with the note that the update is handled, and sent before all cards. */
export interface Reply {
  readonly chat: ChatFacts;
  readonly topicId: number | null;
  readonly content: MessageContent;
}
export type Say = (reply: Reply) => void;

export interface BotDeps {
  readonly db: Kysely<Database>;
  readonly api: Api;
  readonly say: Say;
  readonly chats: ChatStore;
  readonly configurations: ConfigurationStore;
  readonly setups: SetupStore;
  readonly audit: AuditTrail;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly prices: SuiPrice;
  readonly rocks?: OwnRocks | undefined;
  readonly deliveriesOf: DeliveryStore['ofChat'];
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<TelegramSettings, 'explorerUrl' | 'pollMaxMs'>;
}

export interface Press {
  readonly ctx: Filter<Context, 'callback_query:data'>;
  readonly chat: { readonly id: number; readonly title: string };
  readonly messageId: number;
  readonly by: Speaker;
}
