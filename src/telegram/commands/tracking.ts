import { actorOf } from '../bot/speaker.ts';
import { changeConfiguration } from '../configs/configuring.ts';
import { pinTopic } from '../configs/set-up.ts';
import { notConfigured } from './texts/chat-texts.ts';
import { timeZoneOf } from '../notify/rules/time-zone.ts';
import { pinnedLine } from './texts/topic-texts.ts';
import { trackingMessage, unknownTimeZone } from './texts/tracking-menu.ts';
import type { Command } from './command.ts';

/** Shows the choices; with a city it sets the time zone; in a topic it moves the notifications there (rulings R4). */
export const tracking: Command = {
  name: 'tracking',
  who: 'group-admins',
  where: 'groups',
  menuLine: 'Choose what gets posted',
  page: { text: 'Buttons that switch mint, sale, listing and bid notifications on and off.' },
  dashboard: 'Turns notifications on and off (group admins)',
  handle: async (call, deps) => {
    const { chatId, topicId, typed, answer } = call;
    const present = await deps.configurations.ofChat(chatId);
    if (present === null) return answer(notConfigured());
    const actor = actorOf(call.speaker);
    const timeZone = typed === '' ? present.timeZone : timeZoneOf(typed);
    if (timeZone === null) return answer(unknownTimeZone());
    if (typed !== '') {
      const by = { actor, action: 'telegram-tracking-changed', ifVersion: null };
      await changeConfiguration(deps, present.id, { timeZone }, by);
    }
    const isPinned = topicId !== null && (await pinTopic(deps, { chatId, topicId, actor }));
    const settings = { ...present, timeZone };
    const menu = trackingMessage('tracking', { collectionName: present.collectionName, settings });
    return answer(isPinned ? { ...menu, html: `${menu.html}\n\n${pinnedLine}` } : menu);
  },
};
