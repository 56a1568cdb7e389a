import { encodeAction } from './callback-data.ts';
import type { MessageButton, MessageContent } from '../cards/message-content.ts';
import type { TrackingAction } from './tracking-options.ts';

export type Rows = MessageContent['buttons'];

/** Minutes. */
export const hour = 60;
const dayMinutes = 1440;

export const button = (text: string, isChosen: boolean, action: TrackingAction): MessageButton => ({
  text: isChosen ? `✅ ${text}` : text,
  data: encodeAction(action),
});

export const back = button('Back', false, { kind: 'menu', menu: 'tracking' });
export const inDay = (minute: number): number => (minute + dayMinutes) % dayMinutes;

export const inPairs = (buttons: readonly MessageButton[]): Rows =>
  buttons.flatMap((one, index) => (index % 2 === 0 ? [[one, ...buttons.slice(index + 1, index + 2)]] : []));
