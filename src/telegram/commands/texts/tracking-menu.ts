import type { ActivityKind } from '../../../market/contract.ts';
import { mistDecimals } from '../../../shared/money.ts';
import { cardOf, collectionHtml, headline, type MessageButton, type MessageContent } from '../../cards/parts.ts';
import { suiText } from '../../cards/price-text.ts';
import { activityKinds } from '../../cards/tally.ts';
import type { ConfigurationRules } from '../../notify/rules/delivery-plan.ts';
import { minuteInDay, minuteText, zoneText } from '../../notify/rules/time-zone.ts';
import { type BotAction, encodeAction, type TrackingAction, type TrackingMenu } from './callback-data.ts';

export interface TrackingSettings extends Omit<ConfigurationRules, 'maxSupply' | 'mintedCount'> {
  /** Minutes after midnight in the chat's own time; null: no daily recap. */
  readonly recapMinute: number | null;
}

type Rows = MessageContent['buttons'];

const kindNames: Readonly<Record<ActivityKind, string>> = {
  mint: 'Mints',
  sale: 'Sales',
  listing: 'Listings',
  bid: 'Bids',
};
const toggles = { mint: 'trackMint', sale: 'trackSales', listing: 'trackListings', bid: 'trackBids' } as const;

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

const minimumText = ({ minPriceMist }: TrackingSettings): string =>
  minPriceMist === null ? 'none' : suiText(minPriceMist);

const quietText = ({ quietHours }: Pick<TrackingSettings, 'quietHours'>): string =>
  quietHours === null ? 'off' : `${minuteText(quietHours.fromMinute)} to ${minuteText(quietHours.toMinute)}`;

const recapText = ({ recapMinute }: TrackingSettings): string =>
  recapMinute === null ? 'off' : `at ${minuteText(recapMinute)}`;

const button = (text: string, action: BotAction, isChosen = false): MessageButton => ({
  text: isChosen ? `✅ ${text}` : text,
  data: encodeAction(action),
});

const toggle = (settings: TrackingSettings, event: ActivityKind): MessageButton => {
  const isOn = settings[toggles[event]];
  return button(`${isOn ? '✅' : '⬜'} ${kindNames[event]} ${onOff(isOn)}`, { kind: 'track', event, isOn: !isOn });
};

const mainRows = (settings: TrackingSettings): Rows => [
  [toggle(settings, 'mint'), toggle(settings, 'sale')],
  [toggle(settings, 'listing'), toggle(settings, 'bid')],
  [button(`Minimum price: ${minimumText(settings)}`, { kind: 'menu', menu: 'minimum-price' })],
  [
    button(`Only listings at the floor: ${onOff(settings.listingsAtFloorOnly)}`, {
      kind: 'floor-only',
      isOn: !settings.listingsAtFloorOnly,
    }),
  ],
  [button(`Quiet hours: ${quietText(settings)}`, { kind: 'menu', menu: 'quiet-hours' })],
  [button(`Daily recap: ${recapText(settings)}`, { kind: 'menu', menu: 'daily-recap' })],
  [button(`Time zone: ${zoneText(settings.timeZone)}`, { kind: 'menu', menu: 'time-zone' })],
  [button('Done', { kind: 'menu', menu: 'closed' })],
];

const explanations: Readonly<Record<TrackingMenu, string>> = {
  tracking: 'Tap to switch. An accepted bid is posted as a sale, once, while sales or bids are on.',
  'minimum-price': 'Events below this price are not posted. Those without a known price are.',
  'quiet-hours': 'Nothing is posted during quiet hours. A recap follows when they end.',
  'time-zone':
    'The time zone of this group, for quiet hours and recaps. Not in the list? Send /tracking with a city, for example <code>/tracking Lisbon</code>.',
  'daily-recap': 'One message a day: sales, volume, floor, top sale, mint progress.',
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
      activityKinds.map((kind) => `${kindNames[kind]} ${onOff(settings[toggles[kind]])}`).join(' · '),
      `Minimum price: ${minimumText(settings)}`,
      `Only listings at or under the floor: ${onOff(settings.listingsAtFloorOnly)}`,
      `Quiet hours: ${quietText(settings)}`,
      `Daily recap: ${recapText(settings)}`,
      `Time zone: ${zoneText(settings.timeZone)}`,
      '',
      explanations[menu],
    ],
    { buttons: rowsOf[menu](settings) },
  );

/** What a press does. `change` null: it only opens another menu; `notice`: shown over the chat, at most 200 characters. */
export const outcomeOf = (
  action: TrackingAction,
): { readonly change: Partial<TrackingSettings> | null; readonly menu: TrackingMenu; readonly notice: string } => {
  switch (action.kind) {
    case 'track': {
      const change: Partial<TrackingSettings> = { [toggles[action.event]]: action.isOn };
      return { change, menu: 'tracking', notice: `${kindNames[action.event]} ${onOff(action.isOn)}` };
    }
    case 'floor-only': {
      const notice = action.isOn ? 'Only listings at or under the floor' : 'All listings';
      return { change: { listingsAtFloorOnly: action.isOn }, menu: 'tracking', notice };
    }
    case 'minimum-price': {
      const notice = action.mist === null ? 'No minimum price' : `From ${suiText(action.mist)} on`;
      return { change: { minPriceMist: action.mist }, menu: action.kind, notice };
    }
    case 'quiet-hours': {
      const { hours: quietHours } = action;
      const notice = quietHours === null ? 'No quiet hours' : `Quiet from ${quietText({ quietHours })}`;
      return { change: { quietHours }, menu: action.kind, notice };
    }
    case 'time-zone':
      return { change: { timeZone: action.zone }, menu: action.kind, notice: zoneText(action.zone) };
    case 'daily-recap': {
      const notice = action.minute === null ? 'No daily recap' : `Recap at ${minuteText(action.minute)}`;
      return { change: { recapMinute: action.minute }, menu: action.kind, notice };
    }
    default:
      return { change: null, menu: action.menu, notice: '' };
  }
};

const hourMinutes = 60;

const back = button('Back', { kind: 'menu', menu: 'tracking' });

const inPairs = (buttons: readonly MessageButton[]): Rows =>
  buttons.flatMap((one, index) => (index % 2 === 0 ? [[one, ...buttons.slice(index + 1, index + 2)]] : []));

const nights = [
  [22, 7],
  [23, 7],
  [23, 8],
  [0, 8],
] as const;

const quietHoursButton = (text: string, from: number, to: number, isChosen = false): MessageButton =>
  button(text, { kind: 'quiet-hours', hours: { fromMinute: minuteInDay(from), toMinute: minuteInDay(to) } }, isChosen);

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
    const [from, to] = [hours[0] * hourMinutes, hours[1] * hourMinutes];
    const isChosen = chosen?.fromMinute === from && chosen.toMinute === to;
    return quietHoursButton(`${minuteText(from)} to ${minuteText(to)}`, from, to, isChosen);
  });
  return [
    [button('Off', { kind: 'quiet-hours', hours: null }, chosen === null)],
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
  const zoneButton = (zone: string) => button(zoneText(zone), { kind: 'time-zone', zone }, zone === timeZone);
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
  [button('None', { kind: 'minimum-price', mist: null }, minPriceMist === null)],
  ...minimumPrices.map((row) =>
    row.map((tenths) => {
      const mist = BigInt(tenths) * 10n ** BigInt(mistDecimals - 1);
      return button(suiText(mist), { kind: 'minimum-price', mist }, mist === minPriceMist);
    }),
  ),
  [back],
];

const dailyRecapRows = ({ recapMinute }: TrackingSettings): Rows => {
  const recapButton = (text: string, minute: number | null): MessageButton =>
    button(text, { kind: 'daily-recap', minute }, minute === recapMinute);
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
  tracking: mainRows,
  'minimum-price': minimumPriceRows,
  'quiet-hours': quietHoursRows,
  'time-zone': timeZoneRows,
  'daily-recap': dailyRecapRows,
  closed: () => [],
};
