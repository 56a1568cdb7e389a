import type { MessageButton } from '../cards/message-content.ts';
import { back, button, hour, inDay, inPairs, type Rows } from './option-button.ts';
import { minuteText } from './time-text.ts';
import type { TrackingSettings } from './tracking-options.ts';

const nights = [
  [22, 7],
  [23, 7],
  [23, 8],
  [0, 8],
] as const;

const quietHoursButton = (text: string, fromMinute: number, toMinute: number, isChosen = false): MessageButton =>
  button(text, isChosen, { kind: 'quiet-hours', hours: { fromMinute: inDay(fromMinute), toMinute: inDay(toMinute) } });

/** One hour earlier and later for each end; none that would leave no quiet at all. */
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

export const quietHoursRows = (settings: TrackingSettings): Rows => {
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
