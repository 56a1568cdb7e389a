import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { CollectionHistory, CollectionTracking } from '../market/contract.ts';
import type { OwnRocks } from '../market/rocks-contract.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Logger } from '../process/logger.ts';
import type { TelegramSettings } from './bot/bot-deps.ts';
import { createChatLog } from './configs/chat-changes.ts';
import { createDeliveryStore } from './send/delivery-store.ts';
import { ipfsGateway } from '../sources/pictures/read-picture.ts';
import type { ImageShrinker } from '../sources/pictures/shrink-image.ts';
import { createPictures } from './send/pictures.ts';
import type { AuditTrail } from '../audit/contract.ts';
import type { Clock } from '../shared/clock.ts';
import type { SuiPrice } from './sui-price.ts';
import { createSender, senderLimits, type SenderLimits } from './send/sender.ts';
import { createSay, createTransport } from './send/transport.ts';
import { compactChat, createEventCards } from './notify/event-cards.ts';
import { createDeliveryListener } from './notify/delivery-listener.ts';
import { recapsJob } from './notify/recaps.ts';

export interface DeliveriesOptions {
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'subscribe'>;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly prices: SuiPrice;
  readonly shrinker: Pick<ImageShrinker, 'shrink'>;
  /** Left out: nothing is said of the product's own collection. */
  readonly rocks?: OwnRocks | undefined;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the bot is wanted. */
  readonly isOn: () => Promise<boolean>;
  /** Without a token nothing is sent, and planned messages wait. */
  readonly settings: Pick<TelegramSettings, 'botToken' | 'apiUrl' | 'explorerUrl' | 'trustedImageHosts'>;
  /** Changed only by tests and benchmarks. `pictureWaitMs`: after that a message goes without its picture. */
  readonly limits?: Partial<SenderLimits & { readonly pictureWaitMs: number }>;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

const pictureWaitMs = 3_000;

/** Everything between an event in the database and its message in a group (rulings R4). Creating it never throws. */
export function createDeliveries(options: DeliveriesOptions) {
  const { database, clock, log, history, tracking, prices, settings } = options;
  const limits = { ...senderLimits, pictureWaitMs, ...options.limits };
  const { explorerUrl, botToken: token, apiUrl } = settings;
  const { rocks } = options;
  const rockPage = rocks && ((objectId: string) => rocks.pageOf(objectId));
  const cards = createEventCards({ history, tracking, prices, explorerUrl, rockPage });
  const images = { trustedHosts: settings.trustedImageHosts, ipfsGateway, waitMs: limits.pictureWaitMs };
  const pictures = createPictures(database, images, options.shrinker, log);
  const transport = createTransport({ token: token ?? 'none', apiUrl });
  const sender = createSender({
    ...options,
    db: database,
    chatLog: createChatLog(options.audit),
    transport,
    pictures,
    compact: (chatId) => compactChat(database, cards, chatId),
    limits,
  });
  return {
    /** Writes deliveries whether the bot runs or not. */
    listener: createDeliveryListener({ clock, prices, explorerUrl, rockPage }),
    store: createDeliveryStore(database),
    recaps: recapsJob({ ...options, db: database, cards }),
    /** Plain text to any chat, past the queue. */
    say: createSay(transport),
    /** Sends what waits until then; by one copy at a time. */
    send: async (over: AbortSignal): Promise<void> => {
      // At the abort, and again for what the sender began meanwhile.
      over.addEventListener('abort', () => pictures.stop(), { once: true });
      await sender.send(over);
      pictures.stop();
    },
  };
}
