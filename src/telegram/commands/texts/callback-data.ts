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

const isYesOf = (word: string): boolean | null => (word === 'yes' ? true : word === 'no' ? false : null);

interface Words<Action> {
  /** At most two, without a ':'. */
  readonly write: (action: Action) => readonly (string | number | bigint)[];
  /** null: this version writes no such words. */
  readonly read: (first: string, second: string) => Omit<Action, 'kind'> | null;
}

const built = <Part, Built>(part: Part | null, build: (part: Part) => Built): Built | null =>
  part === null ? null : build(part);

/** Without a setup's key it is an old button. */
const keyWords = ({ setupKey }: OfSetup): readonly string[] => (setupKey === undefined ? [] : [setupKey]);
const keyOf = (word: string): OfSetup => (/^[0-9a-f]{8}$/.test(word) ? { setupKey: word } : {});

/** What a button says after its kind, and how that is read. */
const words: { readonly [Kind in BotAction['kind']]: Words<Extract<BotAction, { kind: Kind }>> } = {
  track: {
    write: ({ event, isOn }) => [event, yesNo(isOn)],
    read: (word, onOff) => built(oneOf(events, word), (event) => ({ event, isOn: onOff === 'yes' })),
  },
  'floor-only': {
    write: ({ isOn }) => [yesNo(isOn)],
    read: (word) => built(isYesOf(word), (isOn) => ({ isOn })),
  },
  'minimum-price': {
    write: ({ mist }) => [mist ?? 'off'],
    read: (word) => (word === 'off' ? { mist: null } : built(mistOf(word), (mist) => ({ mist }))),
  },
  'quiet-hours': {
    write: ({ hours }) => (hours === null ? ['off'] : [hours.fromMinute, hours.toMinute]),
    read: (from, to) =>
      from === 'off'
        ? { hours: null }
        : built(minuteOf(from), (fromMinute) =>
            built(minuteOf(to), (toMinute) => ({ hours: { fromMinute, toMinute } })),
          ),
  },
  'time-zone': {
    write: ({ zone }) => [zone],
    read: (word) => built(timeZoneOf(word), (zone) => ({ zone })),
  },
  'daily-recap': {
    write: ({ minute }) => [minute ?? 'off'],
    read: (word) => (word === 'off' ? { minute: null } : built(minuteOf(word), (minute) => ({ minute }))),
  },
  menu: {
    write: ({ menu }) => [menu],
    read: (word) => built(oneOf(menus, word), (menu) => ({ menu })),
  },
  'use-supply': {
    write: ({ supply, ...of }) => [supply, ...keyWords(of)],
    read: (word, key) => built(wholeNumber(word, 1, supplyMax), (supply) => ({ supply, ...keyOf(key) })),
  },
  'enter-supply': { write: keyWords, read: keyOf },
  'cancel-setup': { write: keyWords, read: keyOf },
  replace: {
    write: ({ isYes, ...of }) => [yesNo(isYes), ...keyWords(of)],
    read: (word, key) => built(isYesOf(word), (isYes) => ({ isYes, ...keyOf(key) })),
  },
  remove: {
    write: ({ isYes, configurationId }) => [yesNo(isYes), configurationId],
    read: (word, configurationId) =>
      /^[1-9]\d{0,18}$/.test(configurationId) ? built(isYesOf(word), (isYes) => ({ isYes, configurationId })) : null,
  },
};

/** At most 64 bytes of ASCII (Bot API, InlineKeyboardButton.callback_data). */
export const encodeAction = (action: BotAction): string => {
  const { write } = words[action.kind] as Words<BotAction>;
  return [version, action.kind, ...write(action)].join(':');
};

const isKind = (word: string): word is BotAction['kind'] => Object.hasOwn(words, word);

/** A button's data, or null for anything that this version would not write itself: anyone can send it. */
export const parseAction = (data: string): BotAction | null => {
  const [, kind = '', first = '', second = ''] = data.split(':');
  if (!isKind(kind)) return null;
  const read = words[kind].read(first, second);
  const action = read === null ? null : ({ kind, ...read } as BotAction);
  return action !== null && encodeAction(action) === data ? action : null;
};
