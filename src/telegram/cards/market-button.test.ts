import { describe, expect, test } from 'vitest';
import { someAddress, someCollection, someEvent, unreadRocks, noNft } from '../../../tests/support/activity-events.ts';
import { eventCard, type CardContext } from './event-card.ts';
import { foldedCard } from './cards-of-many.ts';

const context: CardContext = {
  collection: someCollection(),
  floorBeforeMist: null,
  explorerUrl: 'https://explorer.example/mainnet',
  usdPerSui: '3.5',
  rocks: unreadRocks,
};
const page = `https://www.tradeport.xyz/sui/collection/${encodeURIComponent(context.collection.slug)}?bottomTab=trades&tab=items`;
const count = { mintedCount: 412, maxSupply: 555 };

describe('every card has a button to the marketplace', () => {
  test.each([
    ['mint', 'View on TradePort'],
    ['sale', 'View on TradePort'],
    ['bid', 'View on TradePort'],
    ['listing', 'Buy on TradePort'],
  ] as const)('a %s card: %s, leading to the page of the NFT', (kind, text) => {
    const card = eventCard(someEvent(1, { kind }), context, count);
    expect(card.buttons).toEqual([[{ text, url: `${page}&tokenId=${someAddress(1001)}` }]]);
  });

  test('a card about no NFT, or about many, leads to the collection', () => {
    const button = [[{ text: 'View on TradePort', url: page }]];
    expect(eventCard(someEvent(1, { kind: 'bid', ...noNft }), context, count).buttons).toEqual(button);
    expect(foldedCard('sale', [someEvent(1)], context, null).buttons).toEqual(button);
  });

  test.each(['../../evil', '..', 'https://evil.example', '?x=1#', 'a'.repeat(5_000), '\ud800', ''])(
    'the URL is on the site of the marketplace, whatever the slug: %j',
    (slug) => {
      const card = foldedCard('sale', [someEvent(1)], { ...context, collection: someCollection({ slug }) }, null);
      for (const { url = '' } of card.buttons.flat()) {
        const { origin, pathname, search } = new URL(url);
        expect([origin, pathname.split('/').length, search]).toEqual([
          'https://www.tradeport.xyz',
          4,
          '?bottomTab=trades&tab=items',
        ]);
      }
    },
  );
});
