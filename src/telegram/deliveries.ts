import { once } from 'node:events';
import type { TelegramParts, TelegramSettings } from './bot/bot-deps.ts';
import { createChatLog } from './configs/chat-changes.ts';
import { gateways } from '../sources/pictures/read-picture.ts';
import { createPictures } from './send/pictures.ts';
import { type SenderLimits, createSendGate, type SenderParts, untilDone } from './send/sending.ts';
import { createTextSender, createTransport } from './send/transport.ts';
import { compactChat, createEventCards, holdForQuietHours } from './notify/event-cards.ts';
import { createDeliveryListener } from './notify/delivery-listener.ts';
import { recapsJob } from './notify/recaps.ts';
import { createOutageLog, type OutageLog } from '../db/outage.ts';
import { cardsTopic, repliesTopic } from './notify/enqueue-messages.ts';
import { createMessageQueue } from './send/message-queue.ts';
import { createSendLimits, type SendLimits } from './send/limits.ts';
import { createOutcomeStore, type OutcomeStore } from './send/settle.ts';

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
    holdForQuietHours: (chatId) => holdForQuietHours(db, chatId),
  });
  return {
    /** Writes deliveries whether the bot runs or not. */
    listener: createDeliveryListener(deps),
    recaps: recapsJob({ ...deps, cards }),
    /** Sends plain text to any chat, bypassing the queue. */
    sendText: createTextSender(transport, log),
    /** Sends waiting messages until `over` aborts; in one copy at a time. */
    send: async (over: AbortSignal): Promise<void> => {
      // At the abort, and again for downloads that the sender began meanwhile.
      over.addEventListener('abort', () => pictures.stop(), { once: true });
      await sender.send(over);
      pictures.stop();
    },
  };
}

const senderLimits: SenderLimits = {
  stopWithinMs: 4_000,
  answerWithinMs: 15_000,
  backlogAfterMs: 10 * 60_000,
  nowMs: () => performance.now(),
};

/**
 * The one sender of all copies (rulings R4, docs/decisions/0033): the copy that has the bot's lock sends cards and
 * replies, and keeps Telegram's limits in its memory. The queue is in the database, so that another copy carries on
 * when this one dies.
 */
function createSender(parts: SenderParts) {
  const outcomes = createOutcomeStore(parts);
  const outages = createOutageLog(parts.log, 'Waiting messages could not be read');
  return {
    /** Sends until `over` aborts; then finishes messages being sent, or marks them doubtful if that takes too long. Never throws. */
    send: async (over: AbortSignal): Promise<void> => {
      const limits = createSendLimits(parts.nowMs);
      await untilDone(() => outcomes.takeOver(limits), outages, over);
      if (over.aborted) return;
      const end = startSending({ ...parts, outcomes, outages }, limits, over);
      if (!over.aborted) await once(over, 'abort');
      await end();
    },
  };
}

type SendingParts = SenderParts & { readonly outcomes: OutcomeStore; readonly outages: OutageLog };

/** Returns a function that ends it. */
function startSending(parts: SendingParts, limits: SendLimits, over: AbortSignal): () => Promise<void> {
  const { changes, outages } = parts;
  const gate = createSendGate(limits);
  const common = { ...parts, limits, gate, onFailed: outages.failed };
  const replies = createMessageQueue({ ...common, kind: 'reply' });
  const cards = createMessageQueue({ ...common, kind: 'card' });
  const refillReplies = oneAtATime(() => untilDone(replies.refill, outages, over));
  const refillCards = oneAtATime(() => untilDone(cards.refill, outages, over));
  /** A group that became a supergroup moves its replies, too. */
  const refillAll = (): void => {
    refillReplies();
    refillCards();
  };
  const unsubscribes = [changes.subscribe(repliesTopic, refillReplies), changes.subscribe(cardsTopic, refillAll)];
  refillAll();
  return async () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
    gate.close();
    await Promise.all([replies.end(), cards.end()]);
  };
}

/** Requests during a run cause one more run. `run` never throws. */
function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isRequested = false;
  const work = async (): Promise<void> => {
    isRunning = true;
    while (isRequested) {
      isRequested = false;
      await run();
    }
    isRunning = false;
  };
  return () => {
    isRequested = true;
    if (!isRunning) void work();
  };
}
