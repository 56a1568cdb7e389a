import type { ActivityKind } from '../../../market/contract.ts';
import { supplyMax } from '../../cards/mint-progress.ts';
import { activityKinds } from '../../cards/tally.ts';
import { type QuietHours, timeZoneOf } from '../../notify/rules/time-zone.ts';

const menus = ['tracking', 'minimum-price', 'quiet-hours', 'time-zone', 'daily-recap', 'closed'] as const;
export type TrackingMenu = (typeof menus)[number];

/** Names the wanted state, never 'the other one': pressed twice, or by two admins at once, it means the same. */
export type TrackingAction =
  | { readonly kind: 'track'; readonly event: ActivityKind; readonly isOn: boolean }
  | { readonly kind: 'floor-only'; readonly isOn: boolean }
  | { readonly kind: 'minimum-price'; readonly mist: bigint | null }
  | { readonly kind: 'quiet-hours'; readonly hours: QuietHours | null }
  | { readonly kind: 'time-zone'; readonly zone: string }
  | { readonly kind: 'daily-recap'; readonly minute: number | null }
  | { readonly kind: 'menu'; readonly menu: TrackingMenu };

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
export interface OfSetup {
  readonly setupKey?: string;
}

/** Raised when a word changes its meaning: old buttons can be pressed for ever. */
const version = '1';

const yesNo = (isYes: boolean): string => (isYes ? 'yes' : 'no');

const oneOf = <T extends string>(words: readonly T[], text: string): T | null =>
  words.find((word) => word === text) ?? null;

const wholeNumber = (text: string, min: number, max: number): number | null => {
  const count = /^-?\d{1,10}$/.test(text) ? Number(text) : null;
  return count !== null && count >= min && count <= max ? count : null;
};

const minuteOf = (text: string): number | null => wholeNumber(text, 0, 1439);

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
    read: (word, onOff) => built(oneOf(activityKinds, word), (event) => ({ event, isOn: onOff === 'yes' })),
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
