import type { TelegramParts, TelegramSettings } from './bot/bot-deps.ts';
import { createChatLog } from './configs/chat-changes.ts';
import { gateways } from '../sources/pictures/read-picture.ts';
import { createPictures } from './send/pictures.ts';
import { createSender, senderLimits } from './send/sender.ts';
import type { SenderLimits } from './send/sending.ts';
import { createSay, createTransport } from './send/transport.ts';
import { compactChat, createEventCards, holdBack } from './notify/event-cards.ts';
import { createDeliveryListener } from './notify/delivery-listener.ts';
import { recapsJob } from './notify/recaps.ts';

type Given =
  'shrinker' | 'db' | 'changes' | 'tracking' | 'history' | 'prices' | 'rocks' | 'audit' | 'clock' | 'log' | 'isOn';

export interface DeliveriesDeps extends Pick<TelegramParts, Given> {
  /** Without a token nothing is sent, and planned messages wait. */
  readonly settings: Pick<TelegramSettings, 'botToken' | 'apiUrl' | 'explorerUrl' | 'trustedImageHosts'>;
  /** Changed only by tests and benchmarks. `pictureWaitMs`: after that a message goes without its picture. */
  readonly limits?: Partial<SenderLimits & { readonly pictureWaitMs: number }>;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

const pictureWaitMs = 3_000;

/** Everything between an event in the database and its message in a group (rulings R4). Creating it never throws. */
export function createDeliveries(deps: DeliveriesDeps) {
  const { db, log, settings, audit } = deps;
  const limits = { ...senderLimits, pictureWaitMs, ...deps.limits };
  const cards = createEventCards(deps);
  const images = { trustedHosts: settings.trustedImageHosts, gateways, waitMs: limits.pictureWaitMs };
  const pictures = createPictures(db, images, deps.shrinker, log);
  const transport = createTransport({ token: settings.botToken ?? 'none', apiUrl: settings.apiUrl });
  const sender = createSender({
    ...deps,
    ...limits,
    chatLog: createChatLog(audit),
    transport,
    pictures,
    compact: (chatId) => compactChat(db, cards, chatId),
    holdBack: (chatId) => holdBack(db, chatId),
  });
  return {
    /** Writes deliveries whether the bot runs or not. */
    listener: createDeliveryListener(deps),
    recaps: recapsJob({ ...deps, cards }),
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
