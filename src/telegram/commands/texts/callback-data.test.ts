import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type BotAction, encodeAction, parseAction } from './callback-data.ts';
import { setupKeyOf } from './setup-texts.ts';

const minute = fc.integer({ min: 0, max: 1439 });
const ofSetup = { setupKey: fc.string({ maxLength: 200 }).map((slug) => setupKeyOf({ slug })) };
const anyAction: fc.Arbitrary<BotAction> = fc.oneof(
  fc.record({
    kind: fc.constant('track' as const),
    event: fc.constantFrom('mint' as const, 'sale' as const, 'listing' as const, 'bid' as const),
    isOn: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('floor-only' as const), isOn: fc.boolean() }),
  fc.record({
    kind: fc.constant('minimum-price' as const),
    mist: fc.option(fc.bigInt({ min: 0n, max: 10n ** 19n - 1n })),
  }),
  fc.record({
    kind: fc.constant('quiet-hours' as const),
    hours: fc.option(fc.record({ fromMinute: minute, toMinute: minute })),
  }),
  fc.record({
    kind: fc.constant('time-zone' as const),
    zone: fc.constantFrom('UTC', 'Etc/GMT-2', ...Intl.supportedValuesOf('timeZone')),
  }),
  fc.record({ kind: fc.constant('daily-recap' as const), minute: fc.option(minute) }),
  fc.record({
    kind: fc.constant('menu' as const),
    menu: fc.constantFrom(
      'tracking' as const,
      'minimum-price' as const,
      'quiet-hours' as const,
      'time-zone' as const,
      'daily-recap' as const,
      'closed' as const,
    ),
  }),
  fc.record(
    { kind: fc.constant('use-supply' as const), supply: fc.integer({ min: 1, max: 1_000_000_000 }), ...ofSetup },
    { requiredKeys: ['kind', 'supply'] },
  ),
  fc.record(
    { kind: fc.constantFrom('enter-supply' as const, 'cancel-setup' as const), ...ofSetup },
    { requiredKeys: ['kind'] },
  ),
  fc.record(
    { kind: fc.constant('replace' as const), isYes: fc.boolean(), ...ofSetup },
    { requiredKeys: ['kind', 'isYes'] },
  ),
  fc.record({
    kind: fc.constant('remove' as const),
    isYes: fc.boolean(),
    configurationId: fc.bigInt(1n, 2n ** 62n).map(String),
  }),
);

describe('What a button says', () => {
  test('comes back as it was, in at most 64 bytes (Bot API)', () =>
    fc.assert(
      fc.property(anyAction, (action) => {
        const data = encodeAction(action);
        expect(data).toMatch(/^[\x20-\x7e]{1,64}$/);
        expect(parseAction(data)).toEqual(action);
      }),
    ));

  test.each([
    '',
    'track:mint:yes',
    '2:track:mint:yes',
    '1:track:mint',
    '1:track:mint:maybe',
    '1:track:burn:yes',
    '1:track:mint:yes:more',
    '1:minimum-price:-1',
    '1:minimum-price:1e9',
    '1:minimum-price:99999999999999999999',
    '1:quiet-hours:0',
    '1:quiet-hours:0:1440',
    '1:quiet-hours:00:10',
    '1:utc-offset:60',
    '1:time-zone:Europe/Atlantis',
    '1:time-zone:berlin',
    '1:daily-recap:-1',
    '1:use-supply:0',
    '1:use-supply:1000000001',
    '1:remove',
    '1:remove:yes',
    '1:remove:yes:0',
    '1:toString',
    '1:__proto__:x',
    '1:menu:admin',
  ])('%j is none of ours', (data) => expect(parseAction(data)).toBeNull());

  test('anything else is refused without an error', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (data) => {
        const action = parseAction(data);
        if (action !== null) expect(encodeAction(action)).toBe(data);
      }),
    ));
});
