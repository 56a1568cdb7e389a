import { editMessage, actorOf } from './answering.ts';
import type { BotDeps, Press } from '../bot-deps.ts';
import { cardOf } from '../cards/message-html.ts';
import { changeConfiguration } from '../configs/configuring.ts';
import { pinTopic } from '../configs/set-up.ts';
import { notConfigured, pinnedLine } from '../cards/chat-texts.ts';
import { timeZoneOf } from '../time-zone.ts';
import type { TrackingAction } from './texts/callback-data.ts';
import { outcomeOf, trackingMessage } from './texts/tracking-menu.ts';
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
