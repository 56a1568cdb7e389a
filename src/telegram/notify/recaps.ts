import type { Kysely } from 'kysely';

import type { JobDefinition } from '../../jobs/jobs.ts';
import type { ActivitySummary } from '../../market/contract.ts';
import { databaseOutage } from '../../db/outage.ts';
import type { Database } from '../../db/schema.ts';
import { transact } from '../../db/transaction.ts';
import { lockChat } from '../configs/chat-store.ts';
import { type Configuration, configurationOf, liveConfigurations } from '../configs/configuration-store.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import type { TelegramParts } from '../bot-deps.ts';
import { insertMessages, type NewMessage } from '../send/enqueue-messages.ts';
import { dailyRecap, morningRecap } from '../cards/cards-of-many.ts';
import type { MessageContent } from '../cards/message-html.ts';
import { isQuiet, lastDay } from '../time-zone.ts';
import type { EventCards } from './event-cards.ts';

type SummaryReader = Pick<TelegramParts['activity'], 'summary'>;

interface RecapsDeps extends Pick<TelegramParts, 'db' | 'clock' | 'log' | 'isOn'> {
  readonly cards: EventCards;
  readonly activity: SummaryReader;
}

const everyMs = 30_000;
/** The marketplace learns of an event some seconds after it happened. */
const readAfterMs = 30_000;
/** The most that one statement takes; a night with more events gets several recaps. */
const eventsMax = 5_000;

/** Rulings R4: the recap after quiet hours, and the daily one. The configurations say what is due. */
export const recapsJob = (deps: RecapsDeps): JobDefinition<object> => ({
  name: 'telegram-recaps',
  everyMs,
  failing: 'Recaps could not be made',
  run: async (_payload, stop) => {
    if (await deps.isOn()) await queueDue(deps, stop);
  },
});

async function queueDue(deps: RecapsDeps, stop: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  const activity = eachOnce(deps);
  for (const configuration of await readRecapConfigurations(db)) {
    if (stop.aborted) return;
    try {
      // Not during quiet hours: the daily recap waits for their end, too.
      if (isQuiet(now, configuration.quietHours, configuration.timeZone)) continue;
      await recapHeld(configuration, deps);
      await recapDay(configuration, now, { ...deps, activity });
    } catch (error) {
      // Without the database the others would fail as well.
      if (databaseOutage(error) !== null) throw error;
      log.warn({ err: error, chatId: configuration.chatId }, 'A recap could not be made; trying again');
    }
  }
}

async function recapHeld(configuration: RecapConfiguration, { db, cards }: RecapsDeps): Promise<void> {
  if (!configuration.hasHeld) return;
  const heldIds = (await readHeldEventIds(db, configuration.chatId)).slice(0, eventsMax);
  const made = await cards.make(heldIds);
  if (made === null) return releaseHeld(db, configuration.chatId, heldIds, { droppedReason: 'stale' });
  const { events } = made;
  const eventIds = events.map(({ id }) => id);
  const content = morningRecap(events, made.context, configuration.timeZone);
  const happenedAt = events.at(-1)?.happenedAt ?? null;
  const message = messageOf(configuration, content, { eventCount: eventIds.length, happenedAt });
  await queueHeld(db, message, eventIds);
}

async function recapDay(configuration: RecapConfiguration, now: Date, deps: RecapsDeps): Promise<void> {
  const { db, cards, activity } = deps;
  const day = dueDailyRecap({ ...configuration, now });
  if (day === null) return;
  const { trackedCollectionId, mintedCount, maxSupply, timeZone, followedSince } = configuration;
  // Events from before the group followed the collection are not reported (rulings R4).
  const span = { ...day, from: followedSince > day.from ? followedSince : day.from };
  // A recap delayed by quiet hours covers its own day only; the rest belongs to the next one.
  const summary = await activity.summary(trackedCollectionId, span.from, span.to);
  if (!isWhole(summary, span)) return;
  const context = await cards.context(trackedCollectionId);
  const content =
    context === null || isEmpty(summary)
      ? null
      : dailyRecap({ summary, span, context, mintedCount, maxSupply, timeZone });
  const message = content === null ? null : messageOf(configuration, content);
  await queueDailyRecap(db, configuration, span.to, message);
}

/** `recappedUntil`: where the last recap ended, or when the recap was switched on. */
interface RecapState extends Pick<Configuration, 'recapMinute' | 'timeZone' | 'recappedUntil'> {
  readonly now: Date;
}

type Day = ReturnType<typeof lastDay>;

/**
 * The span of the daily recap that is due now; null: none is due. A day follows the chat's clock: 23 hours in spring,
 * 25 in autumn. After days of downtime there is one recap of the last day, not one per day missed; a clock set back
 * never causes a second one.
 */
export const dueDailyRecap = (state: RecapState): Day | null => {
  const { recapMinute, timeZone, recappedUntil, now } = state;
  if (recapMinute === null) return null;
  const day = lastDay(now, recapMinute, timeZone);
  return day.to.getTime() <= recappedUntil.getTime() ? null : day;
};

/** Many groups follow one collection and get their recap at the same time: its day is counted once per run. */
const eachOnce = ({ activity, clock }: RecapsDeps): SummaryReader => {
  const cached = createAnswerCache<ActivitySummary>(clock, () => Infinity);
  return {
    summary: (id, since, until) =>
      cached([id, since.getTime(), until?.getTime()].join(), () => activity.summary(id, since, until)),
  };
};

/** False while the start or end of the day is unread: no later recap would correct a wrong one. */
const isWhole = ({ completeSince, completeUntil }: ActivitySummary, { from, to }: Day): boolean =>
  completeSince !== null &&
  completeSince <= from &&
  completeUntil !== null &&
  completeUntil.getTime() >= to.getTime() + readAfterMs;

/** A day without events gets no recap. */
const isEmpty = ({ mintCount, saleCount, listingCount, bidCount }: ActivitySummary): boolean =>
  mintCount + saleCount + listingCount + bidCount === 0;

const messageOf = (
  { chatId, id, topicId }: RecapConfiguration,
  content: MessageContent,
  events: Pick<NewMessage, 'eventCount' | 'happenedAt'> = {},
): NewMessage => ({ chatId, configurationId: id, topicId, kind: 'recap', content, ...events });

type Db = Kysely<Database>;

/** A configuration with held events or a daily recap. */
type RecapConfiguration = Awaited<ReturnType<typeof readRecapConfigurations>>[number];

export async function readRecapConfigurations(db: Db) {
  const rows = await liveConfigurations(db)
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('telegramDeliveries as held')
            .select('held.eventId')
            .whereRef('held.chatId', '=', 'conf.chatId')
            .where('held.isHeld', '=', true),
        )
        .as('hasHeld'),
    )
    // A union: an 'or' would read every configuration.
    .where('conf.id', 'in', (from) =>
      from
        .selectFrom('telegramConfigurations')
        .select('id')
        .where('recapMinute', 'is not', null)
        .where('deletedAt', 'is', null)
        .union(
          from
            .selectFrom('telegramDeliveries as held')
            .innerJoin('telegramConfigurations as its', 'its.chatId', 'held.chatId')
            .select('its.id')
            .where('held.isHeld', '=', true),
        ),
    )
    .orderBy('conf.id')
    .execute();
  return rows.map((row) => ({ ...configurationOf(row), topicId: row.topicId, hasHeld: row.hasHeld === true }));
}

async function readHeldEventIds(db: Db, chatId: string): Promise<readonly bigint[]> {
  const rows = await db
    .selectFrom('telegramDeliveries')
    .select('eventId')
    .where('chatId', '=', chatId)
    .where('isHeld', '=', true)
    .orderBy('eventId')
    .execute();
  return rows.map(({ eventId }) => BigInt(eventId));
}

/** Queues the recap of held events exactly once; does nothing if some of them were sent already. */
const queueHeld = (db: Db, message: NewMessage, eventIds: readonly bigint[]): Promise<void> =>
  transact(db, async (trx) => {
    await lockChat(trx, message.chatId);
    const held = new Set(await readHeldEventIds(trx, message.chatId));
    if (!eventIds.every((id) => held.has(id))) return;
    const [messageId = null] = await insertMessages(trx, [message]);
    await releaseHeld(trx, message.chatId, eventIds, { messageId });
  });

/** `message` null: nothing to report. False: already sent, or the recap was changed meanwhile. */
export const queueDailyRecap = (
  db: Db,
  { id, chatId, recapMinute }: Pick<RecapConfiguration, 'id' | 'chatId' | 'recapMinute'>,
  until: Date,
  message: NewMessage | null,
): Promise<boolean> =>
  transact(db, async (trx) => {
    await lockChat(trx, chatId);
    // A change of the recap time resets `recapped_until`.
    const { numUpdatedRows } = await trx
      .updateTable('telegramConfigurations')
      .set({ recappedUntil: until })
      .where('id', '=', id)
      .where('recapMinute', '=', recapMinute)
      .where('recappedUntil', '<', until)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    if (message === null) return true;
    // One may still wait, as the bot was not allowed to write. One that an admin retried stays.
    await trx
      .updateTable('telegramMessages')
      .set({ state: 'dropped', reason: 'a newer recap replaced it' })
      .where((row) => row.and({ chatId, state: 'pending', kind: 'recap', eventCount: 0 }))
      .where('retriedAt', 'is', null)
      .execute();
    await insertMessages(trx, [message]);
    return true;
  });

/** The events are no longer held: they are in that message, or dropped. */
async function releaseHeld(
  db: Db,
  chatId: string,
  eventIds: readonly bigint[],
  to: { readonly messageId: string | null } | { readonly droppedReason: string },
): Promise<void> {
  await db
    .updateTable('telegramDeliveries')
    .set({ isHeld: false, ...to })
    .where('chatId', '=', chatId)
    .where((eb) => eb('eventId', '=', eb.fn.any(eb.val(eventIds.map(String)))))
    .where('isHeld', '=', true)
    .execute();
}
