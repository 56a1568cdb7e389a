import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byValue,
  hourMs,
  minutesAgo,
  mist,
  someAddress,
  someCollection,
  someEvent,
  someNft,
  storyNow,
  noNft,
} from '../../../../tests/support/activity-events.ts';
import { listing, planOf, reasons, series, told } from '../../../../tests/support/delivery-stories.ts';
import type { ActivityEvent } from '../../../market/contract.ts';

describe('Rulings R4: after downtime at most the newest 10 go one by one, the rest as one digest', () => {
  const night = (count: number): ActivityEvent[] =>
    Array.from({ length: count }, (_, index) =>
      someEvent(index + 1, {
        kind: (['sale', 'mint', 'bid', 'listing'] as const)[index % 4]!,
        happenedAt: minutesAgo(5 * (count - index)),
      }),
    );

  test('the digest comes first, then the newest 10 in the order in which they happened', () => {
    const plan = planOf(night(30), { batch: { gapMs: 3 * hourMs } });
    expect(plan.messages.map(({ kind }) => kind)).toEqual(['digest', ...Array.from({ length: 10 }, () => 'card')]);
    expect(told(plan)[0]?.[1]).toHaveLength(20);
    expect(told(plan).slice(1)).toEqual(Array.from({ length: 10 }, (_, index) => ['card', [21 + index]]));
  });

  test('while newer events are still to come, none goes out singly', () => {
    const plan = planOf(night(30), { batch: { gapMs: 3 * hourMs, hasMore: true } });
    expect(plan.messages.map(({ kind, eventIds }) => [kind, eventIds.length])).toEqual([['digest', 30]]);
  });

  test('ten go out one by one', () => {
    const plan = planOf(night(10), { batch: { gapMs: 3 * hourMs } });
    expect(plan.messages.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'card'));
  });

  test('of the newest 10, more than 5 of one kind are folded', () => {
    const plan = planOf(series(40), { batch: { gapMs: 3 * hourMs } });
    expect(plan.messages.map(({ kind, eventIds }) => [kind, eventIds.length])).toEqual([
      ['digest', 30],
      ['folded', 10],
    ]);
  });

  test('a burst without downtime is folded as a whole; of single events, all but 10 become a digest', () => {
    expect(told(planOf(series(40))).map(([kind, ids]) => [kind, ids.length])).toEqual([['folded', 40]]);
    const plan = planOf(night(16));
    expect(plan.messages.map(({ kind, eventIds }) => [kind, eventIds.length])).toEqual([
      ['digest', 6],
      ...Array.from({ length: 10 }, () => ['card', 1]),
    ]);
  });
});

test('after downtime, prices are compared with the floor of now: the last known one may be a week old', () => {
  const collection = someCollection({ floorMist: mist(10) });
  const week = { gapMs: 7 * 24 * hourMs, floorBeforeMist: mist(16), collection };
  const events = [someEvent(1, { priceMist: mist(12) }), listing(2, { priceMist: mist(10) })];
  const cards = planOf(events, { batch: week }).messages.map(({ content }) => content.html.split('\n')[1]);
  expect(cards).toEqual(['20% above floor (10 SUI)', 'At the floor (10 SUI)']);
  const aboveFloor = listing(3, { priceMist: mist(12) });
  expect(reasons(planOf([aboveFloor], { rules: { listingsAtFloorOnly: true }, batch: week }))).toEqual([
    [3, 'above-floor'],
  ]);
  expect(planOf(series(6), { batch: week }).messages[0]?.content.html).toMatch(/\nFloor 10 SUI$/);
});

describe('Rulings R4: stale events (over 6 h) never go out singly', () => {
  const old = someEvent(1, { happenedAt: new Date(storyNow.getTime() - 6 * hourMs - 1) });

  test('they go into the digest, however few', () => {
    expect(told(planOf([old]))).toEqual([['digest', [1]]]);
    expect(told(planOf([old, someEvent(2)]))).toEqual([
      ['digest', [1]],
      ['card', [2]],
    ]);
  });

  test('exactly 6 hours are not stale', () =>
    expect(told(planOf([{ ...old, happenedAt: minutesAgo(360) }]))).toEqual([['card', [1]]]));

  test('a clock that is a day slow does not send them singly, a clock that is a day fast loses nothing', () => {
    const events = [old, someEvent(2, { happenedAt: storyNow })];
    const slow = planOf(events, { now: new Date(storyNow.getTime() - 24 * hourMs) });
    expect(told(slow)).toEqual([
      ['digest', [1]],
      ['card', [2]],
    ]);
    expect(told(planOf(events, { now: new Date(storyNow.getTime() + 24 * hourMs) }))).toEqual([['digest', [1, 2]]]);
  });
});

describe('whatever happens', () => {
  const kinds = fc.constantFrom(
    ...([
      ['mint', 'mint'],
      ['sale', 'buy'],
      ['sale', 'accept-bid'],
      ['listing', 'list'],
      ['listing', 'relist'],
      ['bid', 'collection-bid'],
    ] as const),
  );
  const anyEvent = fc.record({
    kind: kinds,
    minutes: fc.integer({ min: -100, max: 600 }),
    nft: fc.integer({ min: 0, max: 30 }),
    price: fc.option(fc.integer({ min: 0, max: 20 })),
    seller: fc.integer({ min: 1, max: 3 }),
  });
  const anyStory = fc.record({
    events: fc.array(anyEvent, { minLength: 1, maxLength: 80 }),
    earlier: fc.array(anyEvent, { maxLength: 30 }),
    rules: fc.record({
      trackMint: fc.boolean(),
      trackSales: fc.boolean(),
      trackListings: fc.boolean(),
      trackBids: fc.boolean(),
      listingsAtFloorOnly: fc.boolean(),
      minPriceMist: fc.option(fc.constant(mist(5))),
      quietHours: fc.option(fc.constant({ fromMinute: 700, toMinute: 800 }), { freq: 4 }),
    }),
    gapMs: fc.constantFrom(35_000, 5 * 60_000 + 1),
  });
  type Story = typeof anyStory extends fc.Arbitrary<infer T> ? T : never;

  const eventOf = ({ kind: [kind, type], minutes, nft, price, seller }: Story['events'][number], id: number) =>
    someEvent(id, {
      kind,
      type,
      ...(nft === 0 ? noNft : someNft(nft)),
      priceMist: price === null ? null : mist(price),
      seller: someAddress(seller),
      happenedAt: minutesAgo(minutes),
    });
  const plannedStory = ({ events, earlier, rules, gapMs }: Story) => {
    const batch = events.map((event, index) => eventOf(event, index + 1));
    const earlierListings = earlier.map((event, index) => ({
      ...eventOf(event, 1000 + index),
      kind: 'listing' as const,
    }));
    return { batch, plan: planOf(batch, { rules, batch: { gapMs, earlierListings } }) };
  };

  test('every event is in exactly one message, dropped, or held', () =>
    fc.assert(
      fc.property(anyStory, (story) => {
        const { batch, plan } = plannedStory(story);
        const seen = [
          ...plan.messages.flatMap(({ eventIds }) => eventIds),
          ...plan.dropped.map(({ eventId }) => eventId),
          ...plan.heldEventIds,
        ];
        expect(seen.toSorted(byValue)).toEqual(batch.map(({ id }) => id).toSorted(byValue));
      }),
    ));

  test('there are at most 10 single cards, one folded card per kind and per busy wallet, and one digest, in order of time', () =>
    fc.assert(
      fc.property(anyStory, (story) => {
        const { plan } = plannedStory(story);
        const countOf = (kind: string): number => plan.messages.filter((message) => message.kind === kind).length;
        expect(countOf('card')).toBeLessThanOrEqual(10);
        expect(countOf('folded')).toBeLessThanOrEqual(4 + 3);
        expect(countOf('digest')).toBeLessThanOrEqual(1);
        const times = plan.messages.map(({ happenedAt }) => happenedAt.getTime());
        expect(times).toEqual(times.toSorted((one, other) => one - other));
      }),
    ));
});
