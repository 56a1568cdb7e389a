import type { ActivityKind } from '../../../market/contract.ts';
import { type BotAction, encodeAction } from './callback-data.ts';
import { cardOf, collectionHtml, headline } from '../../cards/parts.ts';
import type { MessageButton, MessageContent } from '../../cards/message-content.ts';
import { optionButtons } from './option-buttons.ts';
import { suiText } from '../../cards/price-text.ts';
import { minuteText, zoneText } from '../../notify/rules/time-text.ts';
import { kindNames, type TrackingMenu, type TrackingSettings } from './tracking-options.ts';

const isTracked = (settings: TrackingSettings, kind: ActivityKind): boolean =>
  ({ mint: settings.trackMint, sale: settings.trackSales, listing: settings.trackListings, bid: settings.trackBids })[
    kind
  ];

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

const minimumText = ({ minPriceMist }: TrackingSettings): string =>
  minPriceMist === null ? 'none' : suiText(minPriceMist);

const quietText = ({ quietHours }: TrackingSettings): string =>
  quietHours === null ? 'off' : `${minuteText(quietHours.fromMinute)} to ${minuteText(quietHours.toMinute)}`;

const recapText = ({ recapMinute }: TrackingSettings): string =>
  recapMinute === null ? 'off' : `at ${minuteText(recapMinute)}`;

const button = (text: string, action: BotAction): MessageButton => ({ text, data: encodeAction(action) });

const toggle = (settings: TrackingSettings, event: ActivityKind): MessageButton => {
  const isOn = isTracked(settings, event);
  return button(`${isOn ? '✅' : '⬜'} ${kindNames[event]} ${onOff(isOn)}`, { kind: 'track', event, isOn: !isOn });
};

const mainButtons = (settings: TrackingSettings): MessageContent['buttons'] => [
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

/** /tracking and each of its menus: the state as text, and the buttons that change it. */
export const trackingMessage = (menu: TrackingMenu, { collectionName, settings }: TrackingView): MessageContent => {
  const buttons = menu === 'closed' ? [] : menu === 'tracking' ? mainButtons(settings) : optionButtons(menu, settings);
  const kinds = (['mint', 'sale', 'listing', 'bid'] as const).map(
    (kind) => `${kindNames[kind]} ${onOff(isTracked(settings, kind))}`,
  );
  return cardOf(
    [
      headline('⚙️', `<b>What gets posted about ${collectionHtml(collectionName)}</b>`),
      kinds.join(' · '),
      `Minimum price: ${minimumText(settings)}`,
      `Only listings at or under the floor: ${onOff(settings.listingsAtFloorOnly)}`,
      `Quiet hours: ${quietText(settings)}`,
      `Daily recap: ${recapText(settings)}`,
      `Time zone: ${zoneText(settings.timeZone)}`,
      '',
      explanations[menu],
    ],
    { buttons },
  );
};

/** /tracking followed by a place. */
export const unknownTimeZone = (): MessageContent =>
  cardOf([
    'I do not know that time zone. Please send the name of a large city in it, for example <code>/tracking Lisbon</code>, or hours such as <code>/tracking UTC+2</code>.',
  ]);
