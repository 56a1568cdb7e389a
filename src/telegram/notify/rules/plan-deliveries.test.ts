import { describe, expect, test } from 'vitest';
import {
  minutesAgo,
  mist,
  someAddress,
  someCollection,
  someEvent,
  someNft,
  noNft,
} from '../../../../tests/support/activity-events.ts';
import { inWords, listing, planOf, reasons, series, told } from '../../../../tests/support/delivery-stories.ts';
import type { ActivityEvent } from '../../../market/contract.ts';

describe('Rulings R4: the four toggles', () => {
  const types = { mint: 'mint', sale: 'buy', listing: 'list', bid: 'solo-bid' } as const;
  test.each([
    ['mint', 'trackMint'],
    ['sale', 'trackSales'],
    ['listing', 'trackListings'],
    ['bid', 'trackBids'],
  ] as const)('a %s goes out when it is tracked, and only then', (kind, toggle) => {
    const event = someEvent(1, { kind, type: types[kind] });
    expect(told(planOf([event]))).toEqual([['card', [1]]]);
    expect(reasons(planOf([event], { rules: { [toggle]: false } }))).toEqual([[1, 'not-tracked']]);
  });

  test.each([
    [true, true, 1],
    [true, false, 1],
    [false, true, 1],
    [false, false, 0],
  ])(
    'an accepted bid with sales %s and bids %s is posted %d times, as a sale via bid',
    (trackSales, trackBids, times) => {
      for (const type of ['accept-bid', 'accept-collection-bid']) {
        const plan = planOf([someEvent(1, { type })], { rules: { trackSales, trackBids } });
        expect(plan.messages).toHaveLength(times);
        for (const { content } of plan.messages)
          expect(content.html).toContain('sold for <b>14.56 SUI</b> ($50.96), via bid');
      }
    },
  );

  test('an ordinary sale does not go out merely because bids are tracked', () =>
    expect(reasons(planOf([someEvent(1)], { rules: { trackSales: false } }))).toEqual([[1, 'not-tracked']]));
});

describe('Rulings R4: options of a chat', () => {
  test('events below the minimum price are dropped; events with an unknown price are posted', () => {
    const events = [
      someEvent(1, { priceMist: mist(9.99) }),
      someEvent(2, { priceMist: mist(10) }),
      someEvent(3, { priceMist: null }),
    ];
    const plan = planOf(events, { rules: { minPriceMist: mist(10) } });
    expect(reasons(plan)).toEqual([[1, 'below-minimum']]);
    expect(told(plan)).toEqual([
      ['card', [2]],
      ['card', [3]],
    ]);
  });

  test.each([
    [13, 13, 13, true],
    [12, 13, 12, true],
    [12.5, 13, 12, true],
    [13.01, 13, 13, false],
    [14, 13, 15, true],
    [14, null, null, true],
    [14, null, 13, false],
  ])(
    'only listings at or under the floor: %d with the floor at %s, then %s: posted %s',
    (price, before, after, isPosted) => {
      const plan = planOf([listing(1, { priceMist: mist(price) })], {
        rules: { listingsAtFloorOnly: true },
        batch: {
          floorBeforeMist: before === null ? null : mist(before),
          collection: someCollection({ floorMist: after === null ? null : mist(after) }),
        },
      });
      expect(plan.messages).toHaveLength(isPosted ? 1 : 0);
      if (!isPosted) expect(reasons(plan)).toEqual([[1, 'above-floor']]);
    },
  );

  test('only listings are compared with the floor', () =>
    expect(
      told(planOf([someEvent(1, { priceMist: mist(99) })], { rules: { listingsAtFloorOnly: true } })),
    ).toHaveLength(1));

  test('in quiet hours every event that would be posted is held, and nothing else', () => {
    const plan = planOf([...series(7), listing(8, { priceMist: mist(99) })], {
      rules: { quietHours: { fromMinute: 22 * 60, toMinute: 14 * 60 }, listingsAtFloorOnly: true },
    });
    expect(plan.messages).toEqual([]);
    expect(plan.heldEventIds.map(Number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(reasons(plan)).toEqual([[8, 'above-floor']]);
  });
});

describe('Rulings R4: a wallet listing over 10 NFTs in an hour is folded', () => {
  const seller = someAddress(0xabc);
  const stored = (count: number, ago: number, firstId = 100): ActivityEvent[] =>
    Array.from({ length: count }, (_, index) => listing(firstId + index, { seller, happenedAt: minutesAgo(ago) }));

  test('the eleventh listing is folded; the listings of others and its own sales are not', () => {
    const events = [listing(1, { seller }), listing(2), someEvent(3, { seller })];
    const plan = planOf(events, { batch: { earlierListings: stored(10, 30) } });
    expect(told(plan)).toEqual([
      ['folded', [1]],
      ['card', [2]],
      ['card', [3]],
    ]);
    expect(plan.messages.find(({ kind }) => kind === 'folded')?.content).toMatchObject({ isSilent: true });
  });

  test.each([
    ['ten NFTs', stored(9, 30)],
    ['eleven NFTs in more than an hour', stored(10, 61.5)],
    ['ten NFTs after ten listed twice over an hour ago', [...stored(10, 95), ...stored(10, 85), ...stored(9, 20, 200)]],
    ['the same two again and again', stored(12, 50).map((event, index) => ({ ...event, ...someNft(index % 2) }))],
  ])('%s are not folded', (_what, earlierListings) =>
    expect(told(planOf([listing(1, { seller })], { batch: { earlierListings } }))).toEqual([['card', [1]]]),
  );

  test('the card of a wallet covers the whole hour: each NFT once, at its newest price', () => {
    const earlierListings = [
      ...stored(1, 61.5, 90).map((event) => ({ ...event, priceMist: mist(1) })),
      ...stored(1, 40, 100).map((event) => ({ ...event, priceMist: mist(2) })),
      ...stored(10, 30),
    ];
    const plan = planOf([listing(1, { seller, priceMist: mist(20) })], { batch: { earlierListings } });
    expect(plan.messages[0]?.content.html).toContain(
      '<b>Sui Rocks, one wallet within an hour: 11 listings at 13 to 20 SUI, ',
    );
    expect(plan.messages[0]?.content.html).toContain('Newest: <b>Sui Rock #1</b> for <b>20 SUI</b>');
  });

  test('a listing that arrives late is counted in its own hour', () => {
    const late = listing(1, { seller, happenedAt: minutesAgo(95) });
    expect(told(planOf([late], { batch: { earlierListings: stored(10, 5) } }))).toEqual([['card', [1]]]);
  });

  test('NFTs that the marketplace does not name count as different ones', () => {
    const earlierListings = stored(10, 30).map((event) => ({ ...event, ...noNft }));
    const plan = planOf([listing(1, { seller, ...noNft })], { batch: { earlierListings } });
    expect(told(plan)).toEqual([['folded', [1]]]);
  });

  test('several busy wallets have a card each', () => {
    const events = [
      ...series(11, { kind: 'listing', seller }),
      ...series(11, { kind: 'listing', seller: someAddress(7) }, 50),
    ];
    const plan = planOf(events);
    expect(told(plan).map(([kind, ids]) => [kind, ids.length])).toEqual([
      ['folded', 11],
      ['folded', 11],
    ]);
    expect(new Set(plan.messages.map(({ runningKey }) => runningKey)).size).toBe(2);
  });
});

describe('Rulings R4: more than 5 events of one kind in one poll become one folded card', () => {
  test('five stay single, six are folded', () => {
    expect(told(planOf(series(5)))).toHaveLength(5);
    expect(told(planOf(series(6)))).toEqual([['folded', [1, 2, 3, 4, 5, 6]]]);
  });

  test('the folded card shows count, total, average and the new floor', () => {
    const sales = series(6).map((sale, index) => ({ ...sale, priceMist: mist(index % 2 === 0 ? 15 : 13) }));
    const plan = planOf(sales, {
      batch: { collection: someCollection({ floorMist: mist(15) }) },
    });
    const html = plan.messages[0]?.content.html ?? '';
    expect(html.split('\n')[0]).toBe('💰 <b>Sui Rocks: 6 sales for 84 SUI ($294.00), 14 SUI on average</b>');
    expect(html).toContain('Floor 13 SUI, now 15 SUI');
  });

  test('each kind has its own folded card, the others stay single', () => {
    const plan = planOf([...series(6), ...series(7, { kind: 'mint' }, 20), ...series(2, { kind: 'bid' }, 40)]);
    expect(plan.messages.map(({ kind, eventIds }) => `${kind} of ${eventIds.length}`).toSorted(inWords)).toEqual([
      'card of 1',
      'card of 1',
      'folded of 6',
      'folded of 7',
    ]);
  });

  test('the mint count goes up in the order in which mints happened, whether they are posted or not', () => {
    const mints = series(3, { kind: 'mint', type: 'mint' });
    const plan = planOf([mints[2]!, mints[0]!, { ...mints[1]!, priceMist: 1n }], { rules: { minPriceMist: mist(1) } });
    expect(plan.messages.map(({ content }) => /\d+ \/ 555/.exec(content.html)?.[0])).toEqual([
      '401 / 555',
      '403 / 555',
    ]);
    const afterSales = planOf([...series(2), ...series(1, { kind: 'mint', type: 'mint' }, 9)]);
    expect(afterSales.messages.at(-1)?.content.html).toContain('401 / 555');
    const folded = planOf(series(6, { kind: 'mint' }));
    expect(folded.messages[0]?.content.html).toContain('406 / 555 minted');
  });
});
