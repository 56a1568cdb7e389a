import type { ActivityKind } from '../../../market/contract.ts';
import { minuteOfDayMax, type TrackingAction, type TrackingMenu } from './tracking-options.ts';
import { supplyMax } from './supply-answer.ts';
import { timeZoneOf } from '../../notify/rules/time-zone.ts';

/** The request of any button of the bot. */
export type BotAction =
  | TrackingAction
  | (OfSetup & { readonly kind: 'use-supply'; readonly supply: number })
  | (OfSetup & { readonly kind: 'enter-supply' })
  | (OfSetup & { readonly kind: 'cancel-setup' })
  | (OfSetup & { readonly kind: 'replace'; readonly isYes: boolean })
  /** The collection it was about: the group may follow another by the time it is pressed. */
  | { readonly kind: 'remove'; readonly isYes: boolean; readonly configurationId: string };

/** Which setup's question it answers (`setupKeyOf`); old buttons have none. */
interface OfSetup {
  readonly setupKey?: string;
}

/** Raised when a word changes its meaning: old buttons can be pressed for ever. */
const version = '1';

const yesNo = (isYes: boolean): string => (isYes ? 'yes' : 'no');

type SetupAction = Extract<BotAction, { kind: 'use-supply' | 'replace' | 'enter-supply' | 'cancel-setup' }>;

const setupWords = (action: SetupAction): readonly (string | number)[] => {
  const key = action.setupKey === undefined ? [] : [action.setupKey];
  if (action.kind === 'use-supply') return [action.supply, ...key];
  return action.kind === 'replace' ? [yesNo(action.isYes), ...key] : key;
};

const wordsOf = (action: BotAction): readonly (string | number | bigint)[] => {
  switch (action.kind) {
    case 'track':
      return [action.event, yesNo(action.isOn)];
    case 'floor-only':
      return [yesNo(action.isOn)];
    case 'minimum-price':
      return [action.mist ?? 'off'];
    case 'quiet-hours':
      return action.hours === null ? ['off'] : [action.hours.fromMinute, action.hours.toMinute];
    case 'time-zone':
      return [action.zone];
    case 'daily-recap':
      return [action.minute ?? 'off'];
    case 'menu':
      return [action.menu];
    case 'remove':
      return [yesNo(action.isYes), action.configurationId];
    default:
      return setupWords(action);
  }
};

/** At most 64 bytes of ASCII (Bot API, InlineKeyboardButton.callback_data). */
export const encodeAction = (action: BotAction): string => [version, action.kind, ...wordsOf(action)].join(':');

const events: readonly ActivityKind[] = ['mint', 'sale', 'listing', 'bid'];
const menus: readonly TrackingMenu[] = [
  'tracking',
  'minimum-price',
  'quiet-hours',
  'time-zone',
  'daily-recap',
  'closed',
];

const oneOf = <T extends string>(words: readonly T[], text: string): T | null =>
  words.find((word) => word === text) ?? null;

const wholeNumber = (text: string, min: number, max: number): number | null => {
  const count = /^-?\d{1,10}$/.test(text) ? Number(text) : null;
  return count !== null && count >= min && count <= max ? count : null;
};

const minuteOf = (text: string): number | null => wholeNumber(text, 0, minuteOfDayMax);

/** Nearly the whole supply of SUI; the column holds 20 digits. */
const mistOf = (text: string): bigint | null => (/^\d{1,19}$/.test(text) ? BigInt(text) : null);

type Reader = (first: string, second: string) => BotAction | null;

const built = <T>(part: T | null, build: (part: T) => BotAction): BotAction | null =>
  part === null ? null : build(part);

const isYesOf = (word: string): boolean | null => (word === 'yes' ? true : word === 'no' ? false : null);

const quietHoursOf = (from: string, to: string): BotAction | null => {
  const [fromMinute, toMinute] = [minuteOf(from), minuteOf(to)];
  return fromMinute === null || toMinute === null ? null : { kind: 'quiet-hours', hours: { fromMinute, toMinute } };
};

const keyOf = (word: string): OfSetup => (/^[0-9a-f]{8}$/.test(word) ? { setupKey: word } : {});

const readers: Readonly<Record<BotAction['kind'], Reader>> = {
  track: (word, onOff) => built(oneOf(events, word), (event) => ({ kind: 'track', event, isOn: onOff === 'yes' })),
  'floor-only': (word) => built(isYesOf(word), (isOn) => ({ kind: 'floor-only', isOn })),
  'minimum-price': (word) =>
    word === 'off'
      ? { kind: 'minimum-price', mist: null }
      : built(mistOf(word), (mist) => ({ kind: 'minimum-price', mist })),
  'quiet-hours': (from, to) => (from === 'off' ? { kind: 'quiet-hours', hours: null } : quietHoursOf(from, to)),
  'time-zone': (word) => built(timeZoneOf(word), (zone) => ({ kind: 'time-zone', zone })),
  'daily-recap': (word) =>
    word === 'off'
      ? { kind: 'daily-recap', minute: null }
      : built(minuteOf(word), (minute) => ({ kind: 'daily-recap', minute })),
  menu: (word) => built(oneOf(menus, word), (menu) => ({ kind: 'menu', menu })),
  'use-supply': (word, key) =>
    built(wholeNumber(word, 1, supplyMax), (supply) => ({ kind: 'use-supply', supply, ...keyOf(key) })),
  'enter-supply': (key) => ({ kind: 'enter-supply', ...keyOf(key) }),
  'cancel-setup': (key) => ({ kind: 'cancel-setup', ...keyOf(key) }),
  replace: (word, key) => built(isYesOf(word), (isYes) => ({ kind: 'replace', isYes, ...keyOf(key) })),
  remove: (word, configurationId) =>
    /^[1-9]\d{0,18}$/.test(configurationId)
      ? built(isYesOf(word), (isYes) => ({ kind: 'remove', isYes, configurationId }))
      : null,
};

const isKind = (word: string): word is BotAction['kind'] => Object.hasOwn(readers, word);

/** A button's data, or null for anything that this version would not write itself: anyone can send it. */
export const parseAction = (data: string): BotAction | null => {
  const [, kind = '', first = '', second = ''] = data.split(':');
  const action = isKind(kind) ? readers[kind](first, second) : null;
  return action !== null && encodeAction(action) === data ? action : null;
};
