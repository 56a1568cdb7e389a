import { describe, expect, test } from 'vitest';
import {
  mist,
  someAddress,
  someCollection,
  someDigest,
  someEvent,
  someNft,
  unreadRocks,
  noNft,
} from '../../../tests/support/activity-events.ts';
import { readTelegramHtml } from '../../../tests/support/telegram-html.ts';
import type { ActivityEvent } from '../../market/contract.ts';
import { eventCard, sampleCard, type CardContext } from './event-card.ts';
import type { MessageContent } from './message-html.ts';

const context: CardContext = {
  collection: someCollection(),
  floorBeforeMist: mist(13),
  explorerUrl: 'https://explorer.example/mainnet',
  usdPerSui: '3.5',
  rocks: unreadRocks,
};
const count = { mintedCount: 412, maxSupply: 555 };
const textOf = ({ html }: MessageContent): string[] => readTelegramHtml(html).text.split('\n');
const cardLines = (id: number, given: Partial<ActivityEvent>): string[] =>
  textOf(eventCard(someEvent(id, given), context, count));

describe('Rulings R4: cards of one event', () => {
  test('a mint card includes the progress bar', () =>
    expect(cardLines(412, { kind: 'mint', type: 'mint', priceMist: mist(10), seller: null })).toEqual([
      '🪨 Sui Rock #412 minted for 10 SUI ($35.00)',
      'On TradePort',
      'Minter 0x0000…52d0',
      '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted',
      'Transaction · NFT',
    ]));

  test('a sale card includes buyer and seller', () =>
    expect(cardLines(87, { ...someNft(87, { nftRank: 12 }) })).toEqual([
      '💰 Sui Rock #87 sold for 14.56 SUI ($50.96)',
      '12% above floor (13 SUI)',
      'Rank 12 · On TradePort',
      'Buyer 0x0000…52d0',
      'Seller 0x0000…c41e',
      'Transaction · NFT',
    ]));

  test('a card about a rock of our own collection also names and links its page', () => {
    const rocks = {
      pageOf: (objectId: string) =>
        objectId === someNft(87).nftObjectId ? { number: 87, url: 'https://rocks.example/rocks/87' } : null,
    };
    const card = (id: number) => eventCard(someEvent(id, { ...someNft(id) }), { ...context, rocks }, count);
    expect(textOf(card(87)).at(-1)).toBe('Transaction · NFT · Rock #87');
    expect(readTelegramHtml(card(87).html).links).toContain('https://rocks.example/rocks/87');
    expect(textOf(card(88)).at(-1)).toBe('Transaction · NFT');
  });

  test.each([0, -1, 1.5, Number.NaN])('a card does not show a rank of %d', (rank) =>
    expect(cardLines(87, { ...someNft(87, { nftRank: rank }) })[2]).toBe('On TradePort'),
  );

  test('a card has the picture of its NFT, if there is one', () => {
    const imageOf = (given: Partial<ActivityEvent>) => eventCard(someEvent(87, given), context, count).imageUrl;
    expect(imageOf({})).toBe('https://images.example/87.png');
    expect(imageOf({ ...someNft(87, { nftImageUrl: null }) })).toBeNull();
  });

  test('a listing card compares the price with the floor', () =>
    expect(cardLines(203, { kind: 'listing', type: 'list', priceMist: mist(13), buyer: null })).toEqual([
      '🏷 Sui Rock #203 listed for 13 SUI ($45.50)',
      'At the floor (13 SUI)',
      'On TradePort',
      'Seller 0x0000…c41e',
      'Transaction · NFT',
    ]));

  test('a bid card shows the bid as a share of the floor', () =>
    expect(cardLines(9, { kind: 'bid', type: 'solo-bid', priceMist: mist(11.05), seller: null })).toEqual([
      '✋ Bid of 11.05 SUI ($38.68) for Sui Rock #9',
      '85% of floor (13 SUI)',
      'On TradePort',
      'Bidder 0x0000…52d0',
      'Transaction · NFT',
    ]));

  test('a bid card can be for any piece of the collection', () => {
    const bid = someEvent(9, { kind: 'bid', type: 'collection-bid', ...noNft, seller: null, transactionDigest: null });
    const card = eventCard(bid, context, count);
    expect(textOf(card)[0]).toBe('✋ Bid of 14.56 SUI ($50.96) for any NFT of Sui Rocks');
    expect(card.imageUrl).toBe(context.collection.imageUrl);
  });

  test('a card spells marketplaces as they spell themselves', () => {
    expect(cardLines(1, { marketName: 'keepsake' })).toContain('On Keepsake');
    expect(cardLines(1, { marketName: 'TRADEPORT' })).toContain('On TradePort');
  });

  test('a card leaves out unknown facts', () => {
    const bare = { ...noNft, nftObjectId: someAddress(5) };
    const unknown = { priceMist: null, buyer: null, seller: null, marketName: null, transactionDigest: null };
    expect(cardLines(1, { ...bare, ...unknown })).toEqual(['💰 NFT 0x0000…0005 sold', 'NFT']);
    expect(cardLines(1, { kind: 'mint', priceMist: 0n })[0]).toBe('🪨 Sui Rock #1 minted for free');
  });

  test('a price in another coin is shown in that coin, never converted', () => {
    const coinType = `${someAddress(0xdba)}::usdc::USDC`;
    const lines = cardLines(1, { priceMist: null, foreignCoinType: coinType, foreignRawAmount: '25000000' });
    expect(lines[0]).toBe('💰 Sui Rock #1 sold for 25000000 (raw amount) of 0x0000…0dba::usdc::USDC');
    expect(lines.join()).not.toMatch(/floor|\$/);
  });

  test('links to transaction, piece and wallets lead to the explorer', () =>
    expect(readTelegramHtml(eventCard(someEvent(1), context, count).html).links).toEqual([
      `${context.explorerUrl}/account/${someAddress(0x52d0)}`,
      `${context.explorerUrl}/account/${someAddress(0xc41e)}`,
      `${context.explorerUrl}/tx/${someDigest(1)}`,
      `${context.explorerUrl}/object/${someAddress(1001)}`,
    ]));
});

test('a sample is the latest real sale and says that it is a sample', () => {
  expect(textOf(sampleCard(someEvent(87), context)).slice(0, 2)).toEqual([
    'This is a sample: the latest real sale.',
    '💰 Sui Rock #87 sold for 14.56 SUI ($50.96)',
  ]);
  expect(textOf(sampleCard(null, context))[0]).toMatch(/^This is a test: .*No sale of Sui Rocks is known yet/);
});
