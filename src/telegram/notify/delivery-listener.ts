import type { Trx } from '../../db/transaction.ts';
import type { ActivityBatch, ActivityEvent, ActivityListener } from '../../market/contract.ts';
import type { RockPage } from '../cards/parts.ts';
import { listenerName } from '../configs/configuring.ts';
import { rulesOf } from '../configs/configuration-store.ts';
import { growWaitingCards, insertDeliveries, insertMessages } from './enqueue-messages.ts';
import { type ListeningChat, raiseMintedCounts, readDecided, readListeningChats } from './listening-store.ts';
import type { DeliveryPlan } from './rules/delivery-plan.ts';
import { isBeforeSetup } from './rules/drop-reason.ts';
import { planDeliveries } from './rules/plan-deliveries.ts';
import type { Clock } from '../../shared/clock.ts';
import { type SuiPrice, usdSoon } from '../sui-price.ts';

export interface DeliveryListenerOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly prices: SuiPrice;
  readonly explorerUrl: string;
  readonly rockPage?: RockPage | undefined;
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
    // Rulings R4: groups get mints, sales, listings and bids.
    recordBatch: async (batch, trx) => {
      if (batch.events.length > 0) await recordBatch(batch, trx, options);
    },
    recordUnreportedMints: (id, mintCount, trx) => raiseMintedCounts(trx, id, mintCount),
    // The transaction itself notifies the sending copy.
    batchStored: () => {},
  };
}

async function recordBatch(batch: ActivityBatch, trx: Trx, options: DeliveryListenerOptions): Promise<void> {
  const { collection, events } = batch;
  const chats = await readListeningChats(trx, collection.id);
  if (chats.length > 0) await planAll(chats, batch, trx, options);
  const mintCount = events.filter(({ kind }) => kind === 'mint').length;
  await raiseMintedCounts(trx, collection.id, mintCount);
}

async function planAll(
  chats: readonly ListeningChat[],
  batch: ActivityBatch,
  trx: Trx,
  options: DeliveryListenerOptions,
): Promise<void> {
  const decided = await readDecided(trx, idsOf(batch.events));
  const posted = await readDecided(trx, idsOfRelisted(batch), { isPosted: true });
  const planFor = createPlanner(batch, options);
  const plans = chats.flatMap((chat) => {
    const plan = planFor(chat, decided.get(chat.chatId) ?? none, posted.get(chat.chatId) ?? none);
    return plan === null ? [] : [{ chat, plan }];
  });
  const messages = plans.flatMap(({ chat: { chatId, id, topicId }, plan }) =>
    plan.messages.map((planned) => {
      return { chatId, configurationId: id, topicId, ...planned, eventCount: planned.eventIds.length };
    }),
  );
  const messageIds = await insertMessages(trx, messages);
  const inMessages = messages.flatMap(({ chatId, eventIds }, index) =>
    eventIds.map((eventId) => ({ chatId, eventId, messageId: messageIds[index] ?? null, droppedReason: null })),
  );
  const others = plans.flatMap(({ chat: { chatId }, plan: { dropped, heldEventIds } }) => [
    ...dropped.map(({ eventId, reason }) => ({ chatId, eventId, messageId: null, droppedReason: reason })),
    ...heldEventIds.map((eventId) => ({ chatId, eventId, messageId: null, droppedReason: null })),
  ]);
  await insertDeliveries(trx, [...inMessages, ...others]);
  if (messages.some(({ runningKey }) => runningKey !== null)) await growWaitingCards(trx, messageIds);
}

const idsOf = (events: readonly ActivityEvent[]): bigint[] => events.map(({ id }) => id);
const none: ReadonlySet<bigint> = new Set();

/** Earlier listings of the same NFTs: those that were posted decide what is a relist. */
function idsOfRelisted({ events, earlierListings }: ActivityBatch): bigint[] {
  const listed = new Set(events.flatMap(({ kind, nft }) => (kind === 'listing' ? (nft?.objectId ?? []) : [])));
  return idsOf(earlierListings.filter(({ nft }) => nft !== null && listed.has(nft.objectId)));
}

/** Plans are shared by equal rules: a thousand chats usually have a handful. null: nothing new for this chat. */
function createPlanner(batch: ActivityBatch, { clock, prices, explorerUrl, rockPage }: DeliveryListenerOptions) {
  const plans = new Map<string, DeliveryPlan>();
  const now = clock.now();
  const usdPerSui = prices.usdPerSui();
  const hasMints = batch.events.some(({ kind }) => kind === 'mint');
  return (
    chat: ListeningChat,
    decided: ReadonlySet<bigint>,
    postedListingIds: ReadonlySet<bigint>,
  ): DeliveryPlan | null => {
    const events = batch.events.filter(({ id }) => !decided.has(id));
    if (events.length === 0) return null;
    const rules = rulesOf(chat);
    // Most groups were set up long before: they still share one plan.
    const { followedSince } = chat;
    const since = batch.events.some((event) => isBeforeSetup(event, followedSince)) ? { followedSince } : {};
    const different = { ...since, events: idsOf(events), posted: [...postedListingIds] };
    const shared = { ...rules, ...different, ...(hasMints ? {} : { mintedCount: null, maxSupply: null }) };
    const key = JSON.stringify(shared, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    const known = plans.get(key);
    if (known !== undefined) return known;
    const inputs = {
      rules,
      batch: { ...batch, events },
      postedListingIds,
      now,
      usdPerSui,
      explorerUrl,
      rockPage,
      ...since,
    };
    const plan = planDeliveries(inputs);
    plans.set(key, plan);
    return plan;
  };
}
