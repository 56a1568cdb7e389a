import type { Kysely } from 'kysely';

import type { TelegramParts } from '../bot-deps.ts';
import type { CardContext } from '../cards/event-card.ts';
import type { MessageContent } from '../cards/message-html.ts';
import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { digestCard } from '../cards/cards-of-many.ts';
import { type BacklogMessage, replacedByDigest } from './rules/arrange-events.ts';

interface EventCardsDeps extends Pick<TelegramParts, 'prices' | 'rocks'> {
  readonly activity: Pick<TelegramParts['activity'], 'tracked' | 'events'>;
  readonly config: Pick<TelegramParts['config'], 'EXPLORER_URL'>;
}

export const createEventCards = ({ activity, prices, rocks, config }: EventCardsDeps) => {
  const { EXPLORER_URL: explorerUrl } = config;
  /** null: the collection is gone. */
  const context = async (trackedCollectionId: bigint): Promise<CardContext | null> => {
    const collection = (await activity.tracked([trackedCollectionId])).get(trackedCollectionId);
    if (collection === undefined) return null;
    return { collection, floorBeforeMist: null, explorerUrl, rocks, usdPerSui: await prices() };
  };
  return {
    context,
    /**
     * Oldest first, and only those of the oldest one's collection: a card has one name and one floor. null: the collection
     * is gone, or none of the events is stored any more.
     */
    make: async (eventIds: readonly bigint[]) => {
      const events = await activity.events(eventIds);
      const [first] = events;
      // The events' own collection: the group may track another one by now.
      const made = first === undefined ? null : await context(first.trackedCollectionId);
      const ofFirst = events.filter((event) => event.trackedCollectionId === first?.trackedCollectionId);
      return made === null ? null : { events: ofFirst, context: made };
    },
  };
};
export type EventCards = ReturnType<typeof createEventCards>;

type Db = Kysely<Database>;

/**
 * Avoids flooding a chat after an outage (rulings R4): the newest few messages stay, the others become one digest in
 * the row of the oldest, so that it arrives first. One transaction, with the deliveries; repeating it changes nothing.
 */
export async function compactChat(db: Db, cards: EventCards, chatId: string): Promise<void> {
  // The digest is built before the transaction: it needs reads of its own.
  const replaced = await readReplaced(db, chatId);
  const [first] = replaced;
  if (first === undefined) return;
  const ids = replaced.map(({ id }) => id);
  const eventIds = await readEventIds(db, ids);
  const { timeZone } = first;
  const made = timeZone === null ? null : await cards.make(eventIds);
  const content = made === null || timeZone === null ? null : digestCard(made.events, made.context, timeZone);
  await transact(db, async (trx) => {
    const now = await readReplaced(trx, chatId, { isLocking: true });
    if (now.map(({ id }) => id).join() !== ids.join()) return;
    await store(trx, first.id, ids, { content, eventCount: eventIds.length });
  });
}

interface Waiting extends BacklogMessage {
  readonly id: string;
  /** null: its configuration is gone. */
  readonly timeZone: string | null;
}

/** By the database's time, which the sender uses as well. */
async function readReplaced(db: Db, chatId: string, { isLocking = false } = {}): Promise<readonly Waiting[]> {
  const rows = await db
    .selectFrom('telegramMessages as message')
    .select(['message.id', 'message.kind', 'message.happenedAt', databaseNow.as('now')])
    .select((eb) =>
      eb
        .selectFrom('telegramConfigurations')
        .select('timeZone')
        .whereRef('id', '=', 'message.configurationId')
        .as('timeZone'),
    )
    .where('chatId', '=', chatId)
    .where('state', '=', 'pending')
    .where('kind', '<>', 'reply')
    .$narrowType<{ kind: BacklogMessage['kind'] }>()
    .where('retriedAt', 'is', null)
    .orderBy('message.id')
    .$if(isLocking, (query) => query.forUpdate())
    .execute();
  return replacedByDigest(rows, rows[0]?.now ?? new Date());
}

async function readEventIds(db: Db, messageIds: readonly string[]): Promise<readonly bigint[]> {
  const rows = await db
    .selectFrom('telegramDeliveries')
    .select('eventId')
    .where((eb) => eb('messageId', '=', eb.fn.any(eb.val(messageIds))))
    .orderBy('eventId')
    .execute();
  return rows.map(({ eventId }) => BigInt(eventId));
}

/** `content` null: the events are no longer stored, so there is nothing to report. */
async function store(
  trx: Trx,
  digestId: string,
  ids: readonly string[],
  { content, eventCount }: { readonly content: MessageContent | null; readonly eventCount: number },
): Promise<void> {
  await trx
    .updateTable('telegramMessages')
    .set({ state: 'dropped', reason: 'in-digest' })
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .$if(content !== null, (query) => query.where('id', '<>', digestId))
    .execute();
  if (content === null) return;
  await trx
    .updateTable('telegramMessages')
    .set((eb) => ({
      kind: 'digest',
      content: JSON.stringify(content),
      form: 'full',
      eventCount,
      reason: null,
      runningKey: null,
      runningUntil: null,
      happenedAt: eb
        .selectFrom('telegramMessages')
        .select(({ fn }) => fn.max('happenedAt').as('newestAt'))
        .where((of) => of('id', '=', of.fn.any(of.val(ids)))),
    }))
    .where('id', '=', digestId)
    .execute();
  await trx
    .updateTable('telegramDeliveries')
    .set({ messageId: digestId })
    .where((eb) => eb('messageId', '=', eb.fn.any(eb.val(ids))))
    .execute();
}
