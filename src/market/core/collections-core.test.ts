import { describe, expect, test } from 'vitest';

import type { MarketCollection } from '../../sources/tradeport/rows.ts';
import { countHoldings, countsAsNft, type DirectObject, mayBeNft } from './held-types.ts';
import { factsOf, matchListings, slugsOf } from './market-facts.ts';
import { collectionNoscriptHtml, describeOwnCollection, marketAnsweredAt, rocksRefreshMs } from './own-collection.ts';

const address = (digit: string): string => `0x${digit.repeat(64)}`;
const system = `0x${'2'.padStart(64, '0')}`;
const rock = `${address('a')}::rocks::Nft`;
const capType = `${address('c')}::personal_kiosk::Permit`;

const object = (changes: Partial<DirectObject>): DirectObject => ({
  objectId: address('1'),
  objectType: rock,
  display: { name: 'Rock #1', imageUrl: null },
  ...changes,
});

describe('what counts as an NFT among directly owned objects', () => {
  test.each([
    ['an object with a name', true, object({})],
    [
      'an object with only an image',
      true,
      object({ display: { name: null, imageUrl: 'https://rocks.example/1.png' } }),
    ],
    ['an object without a Display', false, object({ display: null })],
    ['an object with an empty Display', false, object({ display: { name: null, imageUrl: null } })],
    ['a coin', false, object({ objectType: `${system}::coin::Coin<${rock}>` })],
    ['staked SUI', false, object({ objectType: `0x${'3'.padStart(64, '0')}::staking_pool::StakedSui` })],
    ['a package', false, object({ objectType: 'package' })],
    ['a SuiNS name', false, object({ objectType: `${address('d')}::suins_registration::SuinsRegistration` })],
    [
      'a SuiNS subname',
      false,
      object({ objectType: `${address('d')}::subdomain_registration::SubDomainRegistration` }),
    ],
    ['another type of the SuiNS module', true, object({ objectType: `${address('d')}::suins_registration::Rock` })],
    ['a type named like a cap', false, object({ objectType: `${address('d')}::pool::AdminCap` })],
    ['a configured cap', false, object({ objectType: capType })],
    ['a type that only ends like a cap', true, object({ objectType: `${address('d')}::hats::RedCAP` })],
  ])('%s: %s', (_name, counts, candidate) => {
    expect(countsAsNft(candidate, [capType])).toBe(counts);
  });

  test('an object in a kiosk counts without a Display, but a coin there is no NFT', () => {
    expect(mayBeNft(rock)).toBe(true);
    expect(mayBeNft(`${system}::coin::Coin<${rock}>`)).toBe(false);
  });
});

describe('holdings', () => {
  const item = (digit: string, isListed = false) => ({
    objectId: address(digit),
    objectType: rock,
    isListed,
  });

  test('count the wallet and all kiosks, listed or not', () => {
    const held = countHoldings([object({})], [[item('2'), item('3', true)], [item('4')]], []);
    expect(held).toEqual([{ collectionType: rock, count: 4, kioskCount: 3, listedCount: 1 }]);
  });

  test('count each NFT once, wherever it was seen while it moved', () => {
    const held = countHoldings([object({})], [[item('1', true)], [item('1', true)]], []);
    expect(held).toEqual([{ collectionType: rock, count: 1, kioskCount: 1, listedCount: 1 }]);
  });

  test('list each collection separately, in a stable order', () => {
    const bat = `${address('9')}::bat::Bat`;
    const bats = [{ ...item('5'), objectType: bat }];
    const types = (kiosks: Parameters<typeof countHoldings>[1]) =>
      countHoldings([], kiosks, []).map(({ collectionType }) => collectionType);
    expect(types([bats, [item('2')]])).toEqual([bat, rock]);
    expect(types([[item('2')], bats])).toEqual([bat, rock]);
  });
});

const listing = (changes: Partial<MarketCollection>): MarketCollection => ({
  marketId: 'm1',
  slug: rock,
  name: 'Rocks',
  imageUrl: null,
  isVerified: true,
  floorMist: 10n,
  mintedCount: 400,
  ownerCount: 100,
  ...changes,
});

describe('which marketplace collection is about which type', () => {
  test('a type is looked up in every spelling that a marketplace may use', () => {
    expect(slugsOf(`${system}::a::B<${system}::c::D, ${rock}>`)).toEqual(
      expect.arrayContaining([`${system}::a::B`, '0x2::a::B', system, `${system}::a::B<${system}::c::D,${rock}>`]),
    );
  });

  test('a slug matches in any spelling', () => {
    const slug = rock.replace(/^0xa+/, (hex) => hex.toUpperCase().replace('0X', '0x'));
    expect(matchListings([rock], [listing({ slug })]).get(rock)?.marketId).toBe('m1');
  });

  test('a package stands for a type only if no other requested type belongs to it', () => {
    const other = `${address('a')}::rocks::Pebble`;
    const listings = [listing({ slug: address('a') })];
    expect(matchListings([rock], listings).has(rock)).toBe(true);
    expect(matchListings([rock, other], listings).size).toBe(0);
  });

  test('a fake collection of the same type loses to the verified one', () => {
    const listings = [listing({ marketId: 'fake', isVerified: false, floorMist: 10n ** 15n }), listing({})];
    expect(matchListings([rock], listings).get(rock)?.marketId).toBe('m1');
  });

  test('an unverified collection is found if there is no verified one', () => {
    const listings = [listing({ isVerified: false })];
    expect(matchListings([rock], listings).get(rock)?.marketId).toBe('m1');
  });
});

describe('market facts', () => {
  const asOf = new Date('2026-11-20T10:00:00Z');
  const bid = (priceMist: bigint, expiresAt: Date | null = null) => ({ marketId: 'm1', priceMist, expiresAt });
  const factOf = (changes: Partial<MarketCollection>, bids: readonly ReturnType<typeof bid>[] = []) =>
    factsOf(new Map([[rock, listing(changes)]]), bids, asOf)[0];

  test('the best bid is the highest active, unexpired collection bid', () => {
    const bids = [bid(5n), bid(9n, asOf), bid(7n, new Date(asOf.getTime() + 1)), { ...bid(99n), marketId: 'm2' }];
    expect(factOf({}, bids)?.bestBidMist).toBe(7n);
    expect(factOf({}, [])?.bestBidMist).toBeNull();
  });

  test('the floor and bids of an unverified collection do not count', () => {
    expect(factOf({ isVerified: false }, [bid(5n)])).toMatchObject({ floorMist: null, bestBidMist: null });
  });

  test('a collection without a title is named by its type', () => {
    expect(factOf({ name: null })?.name).toBe('Nft (0xaaaa…aaaa)');
  });
});

describe("the product's own collection", () => {
  const asOf = new Date('2026-11-20T10:00:00Z');
  const rocks = { minted: 412, listed: 38, floorMist: 12_500_000_000n, holders: 200, asOf };
  const at = (ageMs: number): Date => new Date(asOf.getTime() + ageMs);
  const describedAt = (ageMs: number) => describeOwnCollection(rock, rocks, 'Rocks', at(ageMs));

  test('is live until twice its refresh interval, then stale with the same figures', () => {
    const figures = { mintedCount: 412, floorSui: 12.5, listedCount: 38, holderCount: 200, maxSupply: 555 };
    expect(describedAt(1_199_999)).toMatchObject({ state: 'live', ...figures });
    expect(describedAt(1_200_000)).toMatchObject({ state: 'stale', ...figures });
  });

  test('is unavailable, with every fact null, if no rocks have been read yet', () => {
    expect(describeOwnCollection(rock, null, null, asOf)).toMatchObject({
      state: 'unavailable',
      source: 'none',
      name: null,
      mintedCount: null,
      floorSui: null,
      listedCount: null,
      holderCount: null,
      asOf: null,
    });
  });

  test('is plain text without scripts: known facts only, escaped, with their time', () => {
    const data = describedAt(0);
    expect(collectionNoscriptHtml({ ...data, source: '<i>', listedCount: null, holderCount: null })).toBe(
      '<p>412 of 555 minted, floor 12.5 SUI (live, as of 2026-11-20 10:00 UTC, source: &lt;i&gt;)</p>',
    );
    expect(collectionNoscriptHtml(describeOwnCollection(rock, null, null, asOf))).toBe('');
  });
});

describe('when the marketplace last answered about our own collection', () => {
  const now = new Date('2026-11-26T12:00:00Z');
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const polled = { name: 'Sui Rocks', lastSucceededAt: ago(60_000), failureReason: null };

  test.each([
    ['is now while polls succeed', polled, null, now],
    ['is the last poll that succeeded during an outage', { ...polled, failureReason: 'timeout' }, null, ago(60_000)],
    [
      'is now if it says that it does not know the collection',
      { ...polled, failureReason: 'collection-unknown' },
      null,
      now,
    ],
    ['is now if only our own storing fails', { ...polled, failureReason: 'internal-error' }, null, now],
    ['is never before the first poll succeeded', { ...polled, lastSucceededAt: null }, ago(60_000), null],
    ['is now without polls, if rocks were read lately', null, ago(2 * rocksRefreshMs - 1), now],
    ['is the last reading without polls, if that is stale', null, ago(2 * rocksRefreshMs), ago(2 * rocksRefreshMs)],
    ['is never without polls and readings', null, null, null],
  ])('%s', (_rule, watched, rocksAsOf, answeredAt) => {
    expect(marketAnsweredAt(watched, rocksAsOf, now)).toEqual(answeredAt);
  });
});
