import { typedTransaction } from '../../db/connect.ts';
import type { ActivityBatch, ActivityListener } from '../../market/contract.ts';
import { listenerName } from '../configs/configuration-life.ts';
import {
  growWaitingCards,
  insertDeliveries,
  insertMessages,
  type NewDelivery,
  type NewMessage,
} from './enqueue-messages.ts';
import { type ListeningChat, raiseMintedCounts, readDecided, readListeningChats } from './listening-store.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { DeliveryPlan } from './rules/delivery-plan.ts';
import { isBeforeSetup } from './rules/drop-reason.ts';
import { planDeliveries } from './rules/plan-deliveries.ts';
import type { Clock } from '../../shared/clock.ts';
import { type SuiPrice, usdSoon } from '../sui-price.ts';

export interface DeliveryListenerOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly prices: SuiPrice;
  readonly explorerUrl: string;
}

/**
 * Turns new activity of a collection into outbox messages, in the transaction that stores the events: both or neither
 * (rulings R4). Takes a few statements, and one plan for all chats with equal rules.
 */
export function createDeliveryListener(options: DeliveryListenerOptions): ActivityListener {
  return {
    name: listenerName,
    // So that the first cards after a start show USD prices as well.
    prepare: async () => void (await usdSoon(options.prices)),
    recordBatch: (batch, transaction) => recordBatch(batch, transaction, options),
    recordUnreportedMints: (id, mintCount, transaction) =>
      raiseMintedCounts(typedTransaction(transaction), id, mintCount),
    // The transaction itself notifies the sending copy.
    batchStored: () => {},
  };
}

async function recordBatch(
  batch: ActivityBatch,
  transaction: OpenTransaction,
  options: DeliveryListenerOptions,
): Promise<void> {
  const { collection, events } = batch;
  // Rulings R4: groups get mints, sales, listings and bids.
  if (events.length === 0) return;
  const trx = typedTransaction(transaction);
  const chats = await readListeningChats(trx, collection.id);
  const mintCount = events.filter(({ kind }) => kind === 'mint').length;
  if (chats.length > 0) {
    const known = await readDecided(
      trx,
      events.map(({ id }) => id),
    );
    const posted = await readDecided(trx, idsOfRelisted(batch), { isPosted: true });
    const { messages, deliveries } = planAll(chats, batch, { known, posted }, options);
    const messageIds = await insertMessages(trx, messages);
    await insertDeliveries(trx, deliveries, messageIds);
    if (messages.some(({ runningKey }) => runningKey !== null)) await growWaitingCards(trx, messageIds);
  }
  await raiseMintedCounts(trx, collection.id, mintCount);
}

/** Earlier listings of the same NFTs: those that were posted decide what is a relist. */
function idsOfRelisted({ events, earlierListings }: ActivityBatch): bigint[] {
  const listed = new Set(events.flatMap(({ kind, nft }) => (kind === 'listing' ? (nft?.objectId ?? []) : [])));
  return earlierListings.filter(({ nft }) => nft !== null && listed.has(nft.objectId)).map(({ id }) => id);
}

type EventsOfChats = ReadonlyMap<string, ReadonlySet<bigint>>;

interface WhatChatsKnow {
  /** Already posted or decided. */
  readonly known: EventsOfChats;
  /** Earlier listings that were posted to them. */
  readonly posted: EventsOfChats;
}

const none: ReadonlySet<bigint> = new Set();

function planAll(
  chats: readonly ListeningChat[],
  batch: ActivityBatch,
  { known, posted }: WhatChatsKnow,
  options: DeliveryListenerOptions,
): { readonly messages: readonly NewMessage[]; readonly deliveries: readonly NewDelivery[] } {
  const planFor = createPlanner(batch, options);
  const messages: NewMessage[] = [];
  const deliveries: NewDelivery[] = [];
  for (const chat of chats) {
    const plan = planFor(chat, known.get(chat.chatId), posted.get(chat.chatId) ?? none);
    if (plan === null) continue;
    const { chatId, configurationId, topicId } = chat;
    const add = (eventId: bigint, messageIndex: number | null, droppedReason: string | null): void =>
      void deliveries.push({ chatId, eventId, messageIndex, droppedReason });
    for (const { eventIds, ...planned } of plan.messages) {
      const index = messages.push({
        chatId,
        configurationId,
        topicId,
        ...planned,
        eventCount: eventIds.length,
      });
      for (const eventId of eventIds) add(eventId, index - 1, null);
    }
    for (const { eventId, reason } of plan.dropped) add(eventId, null, reason);
    for (const eventId of plan.heldEventIds) add(eventId, null, null);
  }
  return { messages, deliveries };
}

/** Plans are shared by equal rules: a thousand chats usually have a handful. null: nothing new for this chat. */
function createPlanner(batch: ActivityBatch, { clock, prices, explorerUrl }: DeliveryListenerOptions) {
  const plans = new Map<string, DeliveryPlan>();
  const now = clock.now();
  const usdPerSui = prices.usdPerSui();
  const hasMints = batch.events.some(({ kind }) => kind === 'mint');
  return (
    { rules, followedSince }: ListeningChat,
    known: ReadonlySet<bigint> | undefined,
    postedListingIds: ReadonlySet<bigint>,
  ): DeliveryPlan | null => {
    const events = known === undefined ? batch.events : batch.events.filter(({ id }) => !known.has(id));
    if (events.length === 0) return null;
    // Most groups were set up long before: they still share one plan.
    const since = batch.events.some((event) => isBeforeSetup(event, followedSince)) ? { followedSince } : {};
    const inputs = { rules, batch: { ...batch, events }, postedListingIds, now, usdPerSui, explorerUrl, ...since };
    if (known !== undefined) return planDeliveries(inputs);
    const shared = {
      ...rules,
      ...since,
      posted: [...postedListingIds],
      ...(hasMints ? {} : { mintedCount: null, maxSupply: null }),
    };
    const key = JSON.stringify(shared, (_name, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    const plan = plans.get(key) ?? planDeliveries(inputs);
    plans.set(key, plan);
    return plan;
  };
}
