import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { unwatch } from '../../src/market/poll/activity.ts';
import { telegramFigures } from '../../src/telegram/admin/bot-status.ts';
import { telegramPurges } from '../../src/telegram/configs/purges.ts';
import { hourMs, someNft } from '../support/activity-events.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';
import { deliverySteps, sales } from '../support/delivery-steps.ts';
import { createManualClock, nightPasses } from '../support/manual-clock.ts';
import { purgeAll } from '../support/purge-all.ts';
import { until } from '../support/until.ts';

/** Rulings R4 and R6: what is posted together instead of one by one, and what is purged. */
let delivering: Delivering;
beforeEach(async () => void (delivering = await startDelivering({ telegramLimits: false })));
afterEach(() => delivering.end());

const { drainedInNoTime: drained, sql, inTransaction } = deliverySteps(() => delivering);

describe('after an outage', () => {
  const age = (minutes: number) =>
    sql("update telegram_messages set created_at = created_at - $1 * interval '1 minute'", [minutes]);

  it('the newest ten come one by one, after one digest of the rest; every delivery points to its message', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    for (const event of sales(14)) await delivering.happen(deliveries, [event]);
    await age(30);
    deliveries.start();
    // Nothing is sent yet: the digest goes first.
    await until('the digest is sent', () => delivering.received(chatId).length >= 1);
    expect(delivering.received(chatId)[0]).toMatch(/Catching up.*4 events/);
    const rows = await delivering.rows(chatId);
    expect(
      rows.map(({ kind, state }) => (kind === 'digest' ? 'digest' : state === 'dropped' ? 'dropped' : 'single')),
    ).toEqual(['digest', 'dropped', 'dropped', 'dropped', ...Array.from({ length: 10 }, () => 'single')]);
    expect(rows[1]).toMatchObject({ reason: 'in-digest' });
    const perMessage = await sql<{ message_id: string; count: string }>(
      'select message_id, count(*) from telegram_deliveries group by 1 order by message_id::bigint',
    );
    expect(perMessage[0]).toEqual({ message_id: rows[0]?.id, count: '4' });
    expect(perMessage).toHaveLength(11);
    await drained();
    expect(
      delivering
        .received(chatId)
        .slice(1)
        .map((text) => /#(\d+)/.exec(text)?.[1]),
    ).toEqual(['5', '6', '7', '8', '9', '10', '11', '12', '13', '14']);
  });

  it('an event over 6 hours old never comes singly', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    for (const event of sales(3)) await delivering.happen(deliveries, [event]);
    await sql("update telegram_messages set happened_at = happened_at - interval '7 hours'");
    await delivering.happen(deliveries, sales(1, { ...someNft(99, { nftImageUrl: null }) }));
    deliveries.start();
    await drained();
    expect(delivering.received(chatId)).toEqual([
      expect.stringMatching(/Catching up.*3 events/),
      expect.stringContaining('#99'),
    ]);
  });

  it('a message that an admin retried comes as it is, however old', async () => {
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy();
    await delivering.happen(deliveries, sales(1));
    await sql("update telegram_messages set state = 'failed', happened_at = happened_at - interval '7 hours'");
    const [row] = await delivering.rows(chatId);
    const id = row?.id ?? '';
    await inTransaction((transaction) => delivering.outbox.retry(transaction, id));
    deliveries.start();
    await drained();
    expect(delivering.received(chatId)).toEqual([expect.stringContaining('Sui Rock #1')]);
  });
});

describe('Recaps', () => {
  const minutesOf = (at: Date): number => at.getUTCHours() * 60 + at.getUTCMinutes();

  /** A zone where it is past five in the morning now, so that it is still morning two hours later, whenever this runs. */
  const zoneAtFive = (at: Date): string => {
    const aheadHours = (29 - at.getUTCHours()) % 24;
    return aheadHours <= 12 ? `Etc/GMT-${aheadHours}` : `Etc/GMT+${24 - aheadHours}`;
  };

  const hourPasses = () => sql("update telegram_messages set created_at = created_at - interval '1 hour'");
  const lateSeconds = async (): Promise<unknown> => {
    const figure = telegramFigures.find(({ name }) => name === 'telegram_oldest_message_seconds');
    return (await sql<{ late: unknown }>(`select (${figure?.sql})::float8 as late`))[0]?.late;
  };

  it('quiet hours hold events back, and one recap lists them in the morning', async () => {
    const clock = createManualClock(new Date());
    const localMinute = 5 * 60 + clock.now().getUTCMinutes();
    const [chatId = ''] = await delivering.groups(1, {
      time_zone: zoneAtFive(clock.now()),
      quiet_from_minute: localMinute - 60,
      quiet_to_minute: localMinute + 120,
    });
    const deliveries = delivering.copy({ clock });
    deliveries.start();
    await delivering.happen(deliveries, sales(3));
    expect(await sql('select is_held from telegram_deliveries')).toEqual([1, 2, 3].map(() => ({ is_held: true })));
    clock.advance(hourMs);
    await until('nothing waits to be sent', () => delivering.isDrained());
    expect(delivering.received(chatId)).toEqual([]);
    const pass = nightPasses(clock);
    await until('the morning has come', () => {
      pass();
      return delivering.received(chatId).length === 1;
    });
    expect(delivering.received(chatId)).toEqual([expect.stringMatching(/during quiet hours: 3 events/)]);
    expect(await sql('select 1 from telegram_deliveries where is_held or message_id is null')).toEqual([]);
    await drained();
  });

  it('a message that still waits when quiet hours begin comes only when they end; one that was asked for comes at once', async () => {
    const clock = createManualClock(new Date());
    const localMinute = 5 * 60 + clock.now().getUTCMinutes();
    const [chatId = ''] = await delivering.groups(1, {
      time_zone: zoneAtFive(clock.now()),
      recap_minute: localMinute + 30,
    });
    const deliveries = delivering.copy({ clock });
    for (const event of sales(3)) await delivering.happen(deliveries, [event]);
    clock.advance(31 * 60_000);
    await deliveries.recaps.run({}, new AbortController().signal);
    const [asked, ...waiting] = await delivering.rows(chatId);
    expect(waiting.map(({ kind }) => kind)).toEqual(['card', 'card', 'recap']);
    await sql("update telegram_messages set state = 'failed' where id = $1", [asked?.id]);
    await inTransaction((transaction) => delivering.outbox.retry(transaction, asked?.id ?? ''));
    const [configuration] = await sql<{ id: string }>(
      'update telegram_configurations set quiet_from_minute = $1, quiet_to_minute = $2 returning id',
      [localMinute - 60, localMinute + 120],
    );
    await delivering.enqueue([{ chatId, configurationId: configuration?.id ?? null, kind: 'test', text: 'A sample' }]);
    deliveries.start();
    const hello = { html: 'Hello', imageUrl: null, buttons: [], isSilent: false };
    expect(await delivering.reply(chatId, hello)).toBe('sent');
    await until('what was asked for is sent', () => delivering.received(chatId).length >= 3);
    await delivering.timePasses();
    const atOnce = delivering.received(chatId).toSorted();
    expect(atOnce).toEqual(['A sample', 'Hello', expect.stringContaining('Sui Rock #1')]);
    // They are late once their quiet hours are over for certain.
    await hourPasses();
    expect(await lateSeconds()).toBeNull();
    await hourPasses();
    await hourPasses();
    expect(await lateSeconds()).not.toBeNull();
    const pass = nightPasses(clock);
    await until('the morning has come', async () => {
      pass();
      await delivering.timePasses();
      return delivering.isDrained();
    });
    expect(delivering.received(chatId).slice(3)).toEqual([
      expect.stringContaining('Sui Rock #2'),
      expect.stringContaining('Sui Rock #3'),
      expect.stringMatching(/the day: 3 sales/),
    ]);
  });

  it('the daily recap comes once, at its time, however many copies run', async () => {
    const clock = createManualClock(new Date());
    const [chatId = ''] = await delivering.groups(1, { recap_minute: (minutesOf(clock.now()) + 30) % 1440 });
    const copies = [delivering.copy({ clock }), delivering.copy({ clock })] as const;
    for (const copy of copies) copy.start();
    await delivering.happen(copies[0], sales(2));
    await drained();
    expect(delivering.received(chatId)).toHaveLength(2);
    await until('its time has come', () => {
      clock.advance(5 * 60_000);
      return delivering.received(chatId).length > 2;
    });
    clock.advance(10 * 60_000);
    await drained();
    expect(delivering.received(chatId).slice(2)).toEqual([expect.stringMatching(/the day: 2 sales/)]);
  });

  it('a group that muted the bot for days gets one recap when it unmutes it: of the last day', async () => {
    const clock = createManualClock(new Date());
    const [chatId = ''] = await delivering.groups(1, {
      recap_minute: (minutesOf(clock.now()) + 30) % 1440,
      track_sales: false,
    });
    const muteBot = (isMuted: boolean) =>
      delivering.sandbox.telegram.setPermissions({
        chatId: Number(chatId),
        permissions: { can_send_messages: !isMuted },
      });
    muteBot(true);
    const deliveries = delivering.copy({ clock });
    deliveries.start();
    for (const dailySales of [1, 2, 3]) {
      await delivering.happen(deliveries, sales(dailySales, { happenedAt: clock.now() }));
      clock.advance(24 * hourMs);
      await deliveries.recaps.run({}, new AbortController().signal);
    }
    muteBot(false);
    await drained();
    expect(delivering.received(chatId)).toEqual([expect.stringMatching(/the day: 3 sales/)]);
  });
});

describe('thirty days later', () => {
  const configured = () => sql<{ chat_id: string }>('select chat_id from telegram_configurations order by id');

  it('the configuration of a chat that removed the bot is purged with its rows, and so is a deleted one; others stay', async () => {
    const [removed = '', deleted = '', recent = '', live = ''] = await delivering.groups(4);
    const deliveries = delivering.copy();
    await delivering.happen(deliveries, sales(2));
    await sql(`insert into collection_watches (tracked_collection_id, listener, watcher)
      select tracked_collection_id, 'telegram', id::text from telegram_configurations`);
    await sql("update telegram_chats set removed_at = now() - interval '30 days 1 minute' where chat_id = $1", [
      removed,
    ]);
    await sql("update telegram_configurations set deleted_at = now() - interval '31 days' where chat_id = $1", [
      deleted,
    ]);
    await sql("update telegram_chats set removed_at = now() - interval '29 days 23 hours' where chat_id = $1", [
      recent,
    ]);
    const ports = { activity: { unwatch }, audit: auditTrail };
    await purgeAll(telegramPurges(delivering.db, ports));
    expect(await configured()).toEqual([{ chat_id: recent }, { chat_id: live }]);
    for (const table of ['telegram_messages', 'telegram_deliveries']) {
      const rows = await sql<{ chat_id: string }>(`select distinct chat_id from ${table}`);
      expect(rows.map(({ chat_id }) => chat_id).toSorted()).toEqual([recent, live].toSorted());
    }
    expect(await sql('select 1 from collection_watches')).toHaveLength(2);
    expect(await sql("select action from audit_entries where action = 'telegram-configuration-purged'")).toHaveLength(
      2,
    );
  });
});
