import { afterEach, beforeEach, expect, test } from 'vitest';

import { someNft } from '../support/activity-events.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { until } from '../support/until.ts';

let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering()));
afterEach(() => delivering.end());

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<readonly Row[]> =>
  (await delivering.database.pool.query<Row>(text, values)).rows;
const setReading = (columns: string): Promise<unknown> =>
  sql(`update tracked_collections set ${columns} where id = $1`, [delivering.collection.id]);
const recaps = async (chatId: string) => (await delivering.rows(chatId)).filter(({ kind }) => kind === 'recap');
const isRecapped = async (chatId: string): Promise<boolean> => {
  const rows = await sql(
    "select 1 from telegram_configurations where chat_id = $1 and recapped_until > now() - interval '25 hours'",
    [chatId],
  );
  return rows.length === 1;
};

test.each([
  ['the past of its collection', 'seeded_at = null'],
  ['the morning of its day', "known_from = now() - interval '1 hour'"],
  [
    'the end of its day',
    "caught_up_at = date_trunc('day', now() at time zone 'utc') at time zone 'utc' + interval '20 s'",
  ],
  ['anything', 'caught_up_at = null'],
])('a daily recap waits until %s is read: before that it would be wrong', async (_what, unreadColumns) => {
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
  const overdue = { recap_minute: 0, recapped_until: twoDaysAgo, followed_since: twoDaysAgo };
  const [waiting = ''] = await delivering.groups(1, overdue);
  const [other] = await sql<{ id: string }>(
    "insert into tracked_collections (market_id, slug, name, is_verified, seeded_at, caught_up_at) values ('2', '2', 'Bats', true, now(), now() + interval '9 days') returning id",
  );
  const [next = ''] = await delivering.groups(1, { ...overdue, tracked_collection_id: other?.id });
  const unread = delivering.copy();
  const ofThatDay = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 3_600_000);
  await delivering.happen(unread, [{ ...someNft(1, { nftImageUrl: null }), happenedAt: ofThatDay }]);

  await setReading(unreadColumns);
  unread.start();
  await until('the next group is handled', () => isRecapped(next));
  expect(await isRecapped(waiting)).toBe(false);
  expect(await recaps(waiting)).toEqual([]);
  await unread.stop();

  await setReading("seeded_at = now(), known_from = null, caught_up_at = now() + interval '9 days'");
  delivering.copy().start();
  await until('the recap is made', async () => (await recaps(waiting)).length === 1);
  expect((await recaps(waiting))[0]?.html).toContain('the day: 1 sale');
});
