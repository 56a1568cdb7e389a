import { describe, expect, test } from 'vitest';
import {
  ago,
  bats,
  fact,
  held,
  market,
  meme,
  minuteMs,
  now,
  quote,
  readingOf,
  rocks,
  settings,
  sui,
  coin,
} from '../../../tests/support/treasury-reading.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { decodeReading, encodeReading } from './reading-codec.ts';
import { carryJump, carryPrices } from './reading.ts';
import { valueTreasury } from './valuation.ts';

const hourMs = 60 * minuteMs;
const last = new Map([[meme, { quote: quote('3'), readAt: ago(hourMs) }]]);

describe('last good prices', () => {
  test('an outage keeps every one, however old', () => {
    const old = new Map([[meme, { quote: quote('3'), readAt: ago(1_000 * hourMs) }]]);
    expect(carryPrices(old, null, [meme], now)).toEqual(old);
  });

  test('a gap in an answer keeps one for a day, with the time it was read, then the coin is unpriced', () => {
    expect(carryPrices(last, new Map(), [meme], now)).toEqual(last);
    const dayOld = new Map([[meme, { quote: quote('3'), readAt: ago(24 * hourMs) }]]);
    expect(carryPrices(dayOld, new Map(), [meme], now).size).toBe(0);
  });

  test('a new quote replaces it, also a doubtful one', () => {
    const doubtful = quote('9', { confidence: 0.1 });
    expect(carryPrices(last, new Map([[meme, doubtful]]), [meme], now).get(meme)).toEqual({
      quote: doubtful,
      readAt: now,
    });
  });

  test('what is no longer held is forgotten', () => {
    expect(carryPrices(last, new Map(), [suiCoinType], now).size).toBe(0);
  });
});

describe('the stored form', () => {
  const reading = readingOf(
    [sui, [meme, 10n ** 60n, null, undefined], ['0x1::a::A', 1n, coin('0x1::a::A', 'A', 3), quote('1')]],
    {
      holdings: [held(rocks, 3), held(bats, 1)],
      market: market(fact(rocks), fact(bats, { floorMist: null, bestBidMist: null, mintedCount: null })),
      jump: { previousMicroUsd: 1n, nextMicroUsd: 5n, confirmedAt: ago(minuteMs) },
    },
  );

  test('comes back from JSON as it was, so a restart serves exactly the same figures', () => {
    const back = decodeReading(JSON.parse(JSON.stringify(encodeReading(reading))));
    expect(back).toEqual(reading);
    if (back !== null) expect(valueTreasury(back, settings, now)).toEqual(valueTreasury(reading, settings, now));
  });

  test.each([null, {}, 'x', { version: 2 }])('%j is no reading', (stored) => {
    expect(decodeReading(stored)).toBeNull();
  });
});

test('a confirmed jump stays flagged for a day', () => {
  const jump = { previousMicroUsd: 1n, nextMicroUsd: 5n, confirmedAt: ago(23 * hourMs) };
  expect(carryJump(jump, now)).toBe(jump);
  expect(carryJump({ ...jump, confirmedAt: ago(24 * hourMs) }, now)).toBeNull();
});
