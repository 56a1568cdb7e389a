import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../ui/api/versioned-change.tsx';
import { matchingWords } from '../../../ui/searched-rows.tsx';
import {
  needsAttention,
  searchableText,
  shownChat,
  shownChatId,
  shownCollection,
  shownCollectionId,
  shownFields,
  shownProgress,
  sourceState,
  trackedKinds,
} from './telegram-words.ts';
import type { TelegramConfiguration } from './telegram-calls.ts';

const configuration = (more: Partial<TelegramConfiguration> = {}): TelegramConfiguration => ({
  id: '1',
  chatId: '-1001234567890',
  collectionName: 'Sui Rocks',
  collectionId: '0x123456789abcdef::rocks::Nft',
  hexCollectionId: null,
  maxSupply: 555,
  trackMint: true,
  trackSales: true,
  trackListings: true,
  trackBids: true,
  mintStats: { mintedCount: 480 },
  options: null,
  version: 1,
  chatTitle: 'Cave of Ogg',
  chatState: 'ok',
  trouble: null,
  purgeAt: null,
  deletedAt: null,
  source: { lastCheckedAt: null, lastSucceededAt: null, failure: null },
  lastEventAt: null,
  lastSentAt: null,
  pendingCount: 0,
  failedCount: 0,
  doubtfulCount: 0,
  ...more,
});

describe('specification 9: how ids are shown', () => {
  test('a chat id is cut to its first 12 characters, plus an ellipsis', () => {
    expect(shownChatId('-1001234567890')).toBe('-10012345678…');
    expect(shownChatId('-10012345678')).toBe('-10012345678');
  });

  test('a collection id is cut to its first 10 characters', () => {
    expect(shownCollectionId('0x123456789abcdef::rocks::Nft')).toBe('0x12345678');
  });
});

describe('specification 2: tracking badges', () => {
  test('are Mints, Sales, Listings, Bids, in this order', () => {
    expect(trackedKinds(configuration())).toEqual(['Mints', 'Sales', 'Listings', 'Bids']);
  });

  test('are shown only for kinds that are on', () => {
    expect(trackedKinds(configuration({ trackMint: false, trackListings: false }))).toEqual(['Sales', 'Bids']);
  });
});

describe('specification 4: mint progress', () => {
  test('minted / maxSupply and a rounded percentage', () => {
    expect(shownProgress(configuration())).toEqual({ counts: '480 / 555', percent: 86, isFull: false });
  });

  test('fully minted when minted >= max supply, the percentage capped at 100', () => {
    expect(shownProgress(configuration({ mintStats: { mintedCount: 600 } }))).toEqual({
      counts: '600 / 555',
      percent: 100,
      isFull: true,
    });
    expect(shownProgress(configuration({ mintStats: { mintedCount: 555 } }))?.isFull).toBe(true);
  });

  test('one mint before the end is not fully minted, though it rounds to 100', () => {
    expect(shownProgress(configuration({ maxSupply: 1000, mintStats: { mintedCount: 999 } }))).toMatchObject({
      percent: 100,
      isFull: false,
    });
  });

  test.each([null, 0])('there is none with a supply of %s', (maxSupply) => {
    expect(shownProgress(configuration({ maxSupply }))).toBeNull();
  });
});

describe('rulings R6: what needs attention', () => {
  test.each([
    ['a chat in trouble', { chatState: 'trouble' }],
    ['a chat that removed the bot', { chatState: 'removed' }],
    ['a message that failed', { failedCount: 1 }],
    ['a collection that is not read', { source: { lastCheckedAt: null, lastSucceededAt: null, failure: 'timeout' } }],
  ] as const)('%s', (_, more) => {
    expect(needsAttention(configuration(more))).toBe(true);
    expect(needsAttention(configuration())).toBe(false);
  });
});

describe('search', () => {
  const all = [
    configuration({ id: '1' }),
    configuration({ id: '2', chatTitle: 'Lava', collectionName: 'Lava Lizards', hexCollectionId: '0xFEED' }),
  ];
  const found = (search: string) => matchingWords(all, search, searchableText).map(({ id }) => id);

  test('finds by chat, collection and any id, in any case', () => {
    expect(found('OGG')).toEqual(['1']);
    expect(found('lizards')).toEqual(['2']);
    expect(found('0xfeed')).toEqual(['2']);
    expect(found('-10012345')).toEqual(['1', '2']);
  });

  test('every word must match, in any order', () => {
    expect(found('rocks cave')).toEqual(['1']);
    expect(found('ogg lava')).toEqual([]);
  });

  test('the whole text comes before its single words, as a digit occurs in nearly every id', () => {
    const groups = [3, 7].map((number) =>
      configuration({ id: String(number), chatTitle: `Group ${number}`, chatId: '-1007' }),
    );
    expect(matchingWords(groups, ' group  7 ', searchableText).map(({ id }) => id)).toEqual(['7']);
  });

  test('an empty search finds everything', () => {
    expect(found('  ')).toEqual(['1', '2']);
  });
});

describe('rulings R3: names from outside are untrusted', () => {
  test('direction tricks, line breaks and length do not reach the screen', () => {
    expect(shownCollection({ collectionName: '\u202Egnp.exe\nRocks' })).toBe('gnp.exe Rocks');
    expect(shownCollection({ collectionName: 'x'.repeat(500) })).toBe(`${'x'.repeat(59)}…`);
  });

  test('a chat without a title is named by its id', () => {
    expect(shownChat({ chatTitle: ' ', chatId: '-42' })).toBe('chat -42');
  });
});

describe('rulings R6: a stale save', () => {
  const saved = configuration({ trackListings: false, trackBids: false });

  test('shows each field that differs, with both values', () => {
    const now = { ...saved, hexCollectionId: '0xab', maxSupply: null, trackBids: true };
    expect(linesOf({ before: shownFields(saved), now: shownFields(now) })).toEqual([
      ['Hex ID', 'none became 0xab'],
      ['Max supply', '555 became none'],
      ['Tracking', 'Mints, Sales became Mints, Sales, Bids'],
    ]);
  });
});

test('the reason why a collection is not read is worded for someone who can fix it', () => {
  const source = { lastCheckedAt: null, lastSucceededAt: null, failure: 'marketplace-key-refused' };
  expect(sourceState({ source })?.text).toBe(
    'Not read yet: the marketplace refuses the key. Check MARKET_API_USER and MARKET_API_KEY and restart the product.',
  );
});
