import { z } from 'zod';

import { suiText } from '../../shared/money.ts';
import { minuteText, timeZoneOf, zoneText } from '../time-zone.ts';

const minute = z.int().min(0).max(1439);
/** Nearly the whole supply of SUI; the column holds 20 digits. */
const mist = z.codec(z.string().regex(/^\d{1,19}$/), z.bigint(), { decode: BigInt, encode: String });

interface SettingOf<Value extends z.ZodType> {
  readonly name: string;
  /** How a button sends it (Bot API: 64 bytes with everything else). */
  readonly value: Value;
  readonly text: (value: z.output<Value>) => string;
}
const setting = <Value extends z.ZodType>(
  name: string,
  value: Value,
  text: (value: z.output<Value>) => string,
): SettingOf<Value> => ({ name, value, text });

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

/**
 * What a group chooses under /tracking (rulings R4), in the order of the menu. The buttons, the menu, the audit log and the
 * admin area use these tables. Each is named as in the database, where quiet hours are two columns.
 */
const toggles = {
  trackMint: setting('Mints', z.boolean(), onOff),
  trackSales: setting('Sales', z.boolean(), onOff),
  trackListings: setting('Listings', z.boolean(), onOff),
  trackBids: setting('Bids', z.boolean(), onOff),
};
const options = {
  /** Events with a known lower price are dropped; null: no minimum. */
  minPriceMist: setting('Minimum price', mist.nullable(), (price) => (price === null ? 'none' : suiText(price))),
  listingsAtFloorOnly: setting('Only listings up to the floor', z.boolean(), onOff),
  quietHours: setting('Quiet hours', z.strictObject({ fromMinute: minute, toMinute: minute }).nullable(), (hours) =>
    hours === null ? 'off' : `${minuteText(hours.fromMinute)} to ${minuteText(hours.toMinute)}`,
  ),
  /** Minutes after midnight in the chat's own time; null: no daily recap. */
  recapMinute: setting('Daily recap', minute.nullable(), (at) => (at === null ? 'off' : `at ${minuteText(at)}`)),
  timeZone: setting(
    'Time zone',
    z.string().refine((zone) => timeZoneOf(zone) === zone),
    zoneText,
  ),
};
export const settings = { ...toggles, ...options };

type Toggle = keyof typeof toggles;
type Option = keyof typeof options;
export type Setting = keyof typeof settings;
export type Settings = { readonly [S in Setting]: z.output<(typeof settings)[S]['value']> };

type Switch = { [S in Setting]: Settings[S] extends boolean ? S : never }[Setting];
/** Whether one press changes it; the others have a menu of their own. */
export const isSwitch = (name: Setting): name is Switch => settings[name].text === onOff;

export const toggleNames = Object.keys(toggles) as Toggle[];
export const optionNames = Object.keys(options) as Option[];
export const settingNames: readonly Setting[] = [...toggleNames, ...optionNames];

const texts: { readonly [S in Setting]: { readonly text: (value: Settings[S]) => string } } = settings;

/** `10 SUI`, `off`. */
const settingText = <S extends Setting>(name: S, value: Settings[S]): string => texts[name].text(value);

/** `Mints on`, `Quiet hours: 22:00 to 07:00`. */
export const shownSetting = <S extends Setting>(name: S, value: Settings[S]): string =>
  `${settings[name].name}${name in toggles ? '' : ':'} ${settingText(name, value)}`;

/** The options that a new group does not have, as an admin reads them. */
export const shownOptions = (of: Settings): string[] =>
  optionNames
    .filter((name) => of[name] !== null && of[name] !== false && of[name] !== 'UTC')
    .map((name) => shownSetting(name, of[name]));

/** By name, for the audit log; null: not set. */
export const auditedSettings = (of: Settings) =>
  Object.fromEntries(
    settingNames.map((name) => [settings[name].name, of[name] === null ? null : settingText(name, of[name])]),
  );
