import * as fc from 'fast-check';
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
import type { ActivityEvent, ActivityKind } from '../../collections/contract.ts';
import { digestCard } from './card-digest.ts';
import { eventCard } from './card-event.ts';
import { foldedCard, walletListingsCard } from './card-folded.ts';
import type { CardContext } from './card-parts.ts';
import { dailyRecap, morningRecap } from './card-recap.ts';
import { sampleCard } from './card-sample.ts';
import type { MessageContent } from './message-content.ts';

const context: CardContext = {
  collection: someCollection(),
  floorBeforeMist: mist(13),
  explorerUrl: 'https://explorer.example/mainnet',
  usdPerSui: '3.5',
};
const count = { mintedCount: 412, maxSupply: 555 };
const textOf = ({ html }: MessageContent): string[] => readTelegramHtml(html).text.split('\n');
const cardLines = (id: number, given: Partial<ActivityEvent>): string[] =>
  textOf(eventCard(someEvent(id, given), context, count));

describe('Rulings R4: cards, as they read', () => {
  test('a mint, with the progress bar', () =>
    expect(cardLines(412, { kind: 'mint', type: 'mint', priceMist: mist(10), seller: null })).toEqual([
      '🪨 Sui Rock #412 minted for 10 SUI ($35.00)',
      'On TradePort',
      'Minter 0x0000…52d0',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
      'Transaction · NFT',
    ]));

  test('a sale, with buyer and seller', () =>
    expect(cardLines(87, { nft: someNft(87, { rank: 12 }) })).toEqual([
      '💰 Sui Rock #87 sold for 14.56 SUI ($50.96)',
      '+12% against the floor of 13 SUI',
      'Rank 12 · On TradePort',
      'Buyer 0x0000…52d0',
      'Seller 0x0000…c41e',
      'Transaction · NFT',
    ]));

  test('a listing', () =>
    expect(cardLines(203, { kind: 'listing', type: 'list', priceMist: mist(13), buyer: null })).toEqual([
      '🏷 Sui Rock #203 listed for 13 SUI ($45.50)',
      'At the floor of 13 SUI',
      'On TradePort',
      'Seller 0x0000…c41e',
      'Transaction · NFT',
    ]));

  test('a bid, as a share of the floor', () =>
    expect(cardLines(9, { kind: 'bid', type: 'solo-bid', priceMist: mist(11.05), seller: null })).toEqual([
      '✋ Bid of 11.05 SUI ($38.68) for Sui Rock #9',
      '85% of the floor of 13 SUI',
      'On TradePort',
      'Bidder 0x0000…52d0',
      'Transaction · NFT',
    ]));

  test('a bid for any piece of the collection', () => {
    const bid = someEvent(9, { kind: 'bid', type: 'collection-bid', nft: null, seller: null, transactionDigest: null });
    const card = eventCard(bid, context, count);
    expect(textOf(card)[0]).toBe('✋ Bid of 14.56 SUI ($50.96) for any NFT of Sui Rocks');
    expect(card.imageUrl).toBe(context.collection.imageUrl);
  });

  test('marketplaces are called as they write themselves', () => {
    expect(cardLines(1, { marketName: 'keepsake' })).toContain('On Keepsake');
    expect(cardLines(1, { marketName: 'TRADEPORT' })).toContain('On TradePort');
  });

  test('what is not known is left out', () => {
    const bare = { nft: { objectId: someAddress(5), name: null, imageUrl: null, rank: null } };
    const unknown = { priceMist: null, buyer: null, seller: null, marketName: null, transactionDigest: null };
    expect(cardLines(1, { ...bare, ...unknown })).toEqual(['💰 NFT 0x0000…0005 sold', 'NFT']);
    expect(cardLines(1, { kind: 'mint', priceMist: 0n })[0]).toBe('🪨 Sui Rock #1 minted for free');
  });

  test('a price in another coin is shown in its own words, never converted', () => {
    const coinType = `${someAddress(0xdba)}::usdc::USDC`;
    const lines = cardLines(1, { priceMist: null, foreignPrice: { coinType, rawAmount: '25000000' } });
    expect(lines[0]).toBe('💰 Sui Rock #1 sold for 25000000 (raw amount) of 0x0000…0dba::usdc::USDC');
    expect(lines.join()).not.toMatch(/floor|\$/);
  });

  test('links lead to the explorer: transaction, piece, wallets', () =>
    expect(readTelegramHtml(eventCard(someEvent(1), context, count).html).links).toEqual([
      `${context.explorerUrl}/account/${someAddress(0x52d0)}`,
      `${context.explorerUrl}/account/${someAddress(0xc41e)}`,
      `${context.explorerUrl}/tx/${someDigest(1)}`,
      `${context.explorerUrl}/object/${someAddress(1001)}`,
    ]));
});

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

  test('listings by the dozen', () => {
    const listings = Array.from({ length: 7 }, (_, index) =>
      someEvent(index + 1, { kind: 'listing', priceMist: mist(13 + index) }),
    );
    expect(textOf(walletListingsCard([someAddress(0xc41e)], listings, context))).toEqual([
      '🏷 Wallet 0x0000…c41e, listing by the dozen: 7 listings of Sui Rocks at 13 to 19 SUI',
      'Average 16 SUI · Total 112 SUI',
      'Sui Rock #1, Sui Rock #2, Sui Rock #3, Sui Rock #4, Sui Rock #5 and 2 more',
      'Floor 13 SUI',
      'Seller 0x0000…c41e',
    ]);
  });

  test('a digest, in the time of the chat', () =>
    expect(textOf(digestCard([...sales, someEvent(9, { kind: 'bid', priceMist: mist(11) })], context, 120))).toEqual([
      '📜 Catching up on Sui Rocks: 4 events',
      '20 Nov 12:30 to 13:59 UTC+2',
      '3 sales for 30 SUI, 15 SUI on average (1 not counted in: another coin, or no known price)',
      '1 bid of 11 SUI',
      'Top sale: Sui Rock #2 for 20 SUI · Transaction',
      'Floor 13 SUI',
    ]));

  test('the morning recap of what was held', () =>
    expect(textOf(morningRecap(sales.slice(0, 1), context, -210))).toEqual([
      '🌅 Good morning. Sui Rocks in the quiet hours: 1 event',
      '20 Nov 07:00 UTC-3:30',
      '1 sale for 10 SUI',
      'Floor 13 SUI',
    ]));

  test('the daily recap: sales, volume, floor then and now, top sale, mint progress', () =>
    expect(
      textOf(
        dailyRecap({
          summary: {
            mintCount: 3,
            saleCount: 6,
            listingCount: 12,
            bidCount: 1,
            saleVolumeMist: mist(84.2),
            topSale: sales[1] ?? null,
            completeSince: minutesAgo(1440),
          },
          span: { from: minutesAgo(1440), to: storyNow },
          floorThenMist: mist(11),
          context,
          ...count,
          utcOffsetMinutes: 0,
        }),
      ),
    ).toEqual([
      '📅 Sui Rocks, the day: 6 sales for 84.2 SUI ($294.70)',
      '19 Nov 12:00 to 20 Nov 12:00 UTC',
      'Top sale: Sui Rock #2 for 20 SUI · Transaction',
      '3 mints · 12 listings · 1 bid',
      'Floor 11 SUI, now 13 SUI',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
    ]));

  test('a sample says that it is one, and is the latest real sale', () => {
    expect(textOf(sampleCard(someEvent(87), context)).slice(0, 2)).toEqual([
      'This is a sample: the latest real sale.',
      '💰 Sui Rock #87 sold for 14.56 SUI ($50.96)',
    ]);
    expect(textOf(sampleCard(null, context))[0]).toMatch(/^This is a test: .*No sale of Sui Rocks is known yet/);
  });
});

describe('Whatever a name holds', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          '<a href="https://evil.com">',
          '&amp;',
          '@x',
          '"',
          "'>",
          '\u202e',
          '🏴‍☠️',
          'a\u0301\u0302',
          'א.b',
          '$X',
          '#x',
        ),
        {
          maxLength: 200,
        },
      )
      .map((parts) => parts.join('')),
  );
  const huge = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.bigInt({ min: 0n, max: 10n ** 13n }));
  const nastyEvent = fc.record({
    kind: fc.constantFrom<ActivityKind>('mint', 'sale', 'listing', 'bid'),
    nft: fc.option(
      fc.record({ objectId: nasty, name: fc.option(nasty), imageUrl: fc.constant(null), rank: fc.option(fc.double()) }),
    ),
    priceMist: fc.option(huge),
    foreignPrice: fc.option(fc.record({ coinType: nasty, rawAmount: nasty })),
    transactionDigest: fc.option(nasty),
    buyer: fc.option(nasty),
    seller: fc.oneof(fc.option(nasty), fc.constant(someAddress(7))),
    marketName: fc.option(nasty),
  });

  test('Telegram takes every card, captions hold at most 1024 characters, and no link leads elsewhere', () =>
    fc.assert(
      fc.property(fc.array(nastyEvent, { minLength: 1, maxLength: 12 }), nasty, huge, (given, name, floorMist) => {
        const events = given.map((event, index) => someEvent(index + 1, event));
        const nastyContext = { ...context, collection: { name, imageUrl: null, floorMist }, floorBeforeMist: mist(13) };
        const cards = [
          ...events.map((event) =>
            eventCard(event, nastyContext, { mintedCount: 999_999_999, maxSupply: 1_000_000_000 }),
          ),
          ...(['mint', 'sale', 'listing', 'bid'] as const).map((kind) => foldedCard(kind, events, nastyContext, null)),
          walletListingsCard([someAddress(7)], events, nastyContext),
          digestCard(events, nastyContext, 840),
          morningRecap(events, nastyContext, -720),
          sampleCard(events[0] ?? null, nastyContext),
        ];
        for (const { html } of cards) {
          const { text, links } = readTelegramHtml(html);
          expect(text.length).toBeLessThanOrEqual(1024);
          for (const link of links)
            expect(link).toMatch(/^https:\/\/explorer\.example\/mainnet\/(account|tx|object)\/\w+$/);
          expect(text).not.toMatch(/https:\/\/|evil\.com|@x/);
        }
      }),
      { numRuns: 200 },
    ));
});
