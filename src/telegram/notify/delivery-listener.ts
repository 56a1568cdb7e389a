import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { ActivityBatch, ActivityEvent, ActivityListener } from '../../market/contract.ts';
import type { TelegramParts } from '../bot-deps.ts';
import type { CardContext } from '../cards/event-card.ts';
import { listenerName } from '../configs/configuring.ts';
import { supplyMax } from '../cards/mint-progress.ts';
import { configurationOf, liveConfigurations } from '../configs/configuration-store.ts';
import { settingNames } from '../configs/settings.ts';
import { insertDeliveries, insertMessages } from '../send/enqueue-messages.ts';
import { type DeliveryPlan, isBeforeSetup, planDeliveries } from './rules/plan-deliveries.ts';

interface ListenerDeps extends Pick<TelegramParts, 'clock' | 'prices' | 'rocks'> {
  readonly config: Pick<TelegramParts['config'], 'EXPLORER_URL'>;
}

type Circumstances = Pick<CardContext, 'explorerUrl' | 'usdPerSui' | 'rocks'> & { readonly now: Date };

/**
 * Turns new activity of a collection into outbox messages, in the transaction that stores the events: both or neither
 * (rulings R4). Takes a few statements, and one plan for all chats with equal rules.
 */
export function createDeliveryListener({ clock, prices, rocks, config }: ListenerDeps): ActivityListener {
  const { EXPLORER_URL: explorerUrl } = config;
  let usdPerSui: string | null = null;
  return {
    name: listenerName,
    prepare: async () => void (usdPerSui = await prices()),
    // Rulings R4: groups get mints, sales, listings and bids.
    recordBatch: async (batch, trx) => {
      if (batch.events.length === 0) return;
      await recordBatch(trx, batch, { now: clock.now(), usdPerSui, explorerUrl, rocks });
    },
    recordMints: (id, mintCount, trx) => raiseMintedCounts(trx, id, mintCount),
    // The transaction itself notifies the sending copy.
  };
}

async function recordBatch(trx: Trx, batch: ActivityBatch, circumstances: Circumstances): Promise<void> {
  const chats = await readListeningChats(trx, batch);
  if (chats.length === 0) return;
  const decided = await readDecided(trx, idsOf(batch.events));
  const posted = await readDecided(trx, idsOfRelisted(batch), { isPosted: true });
  const planFor = createPlanner(batch, circumstances);
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
}

const idsOf = (events: readonly ActivityEvent[]): bigint[] => events.map(({ id }) => id);
const none: ReadonlySet<bigint> = new Set();

/** Earlier listings of the same NFTs: those that were posted decide what is a relist. */
function idsOfRelisted({ events, earlierListings }: ActivityBatch): bigint[] {
  const listed = new Set(events.flatMap(({ kind, nftObjectId }) => (kind === 'listing' ? (nftObjectId ?? []) : [])));
  return idsOf(earlierListings.filter(({ nftObjectId }) => nftObjectId !== null && listed.has(nftObjectId)));
}

/** Chats with equal rules share a plan: a thousand chats usually need a handful. null: nothing new for this chat. */
function createPlanner(batch: ActivityBatch, circumstances: Circumstances) {
  const plans = new Map<string, DeliveryPlan>();
  const hasMints = batch.events.some(({ kind }) => kind === 'mint');
  return (
    chat: ListeningChat,
    decided: ReadonlySet<bigint>,
    postedListingIds: ReadonlySet<bigint>,
  ): DeliveryPlan | null => {
    const events = batch.events.filter(({ id }) => !decided.has(id));
    if (events.length === 0) return null;
    // Most groups were set up long before the batch, so they still share one plan.
    const { followedSince, maxSupply, mintedCount } = chat;
    const since = batch.events.some((event) => isBeforeSetup(event, followedSince)) ? { followedSince } : {};
    // Without mints, the supply makes no difference.
    const rules = [...settingNames.map((name) => chat[name]), ...(hasMints ? [mintedCount, maxSupply] : [])];
    const key = keyOf({ rules, ...since, events: idsOf(events), posted: [...postedListingIds] });
    const known = plans.get(key);
    if (known !== undefined) return known;
    const plan = planDeliveries({
      ...circumstances,
      ...since,
      rules: chat,
      batch: { ...batch, events },
      postedListingIds,
    });
    plans.set(key, plan);
    return plan;
  };
}

const keyOf = (value: object): string =>
  JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

type ListeningChat = Awaited<ReturnType<typeof readListeningChats>>[number];

/** With the mint count before the batch. */
async function readListeningChats(trx: Trx, { collection, earlierMintCount }: ActivityBatch) {
  const rows = await liveConfigurations(trx)
    .where('conf.trackedCollectionId', '=', collection.id.toString())
    .orderBy('conf.chatId')
    .execute();
  return rows.map((row) => {
    const configuration = configurationOf(row);
    // An admin may have set a lower count meanwhile.
    const mintedCount = Math.max(0, configuration.mintedCount - earlierMintCount);
    return { ...configuration, mintedCount, topicId: row.topicId };
  });
}

type EventsByChat = ReadonlyMap<string, ReadonlySet<bigint>>;

/** Which of these events already have a delivery, by chat; `isPosted`: only those that were not dropped. */
async function readDecided(
  trx: Trx,
  eventIds: readonly bigint[],
  { isPosted = false }: { readonly isPosted?: boolean } = {},
): Promise<EventsByChat> {
  if (eventIds.length === 0) return new Map();
  const rows = await trx
    .selectFrom('telegramDeliveries')
    .select(['chatId', (row) => row.fn.agg<string[]>('array_agg', ['eventId']).orderBy('eventId').as('eventIds')])
    .where('eventId', '=', (row) => row.fn.any(row.val(eventIds.map(String))))
    .$if(isPosted, (query) => query.where('droppedReason', 'is', null))
    .groupBy('chatId')
    .execute();
  return new Map(rows.map(({ chatId, eventIds: ids }) => [chatId, new Set(ids.map(BigInt))]));
}

/** Includes chats that removed the bot: it may return within 30 days. Not an edit by a person: `version` stays. */
async function raiseMintedCounts(trx: Trx, trackedCollectionId: bigint, mintCount: number): Promise<void> {
  await trx
    .updateTable('telegramConfigurations')
    .set((row) => ({
      mintedCount: row.fn<string>('least', [row.val(supplyMax), row('mintedCount', '+', String(mintCount))]),
    }))
    .where('trackedCollectionId', '=', trackedCollectionId.toString())
    .where('deletedAt', 'is', null)
    .execute();
}

/** Which of these events are still to be posted: held until the morning, or in a waiting message. */
export async function eventsInUse(eventIds: readonly bigint[], db: Kysely<Database>): Promise<ReadonlySet<bigint>> {
  const rows = await db
    .selectFrom('telegramDeliveries as delivery')
    .leftJoin('telegramMessages as message', 'message.id', 'delivery.messageId')
    .select('delivery.eventId')
    .distinct()
    .where('delivery.eventId', '=', (row) => row.fn.any(row.val(eventIds.map(String))))
    .where((row) => row.or([row('delivery.isHeld', '=', true), row('message.state', 'in', ['pending', 'sending'])]))
    .execute();
  return new Set(rows.map(({ eventId }) => BigInt(eventId)));
}
