import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mist, someAddress, someCollection, someEvent, unreadRocks } from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import type { ActivityKind } from '../../market/contract.ts';
import { digestCard, morningRecap, foldedCard, walletListingsCard } from './cards-of-many.ts';
import { eventCard, sampleCard, type CardContext } from './event-card.ts';

const context: CardContext = {
  collection: someCollection(),
  floorBeforeMist: mist(13),
  explorerUrl: 'https://explorer.example/mainnet',
  usdPerSui: '3.5',
  rocks: unreadRocks,
};

describe('whatever a name contains', () => {
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
  const huge = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 13n }));
  const nastyEvent = fc.record({
    kind: fc.constantFrom<ActivityKind>('mint', 'sale', 'listing', 'bid'),
    nftObjectId: fc.option(nasty),
    nftName: fc.option(nasty),
    nftImageUrl: fc.constant(null),
    nftRank: fc.option(fc.double()),
    priceMist: fc.option(huge),
    foreignCoinType: fc.option(nasty),
    foreignRawAmount: fc.option(nasty),
    transactionDigest: fc.option(nasty),
    buyer: fc.option(nasty),
    seller: fc.oneof(fc.option(nasty), fc.constant(someAddress(7))),
    marketName: fc.option(nasty),
  });

  test('Telegram accepts every card, captions have at most 1024 characters, and links lead only to the explorer and the market', () =>
    fc.assert(
      fc.property(fc.array(nastyEvent, { minLength: 1, maxLength: 12 }), nasty, huge, (given, name, floorMist) => {
        const events = given.map((event, index) => someEvent(index + 1, event));
        const nastyContext = {
          ...context,
          collection: { name, slug: name, imageUrl: null, floorMist },
          floorBeforeMist: mist(13),
        };
        const cards = [
          ...events.map((event) =>
            eventCard(event, nastyContext, { mintedCount: 999_999_999, maxSupply: 1_000_000_000 }),
          ),
          ...(['mint', 'sale', 'listing', 'bid'] as const).map((kind) => foldedCard(kind, events, nastyContext, null)),
          walletListingsCard(someAddress(7), events, nastyContext),
          digestCard(events, nastyContext, 'Asia/Kathmandu'),
          morningRecap(events, nastyContext, 'Etc/GMT+12'),
          sampleCard(events[0] ?? null, nastyContext),
        ];
        for (const { html, buttons } of cards) {
          for (const { url = '' } of buttons.flat()) expect(new URL(url).origin).toBe('https://www.tradeport.xyz');
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
