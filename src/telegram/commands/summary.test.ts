import { describe, expect, test } from 'vitest';
import { minutesAgo, mist, someCollection, someEvent } from '../../../tests/support/activity-events.ts';
import { goodFacts as facts, textOf } from '../../../tests/support/told-facts.ts';
import { summaryAnswer } from './summary.ts';

const summary = {
  mintCount: 1,
  saleCount: 6,
  listingCount: 4,
  bidCount: 0,
  saleVolumeMist: mist(84.2),
  pricedSaleCount: 6,
  topSale: null,
  completeSince: minutesAgo(24 * 60),
  completeUntil: minutesAgo(0),
};

describe('/summary', () => {
  test('shows the last 24 hours, the total and mint progress', () => {
    const topSale = someEvent(87);
    const setUpAt = minutesAgo(10_000);
    const total = { ...summary, saleCount: 60, pricedSaleCount: 58, saleVolumeMist: mist(900), completeSince: setUpAt };
    const view = {
      ...facts,
      day: { ...summary, topSale },
      total,
      mintedCount: 412,
      maxSupply: 555,
      setUpAt,
      timeZone: 'UTC',
    };
    expect(textOf(summaryAnswer({ ...view, explorerUrl: 'https://explorer.example' })).split('\n')).toEqual([
      '📊 Sui Rocks today: floor 13 SUI ($45.50)',
      'Last 24 hours: 6 sales for 84.2 SUI ($294.70)',
      '1 mint · 4 listings',
      'Top sale: Sui Rock #87 for 14.56 SUI · Transaction',
      'Since this group was set up: 60 sales for 900 SUI ($3,150) (2 not included: another coin, or no known price)',
      '38 listed · 200 owners',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
    ]);
  });

  test('in a group that was set up a moment ago shows nothing from before the setup, and no zeros', () => {
    const day = { ...summary, completeSince: minutesAgo(30) };
    const none = { mintCount: 0, saleCount: 0, listingCount: 0, bidCount: 0, saleVolumeMist: 0n };
    const setUpAt = minutesAgo(1);
    const total = { ...summary, ...none, completeSince: setUpAt };
    const group = { setUpAt, timeZone: 'Europe/Berlin', explorerUrl: 'https://explorer.example' };
    const view = { ...facts, ...group, day, total, mintedCount: 100, maxSupply: 100 };
    expect(textOf(summaryAnswer(view)).split('\n')).toEqual([
      '📊 Sui Rocks today: floor 13 SUI ($45.50)',
      'Since 20 Nov 12:59 UTC+1: no sales',
      '38 listed · 200 owners',
      '▰▰▰▰▰▰▰▰▰▰ FULLY MINTED · 100 / 100 minted',
    ]);
  });
});

test.each([
  ['events are kept no longer than 90 days', minutesAgo(90 * 24 * 60), 'Since 22 Aug 12:00 UTC: 60 sales'],
  ['earlier events are not known', minutesAgo(3 * 24 * 60), 'Since 17 Nov 12:00 UTC: 60 sales'],
])('a total that begins later than the setup, because %s, says when it begins', (_why, completeSince, words) => {
  const total = { ...summary, saleCount: 60, completeSince };
  const group = { setUpAt: minutesAgo(200 * 24 * 60), timeZone: 'UTC', explorerUrl: 'https://explorer.example' };
  const view = { ...facts, ...group, day: summary, total, mintedCount: 412, maxSupply: 555 };
  expect(textOf(summaryAnswer(view))).toContain(words);
  expect(textOf(summaryAnswer(view))).not.toContain('Since this group was set up');
});

test('a day during which the collection was not read is not shown as a day without sales', () => {
  const setUpAt = minutesAgo(10_000);
  const unread = { completeUntil: minutesAgo(30 * 60) };
  const day = { ...summary, ...unread, saleCount: 0, saleVolumeMist: 0n };
  const total = { ...summary, ...unread, completeSince: setUpAt };
  const group = { setUpAt, timeZone: 'UTC', explorerUrl: 'https://explorer.example' };
  const view = { ...facts, ...group, day, total, mintedCount: 412, maxSupply: 555 };
  const words = textOf(summaryAnswer(view));
  expect(words).toContain(
    'The last 24 hours are not known.\nSince this group was set up: 6 sales for 84.2 SUI ($294.70)\n38 listed',
  );
  expect(words).not.toContain('Last 24 hours');
});

test('a summary claims nothing about the past before it has been read', () => {
  const unread = { ...summary, saleCount: 0, saleVolumeMist: 0n, completeSince: null };
  const view = {
    ...facts,
    day: unread,
    total: unread,
    collection: someCollection({ listedCount: 1_204, ownerCount: 1 }),
    mintedCount: 412,
    maxSupply: 555,
    explorerUrl: 'https://explorer.example',
    setUpAt: minutesAgo(1),
    timeZone: 'UTC',
  };
  expect(textOf(summaryAnswer(view)).split('\n')).toEqual([
    '📊 Sui Rocks today: floor 13 SUI ($45.50)',
    'Past sales are still being read. Please ask again in a minute.',
    '1,204 listed · 1 owner',
    '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
  ]);
});
