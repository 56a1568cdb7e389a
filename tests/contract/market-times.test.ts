import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { utcTime } from '../../src/sources/tradeport/rows.ts';

describe("the marketplace's times are UTC in any time zone of the server", () => {
  const zone = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = 'Asia/Tokyo';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test.each([
    ['2026-11-20T10:00:00.123', '2026-11-20T10:00:00.123Z'],
    ['2026-11-20 10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(-540);
    expect(utcTime.parse(text).toISOString()).toBe(iso);
  });

  test.each(['', 'soon', '2026-13-40T10:00:00', '+012000-01-01T00:00:00', '-000001-01-01T00:00:00Z'])(
    '%j is not a time',
    (text) => {
      expect(utcTime.safeParse(text).success).toBe(false);
    },
  );
});
