import { mistDecimals } from '../../../shared/money.ts';
import type { MessageButton, MessageContent } from '../../cards/message-content.ts';
import { suiText } from '../../cards/price-text.ts';
import { minuteText, zoneText } from '../../notify/rules/time-text.ts';
import { encodeAction } from './callback-data.ts';
import type { TrackingAction, TrackingMenu, TrackingSettings } from './tracking-options.ts';

type Rows = MessageContent['buttons'];

/** Minutes. */
const hour = 60;
const dayMinutes = 1440;

const button = (text: string, isChosen: boolean, action: TrackingAction): MessageButton => ({
  text: isChosen ? `✅ ${text}` : text,
  data: encodeAction(action),
});

const back = button('Back', false, { kind: 'menu', menu: 'tracking' });
const inDay = (minute: number): number => (minute + dayMinutes) % dayMinutes;

const inPairs = (buttons: readonly MessageButton[]): Rows =>
  buttons.flatMap((one, index) => (index % 2 === 0 ? [[one, ...buttons.slice(index + 1, index + 2)]] : []));

const nights = [
  [22, 7],
  [23, 7],
  [23, 8],
  [0, 8],
] as const;

const quietHoursButton = (text: string, fromMinute: number, toMinute: number, isChosen = false): MessageButton =>
  button(text, isChosen, { kind: 'quiet-hours', hours: { fromMinute: inDay(fromMinute), toMinute: inDay(toMinute) } });

/** One hour earlier and later for each end, except where no quiet hours would be left. */
const quietSteps = ({ quietHours }: TrackingSettings): Rows => {
  if (quietHours === null) return [];
  const { fromMinute: from, toMinute: to } = quietHours;
  const steps = [
    { text: 'Begin 1 h earlier', from: from - hour, to },
    { text: 'Begin 1 h later', from: from + hour, to },
    { text: 'End 1 h earlier', from, to: to - hour },
    { text: 'End 1 h later', from, to: to + hour },
  ];
  return inPairs(
    steps
      .filter((step) => inDay(step.from) !== inDay(step.to))
      .map((step) => quietHoursButton(step.text, step.from, step.to)),
  );
};

const quietHoursRows = (settings: TrackingSettings): Rows => {
  const chosen = settings.quietHours;
  const presets = nights.map(([from, to]) =>
    quietHoursButton(
      `${minuteText(from * hour)} to ${minuteText(to * hour)}`,
      from * hour,
      to * hour,
      chosen?.fromMinute === from * hour && chosen.toMinute === to * hour,
    ),
  );
  return [
    [button('Off', chosen === null, { kind: 'quiet-hours', hours: null })],
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
] as const;

const timeZoneRows = ({ timeZone }: TrackingSettings): Rows => {
  const zoneButton = (zone: string) => button(zoneText(zone), zone === timeZone, { kind: 'time-zone', zone });
  const isCommon = timeZone === 'UTC' || commonZones.some((zone) => zone === timeZone);
  return [
    [zoneButton('UTC')],
    ...inPairs(commonZones.map(zoneButton)),
    ...(isCommon ? [] : [[zoneButton(timeZone)]]),
    [back],
  ];
};

const mistPerSui = 10n ** BigInt(mistDecimals);

/** Presets: enough for collections at 0.1 SUI and at 1,000. */
const minimumPricesMist: readonly (readonly bigint[])[] = [
  [mistPerSui / 10n, mistPerSui / 2n, mistPerSui, 2n * mistPerSui],
  [5n * mistPerSui, 10n * mistPerSui, 25n * mistPerSui, 50n * mistPerSui],
  [100n * mistPerSui, 250n * mistPerSui, 500n * mistPerSui, 1000n * mistPerSui],
];
const recapHours = [8, 9, 12, 18, 20, 22] as const;

const minimumPriceRows = ({ minPriceMist }: TrackingSettings): Rows => [
  [button('None', minPriceMist === null, { kind: 'minimum-price', mist: null })],
  ...minimumPricesMist.map((row) =>
    row.map((mist) => button(suiText(mist), mist === minPriceMist, { kind: 'minimum-price', mist })),
  ),
  [back],
];

const dailyRecapRows = ({ recapMinute }: TrackingSettings): Rows => {
  const at = (minute: number): MessageButton =>
    button(minuteText(minute), minute === recapMinute, { kind: 'daily-recap', minute });
  const steps =
    recapMinute === null
      ? []
      : [
          button('1 h earlier', false, { kind: 'daily-recap', minute: inDay(recapMinute - hour) }),
          button('1 h later', false, { kind: 'daily-recap', minute: inDay(recapMinute + hour) }),
        ];
  return [
    [button('Off', recapMinute === null, { kind: 'daily-recap', minute: null })],
    ...inPairs(recapHours.map((hours) => at(hours * hour))),
    ...inPairs(steps),
    [back],
  ];
};

/** The buttons of one option of /tracking. */
export const optionButtons = (menu: Exclude<TrackingMenu, 'tracking' | 'closed'>, settings: TrackingSettings): Rows => {
  const rows = {
    'minimum-price': minimumPriceRows,
    'quiet-hours': quietHoursRows,
    'time-zone': timeZoneRows,
    'daily-recap': dailyRecapRows,
  };
  return rows[menu](settings);
};
