import { describe, expect, test } from 'vitest';
import { minutesAgo, mist, someAddress, someNft, noNft, nftOf } from '../../../../tests/support/activity-events.ts';
import { listing, planOf, reasons, told } from '../../../../tests/support/delivery-stories.ts';
import type { ActivityEvent } from '../../../market/contract.ts';

describe('Rulings R4: a relist of one NFT (dropped within 30 minutes at a price within 5 %)', () => {
  const first = listing(1, { happenedAt: minutesAgo(31), priceMist: mist(100) });
  test.each([
    ['is dropped at the same price', 10, 100, true],
    ['is dropped when 5 % higher', 10, 105, true],
    ['is dropped when 5 % lower', 10, 95, true],
    ['is posted when more than 5 % higher', 10, 105.001, false],
    ['is posted when more than 5 % lower', 10, 94.999, false],
    ['is dropped after exactly 30 minutes', 1, 100, true],
    ['is posted after more than 30 minutes', 0.9, 100, false],
  ])('%s', (_what, ago, price, isDropped) => {
    const again = listing(2, {
      ...nftOf(first),
      seller: first.seller,
      happenedAt: minutesAgo(ago),
      priceMist: mist(price),
    });
    const expected = isDropped ? [[2, 'relist']] : [];
    expect(reasons(planOf([again], { batch: { earlierListings: [first] } }))).toEqual(expected);
    expect(reasons(planOf([first, again]))).toEqual(expected);
  });

  test('is compared with the price last posted, not with the one before: a creeping price is posted again', () => {
    const creep = [100, 96, 92, 88.5, 85, 81.6].map((price, index) =>
      listing(index + 1, {
        ...nftOf(first),
        seller: first.seller,
        happenedAt: minutesAgo(28 - index),
        priceMist: mist(price),
      }),
    );
    expect(reasons(planOf(creep))).toEqual([2, 4, 6].map((id) => [id, 'relist']));
    // One per poll: only what was posted to this group counts, however long the price creeps.
    const posted = new Set<bigint>();
    creep.forEach((event, index) => {
      const plan = planOf([event], { batch: { earlierListings: creep.slice(0, index) }, postedListingIds: posted });
      if (plan.messages.length > 0) posted.add(event.id);
    });
    expect([...posted]).toEqual([1n, 3n, 5n]);
  });

  test('is not compared with a listing that was not posted to this group', () => {
    const high = listing(1, { happenedAt: minutesAgo(20), priceMist: mist(13.4) });
    const atFloor = listing(2, { ...nftOf(high), seller: high.seller, priceMist: mist(13) });
    const plan = planOf([high, atFloor], { rules: { listingsAtFloorOnly: true } });
    expect(told(plan)).toEqual([['card', [2]]]);
  });

  test('in the same poll makes one card, at the newest price', () => {
    const again = listing(2, { ...nftOf(first), seller: first.seller, priceMist: mist(50) });
    const plan = planOf([{ ...first, happenedAt: minutesAgo(2) }, again]);
    expect(told(plan)).toEqual([['card', [1, 2]]]);
    expect(plan.messages[0]?.content.html).toContain('50 SUI');
  });

  test('is posted each time when two distant prices alternate', () => {
    const at = (id: number, ago: number, price: number): ActivityEvent =>
      listing(id, { ...nftOf(first), seller: first.seller, happenedAt: minutesAgo(ago), priceMist: mist(price) });
    const plan = planOf([at(1, 30, 100), at(2, 20, 50), at(3, 10, 100)]);
    expect(plan.dropped).toEqual([]);
  });

  test('is never a listing of another NFT, by another seller or at an unknown price', () => {
    const near = { happenedAt: minutesAgo(20), priceMist: first.priceMist, ...nftOf(first), seller: first.seller };
    for (const given of [{ ...someNft(2) }, { seller: someAddress(0xbb) }, { priceMist: null }, { ...noNft }]) {
      const plan = planOf([listing(2, { ...near, ...given })], { batch: { earlierListings: [first] } });
      expect(plan.dropped).toEqual([]);
    }
  });
});
