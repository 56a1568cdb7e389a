import { describe, expect, test } from 'vitest';
import { minutesAgo, mist, someAddress, someNft } from '../../../../tests/support/activity-events.ts';
import { listing, planOf, reasons, told } from '../../../../tests/support/delivery-stories.ts';
import type { ActivityEvent } from '../../../market/contract.ts';

describe('Rulings R4: a relist of one NFT within 30 minutes at a price within 5 % is dropped', () => {
  const first = listing(1, { happenedAt: minutesAgo(31), priceMist: mist(100) });
  test.each([
    ['at the same price', 10, 100, true],
    ['5 % higher', 10, 105, true],
    ['5 % lower', 10, 95, true],
    ['more than 5 % higher', 10, 105.001, false],
    ['more than 5 % lower', 10, 94.999, false],
    ['after exactly 30 minutes', 1, 100, true],
    ['after more than 30 minutes', 0.9, 100, false],
  ])('%s', (_what, ago, price, isDropped) => {
    const again = listing(2, {
      nft: first.nft,
      seller: first.seller,
      happenedAt: minutesAgo(ago),
      priceMist: mist(price),
    });
    const expected = isDropped ? [[2, 'relist']] : [];
    expect(reasons(planOf([again], { batch: { earlierListings: [first] } }))).toEqual(expected);
    expect(reasons(planOf([first, again]))).toEqual(expected);
  });

  test('what counts is the price last posted, not the one before: a price that creeps is posted again', () => {
    const creep = [100, 96, 92, 88.5, 85, 81.6].map((price, index) =>
      listing(index + 1, {
        nft: first.nft,
        seller: first.seller,
        happenedAt: minutesAgo(28 - index),
        priceMist: mist(price),
      }),
    );
    expect(reasons(planOf(creep))).toEqual([2, 4, 6].map((id) => [id, 'relist']));
    // One a poll: what this group was told of decides, however long the creeping lasts.
    const posted = new Set<bigint>();
    creep.forEach((event, index) => {
      const plan = planOf([event], { batch: { earlierListings: creep.slice(0, index) }, postedListingIds: posted });
      if (plan.messages.length > 0) posted.add(event.id);
    });
    expect([...posted]).toEqual([1n, 3n, 5n]);
  });

  test('what this group was not told of is nothing to be compared with', () => {
    const high = listing(1, { happenedAt: minutesAgo(20), priceMist: mist(13.4) });
    const atFloor = listing(2, { nft: high.nft, seller: high.seller, priceMist: mist(13) });
    const plan = planOf([high, atFloor], { rules: { listingsAtFloorOnly: true } });
    expect(told(plan)).toEqual([['card', [2]]]);
  });

  test('one NFT listed again in the same poll is one card, at its newest price', () => {
    const again = listing(2, { nft: first.nft, seller: first.seller, priceMist: mist(50) });
    const plan = planOf([{ ...first, happenedAt: minutesAgo(2) }, again]);
    expect(told(plan)).toEqual([['card', [1, 2]]]);
    expect(plan.messages[0]?.content.html).toContain('50 SUI');
  });

  test('two prices in turn, far from each other, are both posted', () => {
    const at = (id: number, ago: number, price: number): ActivityEvent =>
      listing(id, { nft: first.nft, seller: first.seller, happenedAt: minutesAgo(ago), priceMist: mist(price) });
    const plan = planOf([at(1, 30, 100), at(2, 20, 50), at(3, 10, 100)]);
    expect(plan.dropped).toEqual([]);
  });

  test('another NFT, another seller, or no known price is no repetition', () => {
    const near = { happenedAt: minutesAgo(20), priceMist: first.priceMist, nft: first.nft, seller: first.seller };
    for (const given of [{ nft: someNft(2) }, { seller: someAddress(0xbb) }, { priceMist: null }, { nft: null }]) {
      const plan = planOf([listing(2, { ...near, ...given })], { batch: { earlierListings: [first] } });
      expect(plan.dropped).toEqual([]);
    }
  });
});
