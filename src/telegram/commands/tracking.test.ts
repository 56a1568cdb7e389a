import { describe, expect, test } from 'vitest';
import { mist, newSettings as fresh } from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import { type BotAction, parseAction, type TrackingAction, type TrackingMenu } from './texts/callback-data.ts';
import type { Settings } from '../configs/settings.ts';
import { outcomeOf, trackingMessage } from './tracking.ts';

interface Chat {
  readonly menu: TrackingMenu;
  readonly settings: Settings;
}

const isTracking = (action: BotAction | null): action is TrackingAction =>
  action !== null && (action[0] === 'set' || action[0] === 'menu');

/** A group admin taps the button with this text. */
const press = ({ menu, settings }: Chat, text: string): Chat => {
  const { buttons } = trackingMessage(menu, { collectionName: 'Sui Rocks', settings });
  const found = buttons.flat().find((button) => button.text === text);
  const action = parseAction(found?.data ?? '');
  if (!isTracking(action))
    throw new Error(
      `No button '${text}' among ${buttons
        .flat()
        .map((button) => button.text)
        .join(', ')}`,
    );
  expect(outcomeOf(action).notice.length).toBeLessThanOrEqual(200);
  return { menu: outcomeOf(action).menu, settings: { ...settings, ...outcomeOf(action).change } };
};
const pressAll = (texts: readonly string[], settings = fresh): Chat =>
  texts.reduce<Chat>(press, { menu: 'main', settings });

describe('Rulings R4: everything under /tracking is set by buttons', () => {
  test.each([
    [
      'minPriceMist',
      ['0.1', '0.5', '1', '2', '5', '10', '25', '50', '100', '250', '500', '1,000'].map((sui) => `${sui} SUI`),
    ],
    ['quietHours', ['22:00 to 07:00', '23:00 to 07:00', '23:00 to 08:00', '00:00 to 08:00']],
  ] as const)('%s: the usual choices are one tap away', (menu, texts) => {
    const { buttons } = trackingMessage(menu, { collectionName: 'Sui Rocks', settings: fresh });
    expect(buttons.flat().map(({ text }) => text)).toEqual([
      expect.stringMatching(/^✅ (None|Off)$/),
      ...texts,
      expect.any(String),
    ]);
  });

  test.each([
    ['✅ Mints on', { trackMint: false }],
    ['✅ Sales on', { trackSales: false }],
    ['✅ Listings on', { trackListings: false }],
    ['✅ Bids on', { trackBids: false }],
    ['Only listings up to the floor: off', { listingsAtFloorOnly: true }],
  ])('%s', (text, change) => expect(pressAll([text])).toEqual({ menu: 'main', settings: { ...fresh, ...change } }));

  test.each([
    [['Minimum price: none', '10 SUI'], { minPriceMist: mist(10) }],
    [['Minimum price: none', '0.5 SUI', '✅ 0.5 SUI', 'None'], {}],
    [['Quiet hours: off', '23:00 to 07:00'], { quietHours: { fromMinute: 1380, toMinute: 420 } }],
    [
      ['Quiet hours: off', '23:00 to 07:00', 'Begin 1 h later', 'End 1 h earlier'],
      { quietHours: { fromMinute: 0, toMinute: 360 } },
    ],
    [['Quiet hours: off', '23:00 to 07:00', 'Off'], {}],
    [['Quiet hours: off', '00:00 to 08:00'], { quietHours: { fromMinute: 0, toMinute: 480 } }],
    [['Daily recap: off', '20:00', '1 h later'], { recapMinute: 1260 }],
    [['Time zone: UTC', 'Europe/Berlin'], { timeZone: 'Europe/Berlin' }],
    [['Time zone: UTC', 'America/New York', '✅ America/New York', 'UTC'], {}],
  ])('%j', (texts, change) => expect(pressAll(texts).settings).toEqual({ ...fresh, ...change }));

  test('a button pressed twice has the same effect as pressed once', () => {
    const action: TrackingAction = ['set', 'trackSales', false];
    const once = { ...fresh, ...outcomeOf(action).change };
    expect({ ...once, ...outcomeOf(action).change }).toEqual(once);
  });

  test("'Back' leads to all options, 'Done' removes the buttons", () => {
    expect(pressAll(['Minimum price: none', 'Back']).menu).toBe('main');
    const done = pressAll(['Done']);
    expect(trackingMessage(done.menu, { collectionName: 'x', settings: fresh }).buttons).toEqual([]);
  });

  test('a time zone that was typed is among the buttons, marked as chosen', () => {
    const settings = { ...fresh, timeZone: 'Asia/Kathmandu' };
    const texts = trackingMessage('timeZone', { collectionName: 'x', settings }).buttons.flat();
    expect(texts.map(({ text }) => text)).toContain('✅ Asia/Kathmandu');
  });

  test('no step makes quiet hours begin when they end', () => {
    const settings = { ...fresh, quietHours: { fromMinute: 1380, toMinute: 0 } };
    const texts = trackingMessage('quietHours', { collectionName: 'x', settings })
      .buttons.flat()
      .map(({ text }) => text);
    expect(texts).toContain('Begin 1 h earlier');
    expect(texts).not.toContain('Begin 1 h later');
    expect(texts).not.toContain('End 1 h earlier');
  });

  test('the message shows the current settings', () => {
    const settings = {
      ...fresh,
      trackBids: false,
      minPriceMist: mist(10),
      quietHours: { fromMinute: 1380, toMinute: 420 },
      recapMinute: 1200,
      timeZone: 'Europe/Berlin',
    };
    const { html } = trackingMessage('main', { collectionName: 'Sui <Rocks>', settings });
    const { text } = readTelegramHtml(html);
    expect(text).toMatch(/Sui <Rocks>\nMints on · Sales on · Listings on · Bids off\nMinimum price: 10 SUI/);
    expect(text).toMatch(/Quiet hours: 23:00 to 07:00\nDaily recap: at 20:00\nTime zone: Europe\/Berlin/);
  });
});
