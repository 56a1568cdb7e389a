import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { JobDefinition } from '../jobs/define-job.ts';
import type { ActivityListener, CollectionHistory, CollectionTracking } from '../market/contract.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Logger } from '../process/logger.ts';
import { createChatLog } from './send/chat-log.ts';
import { createDeliveryStore, type DeliveryStore } from './send/delivery-store.ts';
import { createRecapStore } from './notify/recap-store.ts';
import { createPictures } from './pictures/pictures.ts';
import type { AuditTrail } from '../audit/contract.ts';
import type { Clock } from '../shared/clock.ts';
import type { SuiPrice } from './sui-price.ts';
import type { Say, SendNow } from './send/replies.ts';
import { createSender, senderLimits, type SenderLimits } from './send/sender.ts';
import { createTransport } from './send/transport.ts';
import { compactChat } from './notify/backlog-digest.ts';
import { createDeliveryListener } from './notify/delivery-listener.ts';
import { createEventCards } from './notify/event-cards.ts';
import { recapsJob } from './notify/recaps.ts';

interface DeliverySettings {
  /** null: there is no bot; nothing is sent, and planned messages wait. */
  readonly bot: { readonly token: string; readonly apiUrl: string } | null;
  readonly explorerUrl: string;
  /** `host:port` of hosts whose pictures may come over http and from a private address. */
  readonly trustedImageHosts: readonly string[];
}

export interface DeliveriesOptions {
  readonly database: Kysely<Database>;
  /** Of the database, for a dedicated connection. May contain a password: never logged. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly prices: SuiPrice;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the bot is wanted. */
  readonly isOn: () => Promise<boolean>;
  readonly settings: DeliverySettings;
  /** Changed only by tests and benchmarks. `pictureWaitMs`: after that a message goes without its picture. */
  readonly limits?: Partial<SenderLimits & { readonly pictureWaitMs: number }>;
}

export interface Deliveries {
  /** Writes deliveries whether the bot runs or not. */
  readonly listener: ActivityListener;
  readonly store: DeliveryStore;
  readonly recaps: JobDefinition<object>;
  readonly sendNow: SendNow;
  /** Plain text to any chat, within the same limits. */
  readonly say: Say;
  /** Starts sending cards; safe to repeat. */
  start(): void;
  /** No cards; replies go on. */
  pause(): Promise<void>;
  /** Resolves when this copy sends nothing any more. May be started again. */
  stop(): Promise<void>;
}

const pictureWaitMs = 3_000;
const ipfsGateway = 'https://ipfs.io/ipfs/';

/** Everything between an event in the database and its message in a group (rulings R4). Creating it never throws. */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { database, clock, log, history, tracking, prices, settings } = options;
  const limits = { ...senderLimits, pictureWaitMs, ...options.limits };
  const recapStore = createRecapStore(database);
  const { explorerUrl, bot } = settings;
  const cards = createEventCards({ history, tracking, prices, explorerUrl });
  const images = { trustedHosts: settings.trustedImageHosts, ipfsGateway, waitMs: limits.pictureWaitMs };
  const pictures = createPictures(database, images, log);
  const sender = createSender({
    ...options,
    db: database,
    chatLog: createChatLog(options.audit),
    transport: createTransport(bot ?? { token: 'none', apiUrl: 'http://localhost' }),
    pictures,
    compact: (chatId) => compactChat(database, cards, chatId),
    limits,
  });
  return {
    listener: createDeliveryListener({ clock, prices, explorerUrl }),
    store: createDeliveryStore(database),
    recaps: recapsJob({ ...options, store: recapStore, cards }),
    say: sender.say,
    sendNow: sender.sendNow,
    start: () => {
      if (bot !== null) sender.start();
    },
    pause: () => sender.pause(),
    stop: async () => {
      // Now, and again for what the sender began meanwhile.
      const sent = sender.stop().then(() => pictures.stop());
      await Promise.all([sent, pictures.stop()]);
    },
  };
}
