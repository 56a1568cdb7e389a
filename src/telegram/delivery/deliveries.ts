import type { Kysely } from 'kysely';

import type { ActivityListener } from '../../market/contract.ts';
import type { ChangeSignal } from '../../platform/change-signal.ts';
import type { Logger } from '../../platform/logger.ts';
import { createChatLog } from '../adapters/chat-log.ts';
import { createDeliveryStore, type DeliveryStore } from '../adapters/delivery-store.ts';
import { createOutboxStore } from '../adapters/outbox-store.ts';
import { createRecapStore } from '../adapters/recap-store.ts';
import { createSay, type Say } from '../adapters/say.ts';
import { createSendGate, type SendGate } from '../adapters/send-gate.ts';
import { createSendNow, type SendNow } from '../adapters/send-now.ts';
import type { TelegramTables } from '../adapters/tables.ts';
import { createPictureShelf } from '../adapters/telegram-images.ts';
import { createSendingApi, createTelegramTransport } from '../adapters/telegram-transport.ts';
import type { AuditTrail, Clock, CollectionHistory, CollectionTracking, SuiPrice } from '../ports.ts';
import { createBacklogDigest } from './backlog-digest.ts';
import { createDeliveryListener } from './delivery-listener.ts';
import { createEventCards } from './event-cards.ts';
import { createRecaps } from './recaps.ts';
import { createSender, senderLimits, type SenderLimits } from './sender.ts';

interface DeliverySettings {
  /** null: there is no bot; nothing is sent, and what is planned waits. */
  readonly bot: { readonly token: string; readonly apiUrl: string } | null;
  readonly explorerUrl: string;
  /** `host:port` of those whose pictures may come over http and from a private address. */
  readonly trustedImageHosts: readonly string[];
}

interface DeliveryLimits {
  readonly claimMs: number;
  readonly backlogAfterMs: number;
  /** So long a message waits for its picture, then it goes without. */
  readonly pictureWaitMs: number;
}

export interface DeliveriesOptions {
  readonly db: Kysely<TelegramTables>;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly prices: SuiPrice;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names this copy of the product: no two that run may have the same. */
  readonly copy: string;
  readonly settings: DeliverySettings;
  /** Only tests and figures change these. */
  readonly limits?: Partial<SenderLimits & DeliveryLimits>;
}

export interface Deliveries {
  /** Writes deliveries whether the bot runs or not. */
  readonly listener: ActivityListener;
  readonly store: DeliveryStore;
  /** What every other message passes before it goes to Telegram. */
  readonly gate: SendGate;
  readonly sendNow: SendNow;
  /** Plain words to any chat, past the same gate. */
  readonly say: Say;
  /** Begins to send and to make recaps; harmless when it does already. */
  start(): void;
  /** Nothing of this copy is on its way afterwards. May be started again. */
  stop(): Promise<void>;
  /** Something new waits: tells the senders of all copies. */
  wake(): void;
}

const topic = 'telegram-outbox';
const deliveryLimits: DeliveryLimits = {
  // Longer than the longest wait for an answer.
  claimMs: 18_000,
  backlogAfterMs: 10 * 60_000,
  pictureWaitMs: 3_000,
};
const ipfsGateway = 'https://ipfs.io/ipfs/';

/** Everything between an event in the database and its message in a group (rulings R4). Throws nothing at its making. */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { db, changes, clock, log, history, tracking, prices, audit, settings } = options;
  const limits = { ...senderLimits, ...deliveryLimits, ...options.limits };
  const outbox = createOutboxStore(db, { copy: options.copy, ...limits, chatLog: createChatLog(audit) });
  const recapStore = createRecapStore(db);
  const { explorerUrl } = settings;
  const cards = createEventCards({
    readConfiguration: (id) => recapStore.readConfiguration(id),
    history,
    tracking,
    prices,
    clock,
    explorerUrl,
  });
  const images = { trustedHosts: settings.trustedImageHosts, ipfsGateway, waitMs: limits.pictureWaitMs };
  const pictures = createPictureShelf(outbox, images, log);
  const gate = createSendGate(db);
  const bot = settings.bot;
  const api = createSendingApi(bot ?? { token: 'none', apiUrl: 'http://localhost' });
  const transport = createTelegramTransport(api, bot?.token ?? 'none');
  const backlog = createBacklogDigest(db, cards);
  const sender = createSender({ outbox, transport, pictures, backlog, log, limits });
  const wake = (): void => {
    sender.wake();
    changes
      .publish(topic)
      .catch((error: unknown) =>
        log.debug({ err: error }, 'The other copies could not be notified; they will notice by themselves'),
      );
  };
  const recaps = createRecaps({ store: recapStore, cards, history, clock, log, wake });
  let unsubscribe: (() => void) | null = null;
  return {
    listener: createDeliveryListener({ clock, prices, explorerUrl, wake }),
    store: createDeliveryStore(db),
    gate,
    say: createSay(gate, transport),
    sendNow: createSendNow({ api, db, gate, pictures, onSettled: () => sender.wake() }),
    start: () => {
      if (bot === null || unsubscribe !== null) return;
      unsubscribe = changes.subscribe(topic, () => sender.wake());
      sender.start();
      recaps.start();
    },
    stop: async () => {
      unsubscribe?.();
      unsubscribe = null;
      // At once, and again for what the sender began meanwhile.
      const sent = sender.stop().then(() => pictures.stop());
      await Promise.all([sent, recaps.stop(), pictures.stop()]);
    },
    wake,
  };
}
