import { describe, expect, test } from 'vitest';
import { minutesAgo, mist, someCollection, someEvent } from '../../../../tests/support/activity-events.ts';
import { goodFacts as facts, goodStatus as status, textOf } from '../../../../tests/support/told-facts.ts';
import { floorAnswer, summaryAnswer } from './facts-texts.ts';
import { statusAnswer } from './status-text.ts';

const summary = {
  mintCount: 1,
  saleCount: 6,
  listingCount: 4,
  bidCount: 0,
  saleVolumeMist: mist(84.2),
  topSale: null,
  completeSince: minutesAgo(24 * 60),
  completeUntil: minutesAgo(0),
};

describe('/floor and /summary', () => {
  test('the floor, in SUI and in USD', () =>
    expect(textOf(floorAnswer(facts))).toBe('🏷 Sui Rocks: floor 13 SUI ($45.50)\n38 listed'));

  test('an unknown floor is not zero, and an old one says its age', () => {
    const collection = someCollection({ floorMist: null, lastSucceededAt: minutesAgo(180) });
    const said = textOf(floorAnswer({ ...facts, collection }));
    expect(said).toContain('floor not known');
    expect(said).toContain('As of 3 hours ago');
    expect(said).not.toContain('0 SUI');
  });

  test.each([
    [1.5, null],
    [1.6, 'As of 1 minute ago: the marketplace is not answering.'],
  ])('after %d minutes a figure is older than twice its refresh (rulings R3): %s', (minutes, words) => {
    const collection = someCollection({ lastSucceededAt: minutesAgo(minutes) });
    const said = textOf(floorAnswer({ ...facts, collection }));
    expect(said.includes('As of')).toBe(words !== null);
    expect(said).toContain(words ?? 'floor 13 SUI');
  });

  test('the summary: 24 hours, in total, mint progress', () => {
    const topSale = someEvent(87);
    const total = { ...summary, saleCount: 60, saleVolumeMist: mist(900) };
    const view = {
      ...facts,
      day: { ...summary, topSale },
      total,
      mintedCount: 412,
      maxSupply: 555,
      since: minutesAgo(10_000),
      timeZone: 'UTC',
    };
    expect(textOf(summaryAnswer({ ...view, explorerUrl: 'https://explorer.example' })).split('\n')).toEqual([
      '📊 Sui Rocks today: floor 13 SUI ($45.50)',
      'Last 24 hours: 6 sales for 84.2 SUI ($294.70)',
      '1 mint · 4 listings',
      'Top sale: Sui Rock #87 for 14.56 SUI · Transaction',
      'Since this group was set up: 60 sales for 900 SUI ($3,150)',
      '38 listed · 200 owners',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
    ]);
  });

  test('the summary of a group that was set up a moment ago tells of nothing before the setup, and no zeros', () => {
    const day = { ...summary, completeSince: minutesAgo(30) };
    const none = { mintCount: 0, saleCount: 0, listingCount: 0, bidCount: 0, saleVolumeMist: 0n };
    const total = { ...summary, ...none, completeSince: minutesAgo(30) };
    const since = { since: minutesAgo(1), timeZone: 'Europe/Berlin', explorerUrl: 'https://explorer.example' };
    const view = { ...facts, ...since, day, total, mintedCount: 100, maxSupply: 100 };
    expect(textOf(summaryAnswer(view)).split('\n')).toEqual([
      '📊 Sui Rocks today: floor 13 SUI ($45.50)',
      'Since 20 Nov 12:59 UTC+1: no sales',
      '38 listed · 200 owners',
      '▰▰▰▰▰▰▰▰▰▰ FULLY MINTED · 100 / 100 minted',
    ]);
  });
});

test('a summary before the past was read claims nothing of it', () => {
  const unread = { ...summary, saleCount: 0, saleVolumeMist: 0n, completeSince: null };
  const view = {
    ...facts,
    day: unread,
    total: unread,
    mintedCount: 412,
    maxSupply: 555,
    explorerUrl: 'https://explorer.example',
    since: minutesAgo(1),
    timeZone: 'UTC',
  };
  expect(textOf(summaryAnswer(view)).split('\n')).toEqual([
    '📊 Sui Rocks today: floor 13 SUI ($45.50)',
    'Past sales are still being read. Please ask again in a minute.',
    '38 listed · 200 owners',
    '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
  ]);
});

describe('Rulings R4: /status tells last check, source lag, permissions, pinned topic, waiting messages', () => {
  test('when all is well', () =>
    expect(textOf(statusAnswer(status)).split('\n')).toEqual([
      '🩺 Tracking Sui Rocks',
      'Last check: 30 seconds ago',
      'Marketplace: last read 30 seconds ago',
      'Permissions: messages and photos allowed',
      'Notifications go to: the group itself',
      'Waiting messages: none',
      'Last notification: 5 minutes ago',
    ]));

  test('when it is not', () => {
    const collection = someCollection({
      failingSince: { at: minutesAgo(120), reason: 'timeout' },
      lastSucceededAt: minutesAgo(120.5),
      lastCheckedAt: minutesAgo(0.5),
    });
    const said = textOf(
      statusAnswer({
        ...status,
        collection,
        canSendPhotos: false,
        pinned: { chatId: -1_001_234, topicId: 7, state: 'open', askedInTopicId: null },
        pendingCount: 3,
        oldestPendingAt: minutesAgo(2),
        lastSentAt: null,
        trouble: 'Bad Request: <not enough rights>',
      }),
    );
    expect(said).toContain('Marketplace: no answer for 2 hours. I keep trying');
    expect(said).toContain('I may not send photos here');
    expect(said).toContain('Notifications go to: a topic of its own');
    expect(said).toContain('Last check: 2 hours ago, last tried 30 seconds ago');
    expect(said).toContain('Waiting messages: 3, the oldest for 2 minutes');
    expect(said).toContain('Telegram says: Bad Request: <not enough rights>');
    expect(textOf(statusAnswer({ ...status, pendingCount: 1, oldestPendingAt: minutesAgo(1) }))).toContain(
      'Waiting messages: 1, the oldest for 1 minute',
    );
    expect(textOf(statusAnswer({ ...status, canSendMessages: false }))).toContain('I may not send messages here');
  });
});
