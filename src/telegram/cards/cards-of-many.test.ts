import { describe, expect, test } from 'vitest';
import {
  minutesAgo,
  mist,
  someAddress,
  someCollection,
  someDigest,
  someEvent,
  someNft,
  storyNow,
  unreadRocks,
} from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import type { ActivityEvent, ActivityKind, ActivitySummary } from '../../market/contract.ts';
import { digestCard, dailyRecap, morningRecap, foldedCard, walletListingsCard } from './cards-of-many.ts';
import type { CardContext } from './event-card.ts';
import type { MessageContent } from './message-html.ts';

const context: CardContext = {
  collection: someCollection(),
  floorBeforeMist: mist(13),
  explorerUrl: 'https://explorer.example/mainnet',
  usdPerSui: '3.5',
  rocks: unreadRocks,
};
const textOf = ({ html }: MessageContent): string[] => readTelegramHtml(html).text.split('\n');
const daySummary = (given: Partial<ActivitySummary>): ActivitySummary => ({
  mintCount: 3,
  saleCount: 6,
  listingCount: 12,
  bidCount: 1,
  saleVolumeMist: mist(84.2),
  pricedSaleCount: 6,
  topSale: null,
  completeSince: minutesAgo(1440),
  completeUntil: minutesAgo(0),
  ...given,
});
const day = {
  span: { from: minutesAgo(1440), to: storyNow },
  context,
  mintedCount: 412,
  maxSupply: 555,
  timeZone: 'UTC',
};

const same = (kind: ActivityKind, count: number, priceMist = mist(10)): readonly ActivityEvent[] =>
  Array.from({ length: count }, (_, index) => someEvent(index + 1, { kind, priceMist }));

describe('Rulings R4: cards of many events', () => {
  const sales = [mist(10), mist(20), null].map((priceMist, index) =>
    someEvent(index + 1, { priceMist, transactionDigest: someDigest(7), happenedAt: minutesAgo(90 - 30 * index) }),
  );

  test('a folded card shows count, total, average, names, floor and the one transaction of a sweep', () =>
    expect(textOf(foldedCard('sale', sales, context, null))).toEqual([
      '💰 Sui Rocks: 3 sales for 30 SUI ($105.00), 15 SUI on average (1 not included: another coin, or no known price)',
      'Sui Rock #1, Sui Rock #2, Sui Rock #3',
      'Floor 13 SUI',
      'Transaction',
    ]));

  test.each([
    ['mint', '🪨 Sui Rocks: 6 mints for 60 SUI ($210.00), 10 SUI on average'],
    ['listing', '🏷 Sui Rocks: 6 listings at 10 SUI, 60 SUI ($210.00) in total, 10 SUI on average'],
    ['bid', '✋ Sui Rocks: 6 bids at 10 SUI, 60 SUI ($210.00) in total, 10 SUI on average'],
  ] as const)('folded %ss use the same wording', (kind, words) =>
    expect(textOf(foldedCard(kind, same(kind, 6), context, null))[0]).toBe(words),
  );

  test('mints at a price of 0 are called free', () =>
    expect(textOf(foldedCard('mint', same('mint', 6, 0n), context, null))[0]).toBe('🪨 Sui Rocks: 6 mints for free'));

  test('a folded card shows the floor before and after its events', () =>
    expect(textOf(foldedCard('sale', sales, { ...context, floorBeforeMist: mist(12) }, null))).toContain(
      'Floor 12 SUI, now 13 SUI',
    ));

  test('the running card of a wallet shows count, price range, the lowest and the newest listing', () => {
    const listings = Array.from({ length: 12 }, (_, index) =>
      someEvent(index + 1, { kind: 'listing', priceMist: mist(index === 4 ? 12 : 13 + index) }),
    );
    expect(textOf(walletListingsCard(someAddress(0xc41e), listings, context))).toEqual([
      '🏷 Sui Rocks, one wallet within an hour: 12 listings at 12 to 24 SUI, 217 SUI ($759.50) in total, 18.08 SUI on average',
      'Lowest: Sui Rock #5 for 12 SUI',
      'Newest: Sui Rock #12 for 24 SUI',
      'Floor 13 SUI',
      'Seller 0x0000…c41e',
    ]);
  });

  test('a folded card shows the only known name, and the first picture if no price is known', () => {
    const imageOf = (id: number): string => `https://images.example/${id}.png`;
    const unpriced = [1, 2].map((id) =>
      someEvent(id, {
        priceMist: null,
        ...someNft(id, { nftImageUrl: imageOf(id), nftName: id === 1 ? null : 'Pebble' }),
      }),
    );
    const card = foldedCard('sale', unpriced, context, null);
    expect(textOf(card)).toContain('Pebble');
    expect(card.imageUrl).toBe(imageOf(1));
  });

  test('a folded card of several transactions links none of them', () => {
    const apart = [1, 2].map((id) => someEvent(id, { priceMist: mist(10), transactionDigest: someDigest(id) }));
    expect(textOf(foldedCard('sale', apart, context, null))).not.toContain('Transaction');
  });

  test("a digest of a single event says '1 event'", () =>
    expect(textOf(digestCard(sales.slice(0, 1), context, 'UTC'))[0]).toBe('📜 Catching up on Sui Rocks: 1 event'));

  test('a count of thousands has a comma, like every other', () => {
    const many = same('mint', 1_204);
    expect(textOf(digestCard(many, context, 'UTC'))[0]).toBe('📜 Catching up on Sui Rocks: 1,204 events');
    expect(textOf(foldedCard('mint', many, context, null)).slice(0, 2)).toEqual([
      '🪨 Sui Rocks: 1,204 mints for 12,040 SUI ($42,140), 10 SUI on average',
      'Sui Rock #1, Sui Rock #2, Sui Rock #3, Sui Rock #4, Sui Rock #5 and 1,199 more',
    ]);
  });

  test('a digest uses the time zone of the chat', () =>
    expect(
      textOf(digestCard([...sales, someEvent(9, { kind: 'bid', priceMist: mist(11) })], context, 'Etc/GMT-2')),
    ).toEqual([
      '📜 Catching up on Sui Rocks: 4 events',
      '20 Nov 12:30 to 13:59 UTC+2',
      '3 sales for 30 SUI ($105.00), 15 SUI on average (1 not included: another coin, or no known price)',
      '1 bid for 11 SUI ($38.50): Sui Rock #9 · Transaction',
      'Top sale: Sui Rock #2 for 20 SUI · Transaction',
      'Floor 13 SUI',
    ]));

  test('the morning recap shows the events held during quiet hours', () =>
    expect(textOf(morningRecap(sales.slice(0, 1), context, 'America/St_Johns'))).toEqual([
      '🔔 Sui Rocks during quiet hours: 1 event',
      '20 Nov 07:00 UTC-3:30',
      '1 sale for 10 SUI ($35.00): Sui Rock #1 · Transaction',
      'Floor 13 SUI',
    ]));

  test('a sale at a price of 0 is never the top sale', () =>
    expect(textOf(digestCard(same('sale', 2, 0n), context, 'UTC')).join('\n')).not.toContain('Top sale'));

  test('the daily recap shows sales, volume, top sale, other counts, floor and mint progress', () =>
    expect(textOf(dailyRecap({ ...day, summary: daySummary({ topSale: sales[1] ?? null }) }))).toEqual([
      '📅 Sui Rocks, the day: 6 sales for 84.2 SUI ($294.70)',
      '19 Nov 12:00 to 20 Nov 12:00 UTC',
      'Top sale: Sui Rock #2 for 20 SUI · Transaction',
      '3 mints · 12 listings · 1 bid',
      'Floor 13 SUI',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
    ]));
});
