import { cardOf, collectionHtml } from '../cards/parts.ts';
import type { MessageContent } from '../cards/message-content.ts';
import type { Command } from './command.ts';
import { encodeAction } from './texts/callback-data.ts';
import { notConfigured } from './texts/chat-texts.ts';

/** Asks first; buttons do the rest (bot/press.ts). */
export const remove: Command = {
  name: 'remove',
  who: 'group-admins',
  where: 'groups',
  menuLine: 'End the tracking in this group',
  page: { text: 'Ends the tracking in this group. The bot asks before it does.' },
  dashboard: 'Stops tracking in the group (group admins)',
  handle: async ({ chatId, answer }, { configurations }) => {
    const present = await configurations.ofChat(chatId);
    return answer(present === null ? notConfigured() : removeQuestion(present.collectionName, present.id));
  },
};

export const removeQuestion = (collectionName: string, configurationId: string): MessageContent =>
  cardOf(
    [
      `Stop tracking <b>${collectionHtml(collectionName)}</b> in this group?`,
      'The configuration is kept for 30 days and then deleted.',
    ],
    {
      buttons: [
        [
          { text: 'Stop tracking', data: encodeAction({ kind: 'remove', isYes: true, configurationId }) },
          { text: 'Keep it', data: encodeAction({ kind: 'remove', isYes: false, configurationId }) },
        ],
      ],
    },
  );

export const removedAnswer = (collectionName: string): MessageContent =>
  cardOf([
    `Tracking of <b>${collectionHtml(collectionName)}</b> stopped. To start again, send /setup with a collection address.`,
  ]);

export const keptAnswer = (collectionName: string): MessageContent =>
  cardOf([`Nothing was changed. This group still tracks <b>${collectionHtml(collectionName)}</b>.`]);
