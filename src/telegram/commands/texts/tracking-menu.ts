import { mistDecimals, suiText } from '../../../shared/money.ts';
import { cardOf, collectionHtml, headline, type MessageButton, type MessageContent } from '../../cards/message-html.ts';
import type { ConfigurationRules } from '../../notify/rules/delivery-plan.ts';
import { minuteInDay, minuteText, zoneText } from '../../time-zone.ts';
import { type BotAction, encodeAction, type TrackingAction, type TrackingMenu } from './callback-data.ts';

export interface TrackingSettings extends Omit<ConfigurationRules, 'maxSupply' | 'mintedCount'> {
  /** Minutes after midnight in the chat's own time; null: no daily recap. */
  readonly recapMinute: number | null;
}

type Rows = MessageContent['buttons'];

type Field = keyof TrackingSettings;

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

/** How each setting is named and shown, and the menu that it is changed in. */
const fields: {
  readonly [F in Field]: {
    readonly name: string;
    readonly menu: TrackingMenu;
    readonly text: (value: TrackingSettings[F]) => string;
  };
} = {
  trackMint: { name: 'Mints', menu: 'main', text: onOff },
  trackSales: { name: 'Sales', menu: 'main', text: onOff },
  trackListings: { name: 'Listings', menu: 'main', text: onOff },
  trackBids: { name: 'Bids', menu: 'main', text: onOff },
  minPriceMist: {
    name: 'Minimum price',
    menu: 'minPriceMist',
    text: (mist) => (mist === null ? 'none' : suiText(mist)),
  },
  listingsAtFloorOnly: { name: 'Only listings at or under the floor', menu: 'main', text: onOff },
  quietHours: {
    name: 'Quiet hours',
    menu: 'quietHours',
    text: (hours) => (hours === null ? 'off' : `${minuteText(hours.fromMinute)} to ${minuteText(hours.toMinute)}`),
  },
  recapMinute: {
    name: 'Daily recap',
    menu: 'recapMinute',
    text: (minute) => (minute === null ? 'off' : `at ${minuteText(minute)}`),
  },
  timeZone: { name: 'Time zone', menu: 'timeZone', text: zoneText },
};

const toggles = ['trackMint', 'trackSales', 'trackListings', 'trackBids'] as const;
const options = ['minPriceMist', 'listingsAtFloorOnly', 'quietHours', 'recapMinute', 'timeZone'] as const;

/** `Mints on`, `Quiet hours: 22:00 to 07:00`. */
function shown<F extends Field>(field: F, value: TrackingSettings[F]): string {
  const { name, text } = fields[field];
  return `${name}${toggles.some((each) => each === field) ? '' : ':'} ${text(value)}`;
}

const button = (text: string, action: BotAction, isChosen = false): MessageButton => ({
  text: isChosen ? `✅ ${text}` : text,
  data: encodeAction(action),
});

const toggle = (settings: TrackingSettings, field: (typeof toggles)[number]): MessageButton => {
  const isOn = settings[field];
  return button(`${isOn ? '✅' : '⬜'} ${shown(field, isOn)}`, ['set', field, !isOn]);
};

const opening = (settings: TrackingSettings, field: Field): MessageButton =>
  button(shown(field, settings[field]), ['menu', fields[field].menu]);

const mainRows = (settings: TrackingSettings): Rows => [
  ...inPairs(toggles.map((field) => toggle(settings, field))),
  [opening(settings, 'minPriceMist')],
  [
    button(`Only listings at the floor: ${onOff(settings.listingsAtFloorOnly)}`, [
      'set',
      'listingsAtFloorOnly',
      !settings.listingsAtFloorOnly,
    ]),
  ],
  [opening(settings, 'quietHours')],
  [opening(settings, 'recapMinute')],
  [opening(settings, 'timeZone')],
  [button('Done', ['menu', 'closed'])],
];

const explanations: Readonly<Record<TrackingMenu, string>> = {
  main: 'Tap to switch. An accepted bid is posted as a sale, once, while sales or bids are on.',
  minPriceMist: 'Events below this price are not posted. Those without a known price are.',
  quietHours: 'Nothing is posted during quiet hours. A recap follows when they end.',
  timeZone:
    'The time zone of this group, for quiet hours and recaps. Not in the list? Send /tracking with a city, for example <code>/tracking Lisbon</code>.',
  recapMinute: 'One message a day: sales, volume, floor, top sale, mint progress.',
  closed: 'Group admins change this with /tracking.',
};

interface TrackingView {
  readonly collectionName: string;
  readonly settings: TrackingSettings;
}

export const trackingMessage = (menu: TrackingMenu, { collectionName, settings }: TrackingView): MessageContent =>
  cardOf(
    [
      headline('⚙️', `<b>What gets posted about ${collectionHtml(collectionName)}</b>`),
      toggles.map((field) => shown(field, settings[field])).join(' · '),
      ...options.map((field) => shown(field, settings[field])),
      '',
      explanations[menu],
    ],
    { buttons: rowsOf[menu](settings) },
  );

/** What a press does. `change` null: it only opens another menu; `notice`: shown over the chat, at most 200 characters. */
export const outcomeOf = (
  action: TrackingAction,
): { readonly change: Partial<TrackingSettings> | null; readonly menu: TrackingMenu; readonly notice: string } => {
  if (action[0] === 'menu') return { change: null, menu: action[1], notice: '' };
  const [, field, value] = action;
  return { change: { [field]: value }, menu: fields[field].menu, notice: shown(field, value) };
};

const hourMinutes = 60;

const back = button('Back', ['menu', 'main']);

const inPairs = (buttons: readonly MessageButton[]): Rows =>
  buttons.flatMap((one, index) => (index % 2 === 0 ? [[one, ...buttons.slice(index + 1, index + 2)]] : []));

const nights = [
  [22, 7],
  [23, 7],
  [23, 8],
  [0, 8],
] as const;

const quietHoursButton = (text: string, from: number, to: number, isChosen = false): MessageButton =>
  button(text, ['set', 'quietHours', { fromMinute: minuteInDay(from), toMinute: minuteInDay(to) }], isChosen);

/** One hour earlier and later for each end, except where no quiet hours would be left. */
const quietSteps = ({ quietHours }: TrackingSettings): Rows => {
  if (quietHours === null) return [];
  const { fromMinute: from, toMinute: to } = quietHours;
  const steps = [
    { text: 'Begin 1 h earlier', from: from - hourMinutes, to },
    { text: 'Begin 1 h later', from: from + hourMinutes, to },
    { text: 'End 1 h earlier', from, to: to - hourMinutes },
    { text: 'End 1 h later', from, to: to + hourMinutes },
  ];
  return inPairs(
    steps
      .filter((step) => minuteInDay(step.from) !== minuteInDay(step.to))
      .map((step) => quietHoursButton(step.text, step.from, step.to)),
  );
};

const quietHoursRows = (settings: TrackingSettings): Rows => {
  const chosen = settings.quietHours;
  const presets = nights.map((hours) => {
    const from = hours[0] * hourMinutes;
    const to = hours[1] * hourMinutes;
    const isChosen = chosen?.fromMinute === from && chosen.toMinute === to;
    return quietHoursButton(`${minuteText(from)} to ${minuteText(to)}`, from, to, isChosen);
  });
  return [
    [button('Off', ['set', 'quietHours', null], chosen === null)],
    ...inPairs(presets),
    ...quietSteps(settings),
    [back],
  ];
};

/** From west to east; others are typed. */
const commonZones = [
  'America/Los_Angeles',
  'America/Chicago',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Berlin',
  'Africa/Lagos',
  'Europe/Istanbul',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Bangkok',
  'Asia/Singapore',
  'Asia/Seoul',
  'Australia/Sydney',
];

const timeZoneRows = ({ timeZone }: TrackingSettings): Rows => {
  const zoneButton = (zone: string) => button(zoneText(zone), ['set', 'timeZone', zone], zone === timeZone);
  const isCommon = timeZone === 'UTC' || commonZones.includes(timeZone);
  return [
    [zoneButton('UTC')],
    ...inPairs(commonZones.map(zoneButton)),
    ...(isCommon ? [] : [[zoneButton(timeZone)]]),
    [back],
  ];
};

/** Tenths of a SUI: enough for collections at 0.1 SUI and at 1,000. */
const minimumPrices = [
  [1, 5, 10, 20],
  [50, 100, 250, 500],
  [1_000, 2_500, 5_000, 10_000],
];

const minimumPriceRows = ({ minPriceMist }: TrackingSettings): Rows => [
  [button('None', ['set', 'minPriceMist', null], minPriceMist === null)],
  ...minimumPrices.map((row) =>
    row.map((tenths) => {
      const mist = BigInt(tenths) * 10n ** BigInt(mistDecimals - 1);
      return button(suiText(mist), ['set', 'minPriceMist', mist], mist === minPriceMist);
    }),
  ),
  [back],
];

const dailyRecapRows = ({ recapMinute }: TrackingSettings): Rows => {
  const recapButton = (text: string, minute: number | null): MessageButton =>
    button(text, ['set', 'recapMinute', minute], minute === recapMinute);
  const step = (text: string, minutes: number): MessageButton[] =>
    recapMinute === null ? [] : [recapButton(text, minuteInDay(recapMinute + minutes))];
  const presets = [8, 9, 12, 18, 20, 22].map((hour) => hour * hourMinutes);
  return [
    [recapButton('Off', null)],
    ...inPairs(presets.map((minute) => recapButton(minuteText(minute), minute))),
    ...inPairs([...step('1 h earlier', -hourMinutes), ...step('1 h later', hourMinutes)]),
    [back],
  ];
};

const rowsOf: Readonly<Record<TrackingMenu, (settings: TrackingSettings) => Rows>> = {
  main: mainRows,
  minPriceMist: minimumPriceRows,
  quietHours: quietHoursRows,
  timeZone: timeZoneRows,
  recapMinute: dailyRecapRows,
  closed: () => [],
};
