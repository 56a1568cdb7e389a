import { describe, expect, test } from 'vitest';

import { dueDailyRecap } from '../../src/telegram/notify/recaps.ts';
import { lastDay, localMinute, minuteInDay } from '../../src/telegram/time-zone.ts';
import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { buttonsOf } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

const { group, telegram, type, press, said, handled, shown, setUp, configuration, watched, lastEntry } =
  telegramGroupScene();

describe('/tracking', () => {
  test('shows four toggles and switches each by its button, with a log entry', async () => {
    await setUp();
    const menu = await said('What gets posted about', type('/tracking'));
    expect(buttonsOf(menu).slice(0, 4)).toEqual(['✅ Mints on', '✅ Sales on', '✅ Listings on', '✅ Bids on']);
    for (const button of ['✅ Mints on', '✅ Sales on', '✅ Listings on', '✅ Bids on']) {
      press(menu, button);
      await handled();
    }
    expect(await configuration()).toMatchObject({
      track_mint: false,
      track_sales: false,
      track_listings: false,
      track_bids: false,
      version: 5,
    });
    expect(await lastEntry()).toMatchObject({
      action: 'telegram-tracking-changed',
      actor: `Telegram user ${group.creator}`,
      before: { Bids: 'on' },
      after: { Bids: 'off' },
    });
  });

  test('a repeated press changes nothing and is not logged again', async () => {
    await setUp();
    const menu = await said('What gets posted about', type('/tracking'));
    press(menu, '✅ Bids on');
    press(menu, '✅ Bids on');
    await handled();
    expect(await configuration()).toMatchObject({ track_bids: false, version: 2 });
  });

  test('sets minimum price, floor listings, quiet hours, time zone and the daily recap', async () => {
    await setUp();
    const menu = await said('What gets posted about', type('/tracking'));
    const choose = async (open: RegExp, choice: (options: readonly string[]) => string): Promise<void> => {
      press(
        menu,
        buttonsOf(shown(menu)).find((text) => open.test(text))!,
      );
      await handled();
      press(menu, choice(buttonsOf(shown(menu))));
      await handled();
      const back = buttonsOf(shown(menu)).find((text) => /back/i.test(text));
      if (back !== undefined) press(menu, back);
      await handled();
    };
    press(menu, 'Only listings up to the floor: off');
    await handled();
    await choose(/^Minimum price/, (options) => options.find((text) => /SUI/.test(text))!);
    await choose(/^Quiet hours/, (options) => options.find((text) => /\d\d:\d\d/.test(text))!);
    await choose(/^Daily recap/, (options) => options.find((text) => /\d\d:\d\d/.test(text))!);
    await choose(/^Time zone/, (options) => options.find((text) => text === 'Europe/Berlin')!);
    const stored = await configuration();
    expect(stored).toMatchObject({ listings_at_floor_only: true, time_zone: 'Europe/Berlin' });
    for (const column of ['min_price_mist', 'quiet_from_minute', 'quiet_to_minute', 'recap_minute']) {
      expect(stored?.[column], column).not.toBeNull();
    }
  });

  test.each([
    ['Minimum price', 'None', 'Minimum price: none'],
    ['Quiet hours', 'Off', 'Quiet hours: off'],
    ['Daily recap', 'Off', 'Daily recap: off'],
    ['Time zone', 'UTC', 'Time zone: UTC'],
  ])('%s: every choice leads to every other and back to %s', async (option, off, words) => {
    await setUp();
    const menu = await said('What gets posted about', type('/tracking'));
    const choose = async (begin: string): Promise<void> => {
      const button = buttonsOf(shown(menu)).find((text) => text.replace('✅ ', '').startsWith(begin));
      press(menu, button!);
      await handled();
      expect(telegram().callbackAnswers().at(-1)?.text ?? '').not.toContain('did not work');
    };
    await choose(option);
    const choices = buttonsOf(shown(menu)).map((text) => text.replace('✅ ', ''));
    // Below the 40 presses that one person may make within 20 s.
    for (const choice of choices.filter((text) => text !== 'Back' && text !== off).slice(0, 12)) {
      await choose(choice);
      await choose(choice);
      await choose(off);
      expect(shown(menu).text).toContain(words);
    }
    await choose('Back');
  });

  test('a time zone that is not among the buttons can be typed: a city is enough', async () => {
    await setUp();
    await said('Time zone: America/Halifax', type('/tracking halifax'));
    expect(await configuration()).toMatchObject({ time_zone: 'America/Halifax' });
    await said('I do not know that time zone', type('/tracking Atlantis'));
    expect(await configuration()).toMatchObject({ time_zone: 'America/Halifax' });
  });

  test('a changed time zone does not bring the last daily recap again', async () => {
    await setUp();
    const now = new Date();
    const recapMinute = minuteInDay(localMinute(now, 'Etc/GMT-2') - 180);
    await group.world.database.rows(
      "update telegram_configurations set time_zone = 'Etc/GMT-2', recap_minute = $1, recapped_until = $2",
      [recapMinute, lastDay(now, recapMinute, 'Etc/GMT-2').to],
    );
    await said('Time zone: UTC+1', type('/tracking UTC+1'));
    const recappedUntil = (await configuration())?.['recapped_until'] as Date;
    expect(dueDailyRecap({ recapMinute, timeZone: 'Etc/GMT-1', recappedUntil, now: new Date() })).toBeNull();
  });

  test('the menu shows a press even if Telegram asks to slow down for a moment', async () => {
    await setUp();
    const menu = await said('What gets posted about', type('/tracking'));
    await group.world.sandbox.faults.set('telegram', {
      kind: '429',
      operation: 'editMessageText',
      times: 1,
      retryAfterSeconds: 1,
    });
    press(menu, '✅ Bids on');
    await handled();
    expect(buttonsOf(shown(menu))).toContain('⬜ Bids off');
  });

  test('a press is answered at once, even if Telegram asks the group to wait: the menu follows, in its newest state', async () => {
    await setUp();
    const menu = await said('What gets posted about', type('/tracking'));
    const fault = { kind: '429', operation: 'editMessageText', times: 1, retryAfterSeconds: 60 } as const;
    await group.world.sandbox.faults.set('telegram', fault);
    const before = telegram().callbackAnswers().length;
    for (const button of ['✅ Bids on', '✅ Sales on']) press(menu, button);
    await until('both are answered', () => telegram().callbackAnswers().length === before + 2);
    expect(await configuration()).toMatchObject({ track_bids: false, track_sales: false });
    await until('the menu shows the new state', async () => {
      await group.world.timePasses();
      return buttonsOf(shown(menu)).includes('⬜ Sales off');
    });
    expect(buttonsOf(shown(menu))).toContain('⬜ Bids off');
  });

  test('without a configuration says how to begin', async () => {
    await said('No collection is configured here yet', type('/tracking'));
  });
});

describe('/remove', () => {
  test('asks first; keeping changes nothing', async () => {
    const id = await setUp();
    const asked = await said('Stop tracking', type('/remove'));
    press(asked, 'Keep it');
    await handled();
    expect((await configuration())?.['id']).toBe(id);
  });

  test('a question about an earlier configuration does not end the one that replaced it', async () => {
    const earlier = await setUp();
    const asked = await said('Stop tracking', type('/remove'));
    await group.copy.call('DELETE', `/api/telegram/configs/${earlier}`);
    const later = await setUp();
    expect(later).not.toBe(earlier);
    press(asked, 'Stop tracking');
    await handled();
    expect((await configuration())?.['id']).toBe(later);
  });

  test('answers that tracking stopped, even if the first try to answer fails', async () => {
    await setUp();
    const asked = await said('Stop tracking', type('/remove'));
    await group.world.sandbox.faults.set('telegram', { kind: '500', operation: 'editMessageText', times: 1 });
    press(asked, 'Stop tracking');
    await until('the question is answered', () => /configured|stopped/.test(shown(asked).text ?? ''));
    expect(shown(asked).text).toMatch(/^Tracking of .* stopped/);
    await handled();
  });

  test('answers that tracking stopped, and never that nothing was changed, even if the question was deleted', async () => {
    await setUp();
    const asked = await said('Stop tracking', type('/remove'));
    const before = telegram().callbackAnswers().length;
    press(asked, 'Stop tracking');
    telegram().history(group.chatId).length = 0;
    await said(/^Tracking of .* stopped/);
    await until('the press is answered', () => telegram().callbackAnswers().length > before);
    expect(telegram().callbackAnswers().slice(before)).toMatchObject([{ text: null, showAlert: false }]);
    expect(await configuration()).toBeUndefined();
  });

  test('ends the tracking: waiting messages are dropped, and the configuration can be restored for 30 days', async () => {
    const id = await setUp();
    await group.world.database.rows(
      `insert into telegram_messages (chat_id, configuration_id, kind, content, state)
       values ($1, $2, 'card', '{"html":"late","imageUrl":null,"buttons":[],"isSilent":false}', 'pending')`,
      [group.chatId, id],
    );
    const asked = await said('Stop tracking', type('/remove'));
    press(asked, 'Stop tracking');
    await until('the configuration is removed', async () => (await configuration()) === undefined);
    await handled();
    expect(await watched()).not.toContain(id);
    expect(await lastEntry()).toMatchObject({
      action: 'telegram-configuration-removed',
      actor: `Telegram user ${group.creator}`,
    });
    const rows = await group.world.database.rows('select state from telegram_messages where configuration_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ state: 'dropped' }]);
    expect((await group.copy.call('POST', `/api/telegram/configs/${id}/restore`)).status).toBe(200);
    expect((await configuration())?.['id']).toBe(id);
  });
});
