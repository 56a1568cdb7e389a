import { dropWaiting } from '../../src/telegram/configs/configuration-store.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { hourMs, someNft } from '../support/activity-events.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { deliverySteps, sales } from '../support/delivery-steps.ts';
import { createManualClock, nightPasses } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

/** Rulings R4: which events a recap covers, and which it does not. */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering({ telegramLimits: false })));
afterEach(() => delivering.end());

const { drainedInNoTime: drained, sql, inTransaction } = deliverySteps(() => delivering);
const minutesOf = (at: Date): number => at.getUTCHours() * 60 + at.getUTCMinutes();
/** Quiet from an hour before the clock's time until two hours after it. */
const quietAround = (at: Date) => ({
  quiet_from_minute: (minutesOf(at) + 1380) % 1440,
  quiet_to_minute: (minutesOf(at) + 120) % 1440,
});
const held = () => sql<{ chat_id: string }>('select chat_id from telegram_deliveries where is_held');
const configurationOf = async (chatId: string): Promise<string> =>
  (await sql<{ id: string }>('select id from telegram_configurations where chat_id = $1', [chatId]))[0]?.id ?? '';
const elapse = (clock: ReturnType<typeof createManualClock>, isOver: () => boolean) => {
  const pass = nightPasses(clock);
  return until('the morning has come', () => {
    pass();
    return isOver();
  });
};

it('a daily recap that waited for the end of quiet hours covers its own day, and no hour of the next one', async () => {
  const clock = createManualClock(new Date());
  const dueAt = new Date(clock.now().getTime() - hourMs / 2);
  const [chatId = ''] = await delivering.groups(1, {
    ...quietAround(clock.now()),
    recap_minute: minutesOf(dueAt),
    recapped_until: new Date(clock.now().getTime() - 2 * hourMs),
  });
  const deliveries = delivering.copy({ clock });
  const rock = (number: number, minutesAgo: number) => ({
    ...someNft(number, { nftImageUrl: null }),
    happenedAt: new Date(Date.now() - minutesAgo * 60_000),
  });
  await delivering.happen(deliveries, [rock(1, 120), rock(2, 10), rock(3, 5)]);
  deliveries.start();
  const recaps = () => delivering.received(chatId).filter((text) => text.includes('the day'));
  await elapse(clock, () => recaps().length > 0);
  expect(recaps()).toEqual([expect.stringMatching(/the day: 1 sale /)]);
});

it('a daily recap begins when the group began to follow the collection again, and is not an event itself', async () => {
  const clock = createManualClock(new Date());
  const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);
  const since = { followed_since: ago(90), recapped_until: ago(90) };
  const [chatId = ''] = await delivering.groups(1, { recap_minute: minutesOf(ago(30)), ...since });
  const deliveries = delivering.copy({ clock });
  const [before, after] = sales(2);
  await delivering.happen(deliveries, [
    { ...before, happenedAt: ago(120) },
    { ...after, happenedAt: ago(60) },
  ]);
  deliveries.start();
  const recaps = () => delivering.received(chatId).filter((text) => text.includes('the day'));
  await until('the recap is sent', () => recaps().length > 0);
  expect(recaps()).toEqual([expect.stringMatching(/the day: 1 sale /)]);
  expect(await sql("select happened_at from telegram_messages where kind = 'recap'")).toEqual([{ happened_at: null }]);
});

it('in quiet hours neither the held events nor the day are posted, even while another group gets its recap', async () => {
  const clock = createManualClock(new Date());
  const due = {
    recap_minute: minutesOf(new Date(clock.now().getTime() - hourMs / 2)),
    recapped_until: new Date(clock.now().getTime() - 2 * hourMs),
  };
  const [quiet = ''] = await delivering.groups(1, { ...quietAround(clock.now()), ...due });
  // Handled after the quiet group, in the same run.
  const [awake = ''] = await delivering.groups(1, due);
  const deliveries = delivering.copy({ clock });
  await delivering.happen(deliveries, sales(1, { happenedAt: new Date(Date.now() - 2 * hourMs) }));
  deliveries.start();
  await until('the other has its recap', () => delivering.received(awake).some((text) => text.includes('the day')));
  expect(await delivering.rows(quiet)).toEqual([]);
});

it('events held for the morning are dropped with their configuration: a later one of the group does not post them', async () => {
  const clock = createManualClock(new Date());
  const [gone = '', next = ''] = await delivering.groups(2, quietAround(clock.now()));
  const deliveries = delivering.copy({ clock });
  await delivering.happen(deliveries, sales(3));
  expect(await held()).toHaveLength(6);

  const deleted = await configurationOf(gone);
  await inTransaction((trx) => dropWaiting(trx, { chatId: gone, configurationId: deleted }, 'configuration-deleted'));
  expect(await held()).toEqual(Array.from({ length: 3 }, () => ({ chat_id: next })));
  deliveries.start();
  await elapse(clock, () => delivering.received(next).length > 0);
  await drained();
  expect(delivering.received(gone)).toEqual([]);
});

it('two collections that a group followed in one night get a recap each, under their own names', async () => {
  const clock = createManualClock(new Date());
  const [chatId = ''] = await delivering.groups(1, quietAround(clock.now()));
  const deliveries = delivering.copy({ clock });
  await delivering.happen(deliveries, sales(2, { happenedAt: new Date(Date.now() - 60_000) }));
  const [other] = await sql<{ id: string }>(
    "insert into tracked_collections (market_id, slug, name, is_verified, seeded_at, caught_up_at) values ('2', '2', 'Bats', true, now(), now() + interval '9 days') returning id",
  );
  await sql('update telegram_configurations set tracked_collection_id = $1', [other?.id]);
  const bats = { ...delivering.collection, id: BigInt(other?.id ?? 0), name: 'Bats' };
  await delivering.happen(deliveries, sales(3, { trackedCollectionId: bats.id }), { collection: bats });
  deliveries.start();
  await elapse(clock, () => delivering.received(chatId).length > 1);
  expect(delivering.received(chatId)).toEqual([
    expect.stringMatching(/Sui Rocks during quiet hours: 2 events/),
    expect.stringMatching(/Bats during quiet hours: 3 events/),
  ]);
});
