import { describe, expect, it } from 'vitest';

import { createActivityHistory } from '../../src/market/poll/event-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { purgeAll } from '../support/purge-all.ts';
import { ago, retentionGround } from '../support/retention-ground.ts';

/** Retention (docs/decisions/0022): rows that are needed stay however old they are, and a purge changes no figure. */
const { database, purges, rows, idsIn } = retentionGround();

describe('Events', () => {
  /** A collection whose newest event is `newestDays` old. */
  const collection = async (newestDays: number): Promise<string> => {
    const [row] = await rows<{ id: string }>(
      `insert into tracked_collections (market_id, slug, name, is_verified, cursor_at, seeded_at, minted_count)
       values (gen_random_uuid(), '0x1', 'Sui Rocks', true, ${ago(newestDays)}, now(), 412) returning id`,
    );
    return row?.id ?? '';
  };
  const event = async (of: string, key: string, days: number, kind = 'listing'): Promise<string> => {
    const [row] = await rows<{ id: string }>(
      `insert into activity_events (tracked_collection_id, event_key, action_id, kind, type, happened_at, known_at)
       values ($1, $2, $2, $3, 'list', ${ago(days)}, ${ago(days)}) returning id`,
      [of, key, kind],
    );
    return row?.id ?? '';
  };
  const left = () => idsIn('activity_events', 'event_key');

  it('are deleted after 90 days with their deliveries; younger ones and the latest sale stay', async () => {
    const rocks = await collection(0);
    await event(rocks, 'old sale', 200, 'sale');
    await event(rocks, 'latest sale', 150, 'sale');
    const told = await event(rocks, 'old', 91);
    await event(rocks, 'young', 89);
    await chatWith(told, { state: 'sent' });
    await purgeAll(purges());
    expect(await left()).toEqual(['latest sale', 'young']);
    expect(await rows('select 1 from telegram_deliveries')).toEqual([]);
  });

  it('stay while a message about them waits, or while they are held until morning', async () => {
    const rocks = await collection(0);
    await chatWith(await event(rocks, 'in a waiting message', 91), { state: 'pending' });
    await chatWith(await event(rocks, 'held', 91), { isHeld: true });
    await event(rocks, 'told to nobody', 91);
    await purgeAll(purges());
    expect(await left()).toEqual(['held', 'in a waiting message']);
  });

  it('stay while a bot that is off has yet to be told of them', async () => {
    const rocks = await collection(0);
    await event(rocks, 'before it was off', 95);
    const first = await event(rocks, 'since then', 92);
    await rows("insert into activity_backlogs values ($1, 'telegram', $2, now())", [rocks, first]);
    await purgeAll(purges());
    expect(await left()).toEqual(['since then']);
  });

  it('of the day that the next poll reads again stay, however old they are: nothing old becomes news', async () => {
    const quiet = await collection(200);
    await event(quiet, 'newest', 200);
    await event(quiet, 'an hour before', 200.04);
    await event(quiet, 'days before', 203);
    await purgeAll(purges());
    expect(await left()).toEqual(['an hour before', 'newest']);
  });

  it('that are deleted change no figure: minted, the last day, the latest sale, and the summary of all kept events', async () => {
    const rocks = await collection(0);
    await event(rocks, 'mint', 120, 'mint');
    await event(rocks, 'sale', 100, 'sale');
    await event(rocks, 'today', 0.1);
    const history = createActivityHistory(typedKysely(database().pool), systemClock);
    const longAgo = new Date(Date.now() - 200 * 86_400_000);
    const all = await history.summary(BigInt(rocks), longAgo);
    expect(all.completeSince?.getTime()).toBeCloseTo(Date.now() - 90 * 86_400_000, -4);
    const figures = async () => ({
      all: { ...(await history.summary(BigInt(rocks), longAgo)), completeSince: null },
      sale: await history.latestSale(BigInt(rocks)),
      day: await history.summary(BigInt(rocks), new Date(Date.now() - 86_400_000)),
      minted: await rows('select minted_count from tracked_collections'),
    });
    const before = await figures();
    expect(await purgeAll(purges())).toMatchObject({ activity_events: 1 });
    expect(await figures()).toEqual({ ...before, day: { ...before.day, completeSince: expect.any(Date) as Date } });
  });

  let nextChatId = -100;
  async function chatWith(eventId: string, given: { readonly state?: string; readonly isHeld?: boolean }) {
    const chatId = nextChatId--;
    await rows(
      "insert into telegram_chats (chat_id, kind, title, bot_status) values ($1, 'group', 'Rock Fans', 'member')",
      [chatId],
    );
    const [message] = await rows<{ id: string }>(
      `insert into telegram_messages (chat_id, kind, content, state) values ($1, 'card', '{"html":"x"}', $2) returning id`,
      [chatId, given.state ?? 'sent'],
    );
    await rows('insert into telegram_deliveries (chat_id, event_id, message_id, is_held) values ($1, $2, $3, $4)', [
      chatId,
      eventId,
      given.isHeld === true ? null : message?.id,
      given.isHeld === true,
    ]);
  }
});

describe('Messages', () => {
  it('are deleted 90 days after they were written, unless they still wait', async () => {
    await rows("insert into telegram_chats (chat_id, kind, title, bot_status) values (-1, 'group', 'g', 'member')");
    for (const [state, days] of [
      ['sent', 91],
      ['failed', 91],
      ['pending', 91],
      ['sent', 89],
    ] as const)
      await rows(
        `insert into telegram_messages (chat_id, kind, content, state, reason, created_at)
         values (-1, 'card', '{"html":"x"}', $1, $2, ${ago(days)})`,
        [state, `${state} ${days}`],
      );
    await purgeAll(purges());
    expect(await idsIn('telegram_messages', 'reason')).toEqual(['pending 91', 'sent 89']);
  });
});

describe('A private chat with the bot', () => {
  it('is deleted after an hour, as its ID is that of a person; one with a reply stays as long as the reply', async () => {
    for (const [chatId, title, minutes] of [
      [1, 'over', 61],
      [2, 'fresh', 59],
      [3, 'replied to', 61],
    ] as const)
      await rows(
        `insert into telegram_chats (chat_id, kind, title, bot_status, updated_at)
         values ($1, 'private', $2, 'member', now() - $3 * interval '1 minute')`,
        [chatId, title, minutes],
      );
    await rows(`insert into telegram_messages (chat_id, kind, content, state) values (3, 'reply', '{}', 'sent')`);
    await purgeAll(purges());
    expect(await idsIn('telegram_chats', 'title')).toEqual(['fresh', 'replied to']);
  });
});

describe('Coin metadata', () => {
  it('of a coin that was sold long ago stays: its past value is computed from it', async () => {
    await rows(
      `insert into ledger_coins (network, treasury_address, coin_type, in_raw, out_raw, is_known)
       values ('mainnet', '0x1', 'sold', 1, 1, true), ('mainnet', '0x1', 'sent by a stranger', 1, 0, false)`,
    );
    await rows(
      `insert into coin_metadata (network, coin_type, found, read_at) values ('mainnet', 'sold', false, ${ago(120)}),
         ('mainnet', 'sent by a stranger', false, ${ago(120)}), ('mainnet', 'held', false, ${ago(0)})`,
    );
    await purgeAll(purges());
    expect(await idsIn('coin_metadata', 'coin_type')).toEqual(['held', 'sold']);
  });
});

describe('The value of the treasury over time', () => {
  it('is reduced to the last point of each day after 90 days, and never loses a day', async () => {
    await rows(
      `insert into treasury_history
       select 'mainnet', '0x1', hour, hour, 1 from generate_series(
         date_trunc('hour', now()) - interval '120 days', date_trunc('hour', now()), interval '1 hour') hour`,
    );
    const days = () => rows("select distinct date_trunc('day', hour, 'UTC') from treasury_history order by 1");
    const before = await days();
    await purgeAll(purges());
    expect(await days()).toEqual(before);
    const counts = await rows<{ age: number; count: number; last: number }>(
      `select (now() at time zone 'UTC')::date - (hour at time zone 'UTC')::date as age, count(*)::int as count,
         max(extract(hour from hour at time zone 'UTC'))::int as last
       from treasury_history group by 1 order by 1`,
    );
    const whole = counts.filter(({ age }) => age > 0 && age < 120);
    expect(whole.filter(({ age }) => age <= 90).every(({ count }) => count === 24)).toBe(true);
    expect(whole.filter(({ age }) => age > 90).every(({ count, last }) => count === 1 && last === 23)).toBe(true);
  });

  it('keeps a day with a single point, for each treasury', async () => {
    await rows(
      `insert into treasury_history
       select 'mainnet', address, hour, hour, 1 from (values ('0x1'), ('0x2')) a (address),
         (values (timestamptz '2025-01-01 03:00Z'), (timestamptz '2025-01-02 04:00Z')) h (hour)`,
    );
    await purgeAll(purges());
    expect(await rows('select 1 from treasury_history')).toHaveLength(4);
  });
});
