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
import { decodeReading, encodeReading } from './reading.ts';
import { valueTreasury } from './valuation.ts';

describe('the stored form', () => {
  const reading = readingOf(
    [sui, [meme, 10n ** 60n, null, undefined], ['0x1::a::A', 1n, coin('0x1::a::A', 'A', 3), quote('1')]],
    {
      holdings: [held(rocks, 3), held(bats, 1)],
      market: market(fact(rocks), fact(bats, { floorMist: null, bestBidMist: null, mintedCount: null })),
      jump: { previousMicroUsd: 1n, nextMicroUsd: 5n, confirmedAt: ago(minuteMs) },
    },
  );

  test('comes back from JSON unchanged, so a restart serves exactly the same figures', () => {
    const back = decodeReading(JSON.parse(JSON.stringify(encodeReading(reading))));
    expect(back).toEqual(reading);
    if (back !== null) expect(valueTreasury(back, settings, now)).toEqual(valueTreasury(reading, settings, now));
  });

  test('of a version without staked SUI is still usable, and the staked amount is unknown', () => {
    const { stakedMist: _new, ...older } = encodeReading(reading) as Record<string, unknown>;
    expect(decodeReading(older)).toEqual({ ...reading, stakedMist: null });
  });

  test('with a coin of 200 decimals counts as none, since no amount can be calculated with it', () => {
    const older = encodeReading(readingOf([sui, [meme, 5n, coin(meme, 'MEME', 24), quote('1')]]));
    expect(decodeReading(older)).not.toBeNull();
    const text = JSON.stringify(older).replace('"decimals":24', '"decimals":200');
    expect(decodeReading(JSON.parse(text))).toBeNull();
  });

  test.each([null, {}, 'x', { version: 2 }])('%j is not a reading', (stored) => {
    expect(decodeReading(stored)).toBeNull();
  });
});
