import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Setting, settingNames, type Settings } from '../../configs/settings.ts';
import { type BotAction, encodeAction, parseAction } from './callback-data.ts';
import { setupKeyOf } from './setup-texts.ts';

const minute = fc.integer({ min: 0, max: 1439 });
const setupKey = fc.string({ maxLength: 200 }).map((slug) => setupKeyOf({ slug }));
const is = <Word extends string>(...words: readonly Word[]) => fc.constantFrom(...words);
/** By setting, so that the compiler asks for the values of a new one. */
const values: { readonly [S in Setting]: fc.Arbitrary<Settings[S]> } = {
  trackMint: fc.boolean(),
  trackSales: fc.boolean(),
  trackListings: fc.boolean(),
  trackBids: fc.boolean(),
  minPriceMist: fc.option(fc.bigInt({ min: 0n, max: 10n ** 19n - 1n })),
  listingsAtFloorOnly: fc.boolean(),
  quietHours: fc.option(fc.record({ fromMinute: minute, toMinute: minute })),
  recapMinute: fc.option(minute),
  timeZone: is('UTC', 'Etc/GMT-2', ...Intl.supportedValuesOf('timeZone')),
};
const anyAction = fc.oneof(
  ...settingNames.map((name) => fc.tuple(is('set'), is(name), values[name] as fc.Arbitrary<Settings[Setting]>)),
  fc.tuple(is('menu'), is('main', 'closed', ...settingNames)),
  fc.tuple(is('use-supply'), setupKey, fc.integer({ min: 1, max: 1_000_000_000 })),
  fc.tuple(is('enter-supply', 'cancel-setup'), setupKey),
  fc.tuple(is('remove'), fc.bigInt(1n, 10n ** 18n - 1n).map(String), fc.boolean()),
) as fc.Arbitrary<BotAction>;

describe('the data of a button', () => {
  test('takes at most 64 bytes (Bot API) and is read back unchanged', () =>
    fc.assert(
      fc.property(anyAction, (action) => {
        const data = encodeAction(action);
        expect(data).toMatch(/^[\x20-\x7e]{1,64}$/);
        expect(parseAction(data)).toEqual(action);
      }),
    ));

  test.each([
    '',
    'null',
    '{"0":"menu","1":"main"}',
    '["menu"]',
    '["menu","admin"]',
    '["menu","main","more"]',
    '["set","trackMint"]',
    '["set","trackMint",1]',
    '["set","trackBurns",true]',
    '["set","version",true]',
    '["set","__proto__",true]',
    '["set","minPriceMist","-1"]',
    '["set","minPriceMist","1e9"]',
    '["set","minPriceMist",5]',
    '["set","minPriceMist","99999999999999999999"]',
    '["set","quietHours",{"fromMinute":0}]',
    '["set","quietHours",{"fromMinute":0,"toMinute":1440}]',
    '["set","quietHours",{"fromMinute":0,"toMinute":1,"x":1}]',
    '["set","timeZone","Europe/Atlantis"]',
    '["set","timeZone","berlin"]',
    '["set","timeZone","europe/berlin"]',
    '["set","recapMinute",-1]',
    '["use-supply","0123abcd",0]',
    '["use-supply","0123abcd",1000000001]',
    '["enter-supply"]',
    '["enter-supply","0123ABCD"]',
    '["remove","1"]',
    '["remove","0",true]',
    '["toString"]',
  ])('is refused if it is %j', (data) => expect(parseAction(data)).toBeNull());

  test.each(['1:track:mint:yes', '1:menu:tracking', '1:use-supply:555:0123abcd', '1:remove:yes:7', '1:replace:yes'])(
    'is refused if it is %j, from an earlier version',
    (data) => expect(parseAction(data)).toBeNull(),
  );

  test('is refused without an error if it is anything else', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.json({ maxDepth: 2 })), (data) => {
        expect(parseAction(data)).toBeNull();
      }),
    ));
});
