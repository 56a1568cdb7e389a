import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  buttonsOf,
  configurationOf,
  handled,
  saidIn,
  setUpGroup,
  startTelegramWorld,
  type TelegramWorld,
  watchers,
} from '../support/telegram-world.ts';
import type { TelegramCopy } from '../support/telegram-copy.ts';
import { until } from '../support/until.ts';

let world: TelegramWorld;
let copy: TelegramCopy;
let creator: number;
let member: number;
let chatId: number;

const telegram = () => world.sandbox.telegram;
const type = (text: string, userId = creator): number => telegram().type({ chatId, userId, text }).messageId;
const said = (words: RegExp | string, afterId = 0) => saidIn(world, chatId, words, afterId);
const press = (messageId: number, button: string, userId = creator) =>
  telegram().press({ chatId, messageId, userId, button });
const setUp = (id = chatId) => setUpGroup(world, id, world.sandbox.facts.collectionType, creator);

beforeAll(async () => {
  world = await startTelegramWorld();
  copy = await world.activeCopy();
  creator = telegram().createUser({ firstName: 'Cleo', username: 'cleo' }).id;
  member = telegram().createUser({ firstName: 'Moe' }).id;
});
afterAll(() => world.end());
beforeEach(() => {
  const members = [{ userId: creator, status: 'creator' as const }, { userId: member }];
  chatId = telegram().createChat({ kind: 'supergroup', title: 'Rock Group', members }).id;
});

describe('/tracking', () => {
  test('shows four toggles and switches each by its button, with a log entry', async () => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    expect(buttonsOf(menu).slice(0, 4)).toEqual(['✅ Mints on', '✅ Sales on', '✅ Listings on', '✅ Bids on']);
    for (const button of ['✅ Mints on', '✅ Sales on', '✅ Listings on', '✅ Bids on']) {
      press(menu.messageId, button);
      await handled(world);
    }
    expect(await configurationOf(world, chatId)).toMatchObject({
      track_mint: false,
      track_sales: false,
      track_listings: false,
      track_bids: false,
      version: 5,
    });
    expect((await world.audited()).at(-1)).toMatchObject({
      action: 'telegram-tracking-changed',
      actor: `Telegram user ${creator}`,
      before: { trackBids: true },
      after: { trackBids: false },
    });
  });

  test('a press that comes again changes nothing and is not logged again', async () => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    press(menu.messageId, '✅ Bids on');
    press(menu.messageId, '✅ Bids on');
    await handled(world);
    expect(await configurationOf(world, chatId)).toMatchObject({ track_bids: false, version: 2 });
  });

  test('sets minimum price, floor listings, quiet hours, time zone and the daily recap', async () => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    const choose = async (open: RegExp, choice: (options: readonly string[]) => string): Promise<void> => {
      const current = () =>
        telegram()
          .history(chatId)
          .find(({ messageId }) => messageId === menu.messageId)!;
      press(
        menu.messageId,
        buttonsOf(current()).find((text) => open.test(text))!,
      );
      await handled(world);
      press(menu.messageId, choice(buttonsOf(current())));
      await handled(world);
      const back = buttonsOf(current()).find((text) => /back/i.test(text));
      if (back !== undefined) press(menu.messageId, back);
      await handled(world);
    };
    press(menu.messageId, 'Only listings at the floor: off');
    await handled(world);
    await choose(/^Minimum price/, (options) => options.find((text) => /SUI/.test(text))!);
    await choose(/^Quiet hours/, (options) => options.find((text) => /\d\d:\d\d/.test(text))!);
    await choose(/^Daily recap/, (options) => options.find((text) => /\d\d:\d\d/.test(text))!);
    await choose(/^Time zone/, (options) => options.find((text) => /\+1 h/.test(text))!);
    const stored = await configurationOf(world, chatId);
    expect(stored).toMatchObject({ listings_at_floor_only: true, utc_offset_minutes: 60 });
    for (const column of ['min_price_mist', 'quiet_from_minute', 'quiet_to_minute', 'recap_minute']) {
      expect(stored?.[column], column).not.toBeNull();
    }
  });

  test.each([
    ['Minimum price', 'None', 'Minimum price: none'],
    ['Quiet hours', 'Off', 'Quiet hours: off'],
    ['Daily recap', 'Off', 'Daily recap: off'],
    ['Time zone', 'UTC', 'Time zone: UTC'],
  ])('%s: every choice leads to every other and back to %s', async (option, off, shown) => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    const current = () =>
      telegram()
        .history(chatId)
        .find(({ messageId }) => messageId === menu.messageId)!;
    const choose = async (begin: string): Promise<void> => {
      const button = buttonsOf(current()).find((text) => text.replace('✅ ', '').startsWith(begin));
      press(menu.messageId, button!);
      await handled(world);
      expect(telegram().callbackAnswers().at(-1)?.text ?? '').not.toContain('did not work');
    };
    await choose(option);
    const choices = buttonsOf(current()).map((text) => text.replace('✅ ', ''));
    for (const choice of choices.filter((text) => text !== 'Back' && text !== off)) {
      await choose(choice);
      await choose(choice);
      await choose(off);
      expect(current().text).toContain(shown);
    }
    await choose('Back');
  });

  test('a press is shown even when Telegram asks to slow down for a moment', async () => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    await world.sandbox.faults.set('telegram', {
      kind: '429',
      operation: 'editMessageText',
      times: 1,
      retryAfterSeconds: 1,
    });
    press(menu.messageId, '✅ Bids on');
    await handled(world);
    const shown = telegram()
      .history(chatId)
      .find(({ messageId }) => messageId === menu.messageId);
    expect(buttonsOf(shown!)).toContain('⬜ Bids off');
  });

  test('without a configuration says how to begin', async () => {
    await said('No collection is configured here yet', type('/tracking'));
  });
});

describe('/remove', () => {
  test('asks first; keeping changes nothing', async () => {
    const id = await setUp();
    const asked = await said('Stop telling this group', type('/remove'));
    press(asked.messageId, 'Keep it');
    await handled(world);
    expect((await configurationOf(world, chatId))?.['id']).toBe(id);
  });

  test('a question about an earlier configuration does not end the one that took its place', async () => {
    const earlier = await setUp();
    const asked = await said('Stop telling this group', type('/remove'));
    await copy.call('DELETE', `/api/telegram/configs/${earlier}`);
    const later = await setUp();
    expect(later).not.toBe(earlier);
    press(asked.messageId, 'Stop tracking');
    await handled(world);
    expect((await configurationOf(world, chatId))?.['id']).toBe(later);
  });

  test('ends the tracking; what waited is dropped, and it can be restored for 30 days', async () => {
    const id = await setUp();
    await world.database.pool.query(
      `insert into telegram_messages (chat_id, configuration_id, kind, content, state, claimed_until)
       values ($1, $2, 'card', '{"html":"late","imageUrl":null,"buttons":[],"isSilent":false}', 'pending', null)`,
      [chatId, id],
    );
    const asked = await said('Stop telling this group', type('/remove'));
    press(asked.messageId, 'Stop tracking');
    await until('it is removed', async () => (await configurationOf(world, chatId)) === undefined);
    await handled(world);
    expect(await watchers(world)).not.toContain(id);
    expect((await world.audited()).at(-1)).toMatchObject({
      action: 'telegram-configuration-removed',
      actor: `Telegram user ${creator}`,
    });
    const { rows } = await world.database.pool.query(
      'select state from telegram_messages where configuration_id = $1',
      [id],
    );
    expect(rows).toEqual([{ state: 'dropped' }]);
    expect((await copy.call('POST', `/api/telegram/configs/${id}/restore`)).status).toBe(200);
    expect((await configurationOf(world, chatId))?.['id']).toBe(id);
  });
});
