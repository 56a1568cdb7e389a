import { mistDecimals } from '../../shared/money.ts';
import type { MessageButton } from '../cards/message-content.ts';
import { back, button, hour, inDay, inPairs, type Rows } from './option-button.ts';
import { suiText } from '../cards/price-text.ts';
import { quietHoursRows } from './quiet-hours-buttons.ts';
import { minuteText } from './time-text.ts';
import { timeZoneRows } from './time-zone-buttons.ts';
import type { TrackingMenu, TrackingSettings } from './tracking-options.ts';

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
