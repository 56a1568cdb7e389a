import type { Api, Context, Filter } from 'grammy';

import type { MessageContent } from '../cards/message-content.ts';
import type { ChatStore } from '../configs/chat-store.ts';
import type { ConfigurationStore } from '../configs/configuration-store.ts';
import type { ReplyKind } from '../send/limits.ts';
import type { SetupStore } from '../commands/setup-store.ts';
import type { Configuring } from '../configs/configuring.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import type { SuiPrice } from '../sui-price.ts';
import type { BotLog } from '../../bot-service/bot-runner.ts';
import type { GroupAdmins } from './group-admins.ts';
import type { Speaker } from './speaker.ts';
import type { Memberships } from './membership.ts';

export interface AnswerOptions {
  readonly forceReply?: boolean;
  /** Which share of the chat's limit it uses; if undefined, the update being answered decides. */
  readonly kind?: Exclude<ReplyKind, 'change'>;
}

/** Sends a message at once, within the same limits as the notifications. Throws grammY's errors. */
type SendNow = (
  chatId: number,
  topicId: number | null,
  content: MessageContent,
  options?: AnswerOptions & { readonly replyTo?: number },
) => Promise<{ readonly messageId: number }>;

/** The state of a chat's notifications. */
interface ChatDeliveries {
  readonly pendingCount: number;
  readonly oldestPendingAt: Date | null;
  readonly lastSentAt: Date | null;
}

/** Everything that the commands call. */
export interface BotDeps {
  readonly api: Api;
  readonly sendNow: SendNow;
  readonly chats: ChatStore;
  readonly configurations: ConfigurationStore;
  readonly setups: SetupStore;
  readonly configuring: Configuring;
  readonly membership: Memberships;
  readonly admins: GroupAdmins;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly prices: SuiPrice;
  readonly deliveriesOf: (chatId: number) => Promise<ChatDeliveries>;
  readonly clock: Clock;
  readonly log: BotLog;
  readonly explorerUrl: string;
  /** How long at most between two checks of a collection. */
  readonly pollMaxMs: number;
}

/** A press by a group admin, in a group. */
export interface Press {
  readonly ctx: Filter<Context, 'callback_query:data'>;
  readonly chat: { readonly id: number; readonly title: string };
  readonly messageId: number;
  readonly by: Speaker;
}
