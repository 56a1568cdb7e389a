import type { Pool } from 'pg';
import { marketPoll } from '../src/market/poll/activity.ts';
import { startPollSender } from '../tests/support/poll-sender.ts';
import type { Product } from '../tests/support/product.ts';

export interface TrackedGroups {
  readonly id: string;
  readonly marketId: string;
  /** The sandbox's name of the collection. */
  readonly key: string;
  readonly chatIds: readonly number[];
}

/** Adds collections to the sandbox's marketplace and groups that track them, as if each group had run /setup. */
export const connectGroups = async (
  product: Pick<Product, 'control' | 'sandbox'>,
  pool: Pool,
  count: number,
  groupsEach: number,
): Promise<readonly TrackedGroups[]> => {
  const added = await dataOf<{ key: string; nftType: string }>(product, 'add-collections', { count });
  const chatIds = await dataOf<number>(product, 'telegram/create-groups', { count: count * groupsEach });
  const marketIds = await marketIdsOf(product);
  const tracked = added.map(({ key, nftType }, index) => ({
    key,
    nftType,
    marketId: marketIds.get(nftType) ?? '',
    chatIds: chatIds.slice(index * groupsEach, (index + 1) * groupsEach),
  }));
  return trackWith(pool, tracked);
};

interface ToTrack extends Omit<TrackedGroups, 'id'> {
  readonly nftType: string;
}

/** Adds groups that track the product's own collection, which the sandbox's marketplace has from the start. */
export const connectOwnCollection = async (
  product: Product,
  pool: Pool,
  groupCount: number,
): Promise<TrackedGroups | undefined> => {
  const chatIds = await dataOf<number>(product, 'telegram/create-groups', { count: groupCount });
  const [slug, nftType] = ['sui-rocks', product.sandbox.facts.collectionType];
  const marketId = (await marketIdsOf(product)).get(slug) ?? '';
  const [own] = await trackWith(pool, [{ key: slug, nftType, marketId, chatIds }]);
  return own;
};

const trackWith = async (pool: Pool, tracked: readonly ToTrack[]): Promise<readonly TrackedGroups[]> => {
  const { rows } = await pool.query<{ id: string; market_id: string }>(insertCollections, [
    tracked.map(({ marketId }) => marketId),
    tracked.map(({ key }) => key),
  ]);
  const ids = new Map(rows.map(({ id, market_id: marketId }) => [marketId, id]));
  const chats = tracked.flatMap(({ marketId, nftType, chatIds: own }) =>
    own.map((chatId) => ({ chatId, nftType, id: ids.get(marketId) })),
  );
  await pool.query(insertGroups, [
    chats.map(({ chatId }) => chatId),
    chats.map(({ id }) => id),
    chats.map(({ nftType }) => nftType),
  ]);
  await sendPolls(pool, [...ids.values()]);
  await pool.query("update telegram_service set wanted = 'active'");
  await pool.query('analyze');
  return tracked.map(({ key, marketId, chatIds: own }) => ({
    id: ids.get(marketId) ?? '',
    key,
    marketId,
    chatIds: own,
  }));
};

/** Spreads the polls over the mean time between two, as after many rounds, so that they are not all due at once. */
const sendPolls = async ({ options }: Pool, ids: readonly string[]): Promise<void> => {
  const sender = await startPollSender(options.connectionString ?? '', { info: () => {}, warn: () => {} });
  for (const collectionId of ids) {
    await sender.send(marketPoll, { collectionId }, { inMs: Math.random() * 37_500 });
  }
  await sender.stop();
};

const dataOf = async <T>(product: Pick<Product, 'control'>, command: string, body: object): Promise<readonly T[]> =>
  ((await product.control(`/control/${command}`, body)) as { data: T[] }).data;

const marketIdsOf = async ({
  sandbox: { urls, facts },
}: Pick<Product, 'sandbox'>): Promise<ReadonlyMap<string, string>> => {
  const answer = await fetch(urls.market, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-user': facts.marketUser, 'x-api-key': facts.marketKey },
    body: JSON.stringify({ query: '{ sui { collections { id slug } } }' }),
  });
  const { data } = (await answer.json()) as { data: { sui: { collections: { id: string; slug: string }[] } } };
  return new Map(data.sui.collections.map(({ id, slug }) => [slug, id]));
};

const insertCollections = `
  insert into tracked_collections (market_id, slug, name, is_verified)
  select market_id, slug, slug, true
  from unnest($1::text[], $2::text[]) as given(market_id, slug)
  returning id, market_id`;

const insertGroups = `
  with given as (
    select * from unnest($1::bigint[], $2::bigint[], $3::text[]) as given(chat_id, tracked_collection_id, collection_id)
  ), chats as (
    insert into telegram_chats (chat_id, kind, title, bot_status)
    select chat_id, 'supergroup', 'Group', 'member' from given returning chat_id
  ), configurations as (
    insert into telegram_configurations
      (chat_id, tracked_collection_id, collection_id, collection_name, max_supply, created_by)
    select chat_id, tracked_collection_id, collection_id, 'Pebbles', 10000, 'somebody' from given join chats using (chat_id)
    returning id, tracked_collection_id
  )
  insert into collection_watches (tracked_collection_id, listener, watcher)
  select tracked_collection_id, 'telegram', id::text from configurations`;
