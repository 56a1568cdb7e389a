import { mistDecimals, suiText } from '../../shared/money.ts';
import { editMessage, actorOf } from './answering.ts';
import type { BotDeps, Press } from '../bot-deps.ts';
import { cardOf, collectionHtml, headline, type MessageButton, type MessageContent } from '../cards/message-html.ts';
import { changeConfiguration } from '../configs/configuring.ts';
import { isSwitch, optionNames, type Settings, shownSetting, toggleNames } from '../configs/settings.ts';
import { pinTopic } from '../configs/set-up.ts';
import { notConfigured, pinnedLine } from '../cards/chat-texts.ts';
import { minuteInDay, minuteText, timeZoneOf, zoneText } from '../time-zone.ts';
import { type BotAction, encodeAction, type TrackingAction, type TrackingMenu } from './texts/callback-data.ts';
import type { Command } from './command.ts';

/** Shows the choices; with a city it sets the time zone; in a topic it moves the notifications there (rulings R4). */
export const tracking: Command = {
  name: 'tracking',
  who: 'group-admins',
  where: 'groups',
  menuLine: 'Choose what gets posted',
  page: { text: 'Buttons that switch mint, sale, listing and bid notifications on and off.' },
  handle: async (call, deps) => {
    const { chatId, topicId, typed, answer } = call;
    const present = await deps.configurations.ofChat(chatId);
    if (present === null) return answer(notConfigured());
    const actor = actorOf(call.author);
    const timeZone = typed === '' ? present.timeZone : timeZoneOf(typed);
    if (timeZone === null) return answer(unknownTimeZone());
    if (typed !== '') {
      const by = { actor, action: 'telegram-tracking-changed', ifVersion: null };
      await changeConfiguration(deps, present.id, { timeZone }, by);
    }
    const isPinned = topicId !== null && (await pinTopic(deps, { chatId, topicId, actor }));
    const settings = { ...present, timeZone };
    const menu = trackingMessage('main', { collectionName: present.collectionName, settings });
    return answer(isPinned ? { ...menu, html: `${menu.html}\n\n${pinnedLine}` } : menu);
  },
};

const unknownTimeZone = () =>
  cardOf([
    'I do not know that time zone. Please send the name of a large city in it, for example <code>/tracking Lisbon</code>, or hours such as <code>/tracking UTC+2</code>.',
  ]);

/** Handles a button of the menu. Returns the text of the popup over the chat, if any. */
export async function changeSettings(deps: BotDeps, action: TrackingAction, press: Press): Promise<string | void> {
  const present = await deps.configurations.ofChat(press.chat.id);
  if (present === null) return editMessage(deps, press, notConfigured());
  const { change, menu, notice } = outcomeOf(action);
  const saved = { actor: actorOf(press.by), action: 'telegram-tracking-changed', ifVersion: null };
  const changed = change === null ? null : await changeConfiguration(deps, present.id, change, saved);
  const settings = changed?.kind === 'changed' ? changed.configuration : present;
  editMessage(deps, press, trackingMessage(menu, { collectionName: present.collectionName, settings }));
  return notice;
}

type Rows = MessageContent['buttons'];

const button = (text: string, action: BotAction, isChosen = false): MessageButton => ({
  text: isChosen ? `✅ ${text}` : text,
  data: encodeAction(action),
});

const toggle = (settings: Settings, name: (typeof toggleNames)[number]): MessageButton =>
  button(`${settings[name] ? '✅' : '⬜'} ${shownSetting(name, settings[name])}`, ['set', name, !settings[name]]);

/** Switches the option, or opens its menu. */
const optionButton = (settings: Settings, name: (typeof optionNames)[number]): MessageButton => {
  const text = shownSetting(name, settings[name]);
  return isSwitch(name) ? button(text, ['set', name, !settings[name]]) : button(text, ['menu', name]);
};

const mainRows = (settings: Settings): Rows => [
  ...inPairs(toggleNames.map((name) => toggle(settings, name))),
  ...optionNames.map((name) => [optionButton(settings, name)]),
  [button('Done', ['menu', 'closed'])],
];

interface TrackingView {
  readonly collectionName: string;
  readonly settings: Settings;
}

export const trackingMessage = (name: TrackingMenu, { collectionName, settings }: TrackingView): MessageContent => {
  const { explanation, rows } = menus[name] ?? mainMenu;
  return cardOf(
    [
      headline('⚙️', `<b>What gets posted about ${collectionHtml(collectionName)}</b>`),
      toggleNames.map((toggled) => shownSetting(toggled, settings[toggled])).join(' · '),
      ...optionNames.map((option) => shownSetting(option, settings[option])),
      '',
      explanation,
    ],
    { buttons: rows(settings) },
  );
};

/** What a press does. `change` null: it only opens another menu; `notice`: shown over the chat, at most 200 characters. */
export const outcomeOf = (
  action: TrackingAction,
): { readonly change: Partial<Settings> | null; readonly menu: TrackingMenu; readonly notice: string } => {
  if (action[0] === 'menu') return { change: null, menu: action[1], notice: '' };
  const [, name, value] = action;
  return { change: { [name]: value }, menu: name in menus ? name : 'main', notice: shownSetting(name, value) };
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
const quietSteps = ({ quietHours }: Settings): Rows => {
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

const quietHoursRows = (settings: Settings): Rows => {
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

const timeZoneRows = ({ timeZone }: Settings): Rows => {
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

const minimumPriceRows = ({ minPriceMist }: Settings): Rows => [
  [button('None', ['set', 'minPriceMist', null], minPriceMist === null)],
  ...minimumPrices.map((row) =>
    row.map((tenths) => {
      const mist = BigInt(tenths) * 10n ** BigInt(mistDecimals - 1);
      return button(suiText(mist), ['set', 'minPriceMist', mist], mist === minPriceMist);
    }),
  ),
  [back],
];

const dailyRecapRows = ({ recapMinute }: Settings): Rows => {
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

interface Menu {
  readonly explanation: string;
  readonly rows: (settings: Settings) => Rows;
}

const mainMenu: Menu = {
  explanation: 'Tap to switch. An accepted bid is posted as a sale, once, while sales or bids are on.',
  rows: mainRows,
};

const menus: Readonly<Partial<Record<TrackingMenu, Menu>>> = {
  minPriceMist: {
    explanation: 'Events below this price are not posted. Those without a known price are.',
    rows: minimumPriceRows,
  },
  quietHours: {
    explanation: 'Nothing is posted during quiet hours. A recap follows when they end.',
    rows: quietHoursRows,
  },
  timeZone: {
    explanation:
      'The time zone of this group, for quiet hours and recaps. Not in the list? Send /tracking with a city, for example <code>/tracking Lisbon</code>.',
    rows: timeZoneRows,
  },
  recapMinute: {
    explanation: 'One message a day: sales, volume, floor, top sale, mint progress.',
    rows: dailyRecapRows,
  },
  closed: { explanation: 'Group admins change this with /tracking.', rows: () => [] },
};
