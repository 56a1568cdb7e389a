import type { Configuration, ConfigurationChange } from './adapters/configuration-row.ts';

/** What is asked for is there already: a press that came again, or a save of an untouched field. */
export function changesNothing(present: Configuration, { quietHours, ...plain }: ConfigurationChange): boolean {
  const isSo = (name: keyof typeof plain): boolean => plain[name] === undefined || plain[name] === present[name];
  return (Object.keys(plain) as (keyof typeof plain)[]).every(isSo) && isSameQuiet(present.quietHours, quietHours);
}

/** `wanted` undefined: nothing is said of them. */
const isSameQuiet = (present: Configuration['quietHours'], wanted: ConfigurationChange['quietHours']): boolean =>
  wanted === undefined || (present?.fromMinute === wanted?.fromMinute && present?.toMinute === wanted?.toMinute);
