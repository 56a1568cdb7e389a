import { mistDecimals, toDecimalText } from '../../shared/money.ts';
import type { ConfigurationRules } from '../notify/rules/delivery-plan.ts';
import { minuteText, zoneText } from './time-text.ts';

type Options = Pick<ConfigurationRules, 'minPriceMist' | 'listingsAtFloorOnly' | 'quietHours' | 'timeZone'> & {
  /** Minute of the day, in the chat's own time. */
  readonly recapMinute: number | null;
};

/** The options of /tracking as an admin reads them: '10', '22:00–07:00 Europe/Berlin', '09:00 UTC+2'. null: not set. */
export function shownOptions({ minPriceMist, listingsAtFloorOnly, quietHours, recapMinute, timeZone }: Options) {
  const zone = timeZone === 'UTC' ? '' : ` ${zoneText(timeZone)}`;
  return {
    minPriceSui: minPriceMist === null ? null : toDecimalText(minPriceMist, mistDecimals),
    listingsAtFloorOnly,
    quietHours:
      quietHours === null ? null : `${minuteText(quietHours.fromMinute)}–${minuteText(quietHours.toMinute)}${zone}`,
    recap: recapMinute === null ? null : `${minuteText(recapMinute)}${zone}`,
  };
}
