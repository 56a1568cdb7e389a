import { back, button, inPairs, type Rows } from './option-button.ts';
import { zoneText } from './time-text.ts';
import type { TrackingSettings } from './tracking-options.ts';

/** From west to east; any other is typed. */
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

export const timeZoneRows = ({ timeZone }: TrackingSettings): Rows => {
  const zoneButton = (zone: string) => button(zoneText(zone), zone === timeZone, { kind: 'time-zone', zone });
  const isCommon = timeZone === 'UTC' || commonZones.some((zone) => zone === timeZone);
  return [
    [zoneButton('UTC')],
    ...inPairs(commonZones.map(zoneButton)),
    ...(isCommon ? [] : [[zoneButton(timeZone)]]),
    [back],
  ];
};
