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
} from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import type { ActivityEvent, ActivityKind, ActivitySummary } from '../../market/contract.ts';
import { digestCard, dailyRecap, morningRecap } from './digest.ts';
import { foldedCard, walletListingsCard } from './folded.ts';
import type { CardContext, MessageContent } from './parts.ts';

const context: CardContext = {
  collection: someCollection(),
  floorBeforeMist: mist(13),
  explorerUrl: 'https://explorer.example/mainnet',
  usdPerSui: '3.5',
};
const textOf = ({ html }: MessageContent): string[] => readTelegramHtml(html).text.split('\n');
const daySummary = (given: Partial<ActivitySummary>): ActivitySummary => ({
  mintCount: 3,
  saleCount: 6,
  listingCount: 12,
  bidCount: 1,
  saleVolumeMist: mist(84.2),
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

describe('Rulings R4: cards of many events', () => {
  const sales = [mist(10), mist(20), null].map((priceMist, index) =>
    someEvent(index + 1, { priceMist, transactionDigest: someDigest(7), happenedAt: minutesAgo(90 - 30 * index) }),
  );

  test('a folded card: count, total, average, range, names, floor, the one transaction of a sweep', () =>
    expect(textOf(foldedCard('sale', sales, context, null))).toEqual([
      '💰 3 sales of Sui Rocks for 30 SUI ($105.00)',
      'Average 15 SUI · From 10 to 20 SUI',
      '1 not counted in: another coin, or no known price',
      'Sui Rock #1, Sui Rock #2, Sui Rock #3',
      'Floor 13 SUI',
      'Transaction',
    ]));

  test('prices that are all the same have neither average nor range', () => {
    const mints = [1, 2, 3].map((id) => someEvent(id, { kind: 'mint', priceMist: mist(10) }));
    expect(textOf(foldedCard('mint', mints, context, null))[1]).toBe('Each 10 SUI');
  });

  test('the running card of a wallet: count, range, the lowest and the newest', () => {
    const listings = Array.from({ length: 12 }, (_, index) =>
      someEvent(index + 1, { kind: 'listing', priceMist: mist(index === 4 ? 12 : 13 + index) }),
    );
    expect(textOf(walletListingsCard(someAddress(0xc41e), listings, context))).toEqual([
      '🏷 Wallet 0x0000…c41e listed 12 NFTs of Sui Rocks within an hour at 12 to 24 SUI ($42.00 to $84.00)',
      'Lowest: Sui Rock #5 for 12 SUI',
      'Newest: Sui Rock #12 for 24 SUI',
      'Floor 13 SUI',
      'Seller 0x0000…c41e',
    ]);
  });

  test('the only name among them is told, and without any price the first one has its picture shown', () => {
    const imageOf = (id: number): string => `https://images.example/${id}.png`;
    const unpriced = [1, 2].map((id) =>
      someEvent(id, {
        priceMist: null,
        nft: { ...someNft(id), imageUrl: imageOf(id), name: id === 1 ? null : 'Pebble' },
      }),
    );
    const card = foldedCard('sale', unpriced, context, null);
    expect(textOf(card)).toContain('Pebble');
    expect(card.imageUrl).toBe(imageOf(1));
  });

  test('events of several transactions link none', () => {
    const apart = [1, 2].map((id) => someEvent(id, { priceMist: mist(10), transactionDigest: someDigest(id) }));
    expect(textOf(foldedCard('sale', apart, context, null))).not.toContain('Transaction');
  });

  test('a digest of a single event says so', () =>
    expect(textOf(digestCard(sales.slice(0, 1), context, 'UTC'))[0]).toBe('📜 Catching up on Sui Rocks: 1 event'));

  test('a digest, in the time of the chat', () =>
    expect(
      textOf(digestCard([...sales, someEvent(9, { kind: 'bid', priceMist: mist(11) })], context, 'Etc/GMT-2')),
    ).toEqual([
      '📜 Catching up on Sui Rocks: 4 events',
      '20 Nov 12:30 to 13:59 UTC+2',
      '3 sales for 30 SUI, 15 SUI on average (1 not counted in: another coin, or no known price)',
      '1 bid of 11 SUI: Sui Rock #9 · Transaction',
      'Top sale: Sui Rock #2 for 20 SUI · Transaction',
      'Floor 13 SUI',
    ]));

  test('the morning recap of what was held', () =>
    expect(textOf(morningRecap(sales.slice(0, 1), context, { timeZone: 'America/St_Johns', now: storyNow }))).toEqual([
      '🌅 Good morning. Sui Rocks during quiet hours: 1 event',
      '20 Nov 07:00 UTC-3:30',
      '1 sale for 10 SUI: Sui Rock #1 · Transaction',
      'Floor 13 SUI',
    ]));

  test('quiet hours that were switched off in the evening end without a good morning', () =>
    expect(textOf(morningRecap(sales.slice(0, 1), context, { timeZone: 'Asia/Tokyo', now: storyNow }))[0]).toBe(
      '🔔 Sui Rocks during quiet hours: 1 event',
    ));

  test('the daily recap: sales, volume, floor then and now, top sale, mint progress', () =>
    expect(textOf(dailyRecap({ ...day, summary: daySummary({ topSale: sales[1] ?? null }) }))).toEqual([
      '📅 Sui Rocks, the day: 6 sales for 84.2 SUI ($294.70)',
      '19 Nov 12:00 to 20 Nov 12:00 UTC',
      'Top sale: Sui Rock #2 for 20 SUI · Transaction',
      '3 mints · 12 listings · 1 bid',
      'Floor 13 SUI',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
    ]));
});

describe('Prices that are all the same', () => {
  const same = (kind: ActivityKind, count: number, priceMist = mist(10)): readonly ActivityEvent[] =>
    Array.from({ length: count }, (_, index) => someEvent(index + 1, { kind, priceMist }));
  const folded = (kind: ActivityKind): string[] => textOf(foldedCard(kind, same(kind, 6), context, null)).slice(0, 2);

  test('have neither average nor range nor highest in a folded card', () => {
    expect(folded('mint')).toEqual(['🪨 6 mints of Sui Rocks for 60 SUI ($210.00)', 'Each 10 SUI']);
    expect(folded('listing')).toEqual(['🏷 6 listings of Sui Rocks at 10 SUI each ($35.00)', 'Total 60 SUI']);
    expect(folded('bid')).toEqual(['✋ 6 bids of Sui Rocks of 10 SUI each ($35.00)', 'Total 60 SUI']);
  });

  test('are said to be each from two on, and one that is the floor is not told twice', () => {
    const told = (kind: 'listing' | 'bid', prices: readonly (bigint | null)[]): string[] =>
      textOf(
        foldedCard(
          kind,
          prices.map((priceMist, index) => someEvent(index + 1, { kind, priceMist, nft: null })),
          { ...context, floorBeforeMist: null },
          null,
        ),
      );
    expect(told('listing', [mist(13), null])).toEqual([
      '🏷 2 listings of Sui Rocks at 13 SUI ($45.50)',
      '1 not counted in: another coin, or no known price',
      'That is the floor',
    ]);
    expect(told('bid', [mist(13), mist(13)])).toEqual([
      '✋ 2 bids of Sui Rocks of 13 SUI each ($45.50)',
      'Total 26 SUI',
      'That is the floor',
    ]);
    expect(told('bid', [mist(12), mist(13)]).at(-1)).toBe('Floor 13 SUI');
  });

  test('nor a top sale in a digest', () => {
    const events = [...same('sale', 3), ...same('listing', 2), ...same('bid', 2)];
    expect(textOf(digestCard(events, context, 'UTC')).slice(2)).toEqual([
      '3 sales for 30 SUI, 10 SUI each',
      '2 listings at 10 SUI each',
      '2 bids of 10 SUI each',
      'Floor 13 SUI',
    ]);
  });

  test('nor those that only read the same once they are rounded', () => {
    const events = [mist(10.001), mist(10.002)].map((priceMist, id) => someEvent(id + 1, { priceMist }));
    expect(
      textOf(
        morningRecap(events, { ...context, floorBeforeMist: mist(13.001) }, { timeZone: 'UTC', now: storyNow }),
      ).slice(2),
    ).toEqual(['2 sales for 20 SUI, 10 SUI each', 'Floor 13 SUI']);
  });

  test('of a day are told once, and so is the price of its only sale', () => {
    const [topSale = null] = same('sale', 1);
    const dayOf = (saleCount: number): string[] =>
      textOf(dailyRecap({ ...day, summary: daySummary({ saleCount, saleVolumeMist: mist(10 * saleCount), topSale }) }));
    expect(dayOf(3)[0]).toContain('3 sales for 30 SUI');
    expect(dayOf(3)[2]).toBe('Each sold for 10 SUI');
    expect(dayOf(1)[0]).toContain('1 sale for 10 SUI');
    expect(dayOf(1)[2]).toBe('Sold: Sui Rock #1 · Transaction');
  });

  test('of nothing are for free', () =>
    expect(textOf(foldedCard('mint', same('mint', 6, 0n), context, null)).slice(0, 2)).toEqual([
      '🪨 6 mints of Sui Rocks for free',
      expect.stringContaining('Sui Rock #1'),
    ]));
});
