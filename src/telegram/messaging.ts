import { once } from 'node:events';
import type { TelegramParts } from './bot-deps.ts';
import { hostsOfMarketHere } from '../sources/pictures/download-image.ts';
import { gateways } from '../sources/pictures/read-picture.ts';
import { createPictures } from './send/pictures.ts';
import { createSendGate, type SenderLimits, usualLimits } from './send/sending.ts';
import { createTextSender, createTransport } from './send/transport.ts';
import { createEventCards } from './notify/event-cards.ts';
import { createDeliveryListener } from './notify/delivery-listener.ts';
import { recapsJob } from './notify/recaps.ts';
import { createOutageLog, untilDone } from '../db/outage.ts';
import { cardsTopic, repliesTopic } from './send/enqueue-messages.ts';
import { createMessageQueue, type QueueParts } from './send/message-queue.ts';
import { createSendLimits, type SendKind } from './send/limits.ts';
import { createOutcomeStore } from './send/settle.ts';

type Given = 'shrinker' | 'db' | 'changes' | 'prices' | 'rocks' | 'audit' | 'clock' | 'log' | 'isOn';

export interface MessagingDeps extends Pick<TelegramParts, Given> {
  readonly activity: Pick<TelegramParts['activity'], 'tracked' | 'unwatch' | 'events' | 'summary'>;
  /** Without a token nothing is sent, and planned messages wait. */
  readonly config: Pick<
    TelegramParts['config'],
    'TELEGRAM_BOT_TOKEN' | 'TELEGRAM_API_URL' | 'EXPLORER_URL' | 'MARKET_API_URL'
  >;
  readonly limits?: Partial<SenderLimits>;
}

export type Messaging = ReturnType<typeof createMessaging>;

/**
 * Everything between an event in the database and its message in a group (rulings R4). Creating it never throws.
 *
 * The copy that has the bot's lock is the one sender of all copies (docs/decisions/0033): it sends cards and replies, and
 * keeps Telegram's limits in its memory. The queue is in the database, so that another copy carries on when this one dies.
 */
export function createMessaging(deps: MessagingDeps) {
  const { db, log, config } = deps;
  const limits = { ...usualLimits, ...deps.limits };
  const cards = createEventCards(deps);
  const trustedHosts = hostsOfMarketHere(config.MARKET_API_URL);
  const images = { trustedHosts, gateways, waitMs: limits.pictureWaitMs };
  const pictures = createPictures(db, images, deps.shrinker, deps.clock, log);
  const transport = createTransport({ token: config.TELEGRAM_BOT_TOKEN ?? 'none', apiUrl: config.TELEGRAM_API_URL });
  const outages = createOutageLog(log, 'Waiting messages could not be read');
  const outcomes = createOutcomeStore(deps);
  const parts = { ...deps, ...limits, cards, pictures, transport, outages, outcomes };
  return {
    /** Writes deliveries whether the bot runs or not. */
    listener: createDeliveryListener(deps),
    recaps: recapsJob({ ...deps, cards }),
    /** Sends plain text to any chat, bypassing the queue. */
    sendText: createTextSender(transport, log),
    /**
     * Sends waiting messages until `over` aborts; in one copy at a time. Then finishes messages being sent, or marks them
     * doubtful if that takes too long. Never throws.
     */
    send: async (over: AbortSignal): Promise<void> => {
      // At the abort, and again for downloads that the queues began meanwhile.
      over.addEventListener('abort', () => pictures.stop(), { once: true });
      const sendLimits = createSendLimits(limits.nowMs);
      await untilDone(() => outcomes.takeOver(sendLimits), outages, over);
      await sendWaiting({ ...parts, limits: sendLimits, gate: createSendGate(sendLimits) }, over);
      pictures.stop();
    },
  };
}

async function sendWaiting(parts: QueueParts & Pick<TelegramParts, 'changes'>, over: AbortSignal): Promise<void> {
  if (over.aborted) return;
  const { changes, gate, outages } = parts;
  const queueOf = (kind: SendKind) => {
    const { refill, end } = createMessageQueue(parts, kind);
    return { end, refill: oneAtATime(() => untilDone(refill, outages, over)) };
  };
  const replies = queueOf('reply');
  const cards = queueOf('card');
  /** A group that became a supergroup moves its replies, too. */
  const refillAll = (): void => {
    replies.refill();
    cards.refill();
  };
  const unsubscribes = [changes.subscribe(repliesTopic, replies.refill), changes.subscribe(cardsTopic, refillAll)];
  refillAll();
  await once(over, 'abort');
  for (const unsubscribe of unsubscribes) unsubscribe();
  gate.close();
  await Promise.all([replies.end(), cards.end()]);
}

/** Requests during a run cause one more run. `run` never throws. */
function oneAtATime(run: () => Promise<void>): () => void {
  let last = Promise.resolve();
  let isRequested = false;
  return () => {
    if (isRequested) return;
    isRequested = true;
    last = last.then(() => {
      isRequested = false;
      return run();
    });
  };
}
