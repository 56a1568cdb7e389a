import { setTimeout as delay } from 'node:timers/promises';
import type { TrackedGroups } from './tracked-groups.ts';
import type { TrackerWorld } from './tracker-world.ts';

/** Something that happened in one collection during the measurement. */
export interface Happening {
  readonly collection: TrackedGroups;
  readonly happenedMs: number;
}

export interface Delivered {
  /** For each event that reached every group: from the poll's answer to the acceptance of the last message. */
  readonly delaysMs: readonly number[];
  /** Groups that got no message, or more than one. */
  readonly wrongCount: number;
}

const kinds = ['mint', 'list', 'buy'] as const;

/**
 * Causes one event after the other, each in a random collection that is about to be polled: the messages of two events hardly
 * overlap, so Telegram's 30 a second are not what is measured.
 */
export const makeThingsHappen = async (
  { product, pool, collections }: TrackerWorld,
  { count, everyMs }: { readonly count: number; readonly everyMs: number },
): Promise<readonly Happening[]> => {
  const fresh = new Map(collections.map((collection) => [collection.id, collection]));
  const happenings: Happening[] = [];
  const startMs = Date.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startMs + index * everyMs - Date.now()));
    const { rows } = await pool.query<{ id: string }>(aboutToBePolled, [[...fresh.keys()]]);
    const collection = fresh.get(rows[0]?.id ?? '');
    if (collection === undefined) throw new Error('No collection is about to be polled');
    fresh.delete(collection.id);
    happenings.push({ collection, happenedMs: Date.now() });
    const kind = kinds[index % kinds.length];
    await product.control('/control/burst', { collection: collection.key, kind, count: 1 });
  }
  return happenings;
};

const aboutToBePolled = `
  select singleton_key as id from pgboss.job
  where name = 'market-poll' and singleton_key = any($1::text[]) and state = 'created'
    and start_after between clock_timestamp() + interval '0.2 seconds' and clock_timestamp() + interval '1.2 seconds'
  order by random() limit 1`;

interface Accepted {
  readonly chatId: number;
  readonly atMs: number;
}

export const readDelivered = async (
  { product, market }: TrackerWorld,
  happenings: readonly Happening[],
): Promise<Delivered> => {
  const accepted = (await product.observe('/control/telegram/accepted')) as readonly Accepted[];
  const byChat = Map.groupBy(accepted, ({ chatId }) => chatId);
  const delaysMs: number[] = [];
  let wrongCount = 0;
  for (const { collection, happenedMs } of happenings) {
    const answeredMs = market.firstNewsMs(collection.marketId, happenedMs);
    const messages = collection.chatIds.map((chatId) => byChat.get(chatId) ?? []);
    const wrong = messages.filter(({ length }) => length !== 1).length;
    wrongCount += wrong;
    if (answeredMs !== null && wrong === 0) {
      delaysMs.push(Math.max(...messages.flat().map(({ atMs }) => atMs)) - answeredMs);
    }
  }
  return { delaysMs, wrongCount };
};
