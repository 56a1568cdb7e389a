import { cardOf, collectionHtml, type MessageContent } from '../cards/message-html.ts';
import type { Command } from './command.ts';
import { type BotAction, encodeAction } from './texts/callback-data.ts';
import { notConfigured, outdatedPress } from '../cards/chat-texts.ts';
import { editMessage, actorOf } from './answering.ts';
import type { BotDeps, Press } from '../bot-deps.ts';
import { removeConfiguration } from '../configs/configuring.ts';

export const remove: Command = {
  name: 'remove',
  who: 'group-admins',
  where: 'groups',
  menuLine: 'End the tracking in this group',
  page: { text: 'Stops tracking in this group. The bot asks first.' },
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
          { text: 'Stop tracking', data: encodeAction(['remove', configurationId, true]) },
          { text: 'Keep it', data: encodeAction(['remove', configurationId, false]) },
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

/** Handles a button of the question. Returns the text of the popup over the chat, if any. */
export async function removeOrKeep(
  deps: BotDeps,
  [, configurationId, isYes]: Extract<BotAction, readonly ['remove', ...unknown[]]>,
  press: Press,
): Promise<string | void> {
  const { chat, by } = press;
  const present = await deps.configurations.ofChat(chat.id);
  if (present === null) {
    // Also when a press is handled again: the removal was stored, its answer was not.
    const ended = await deps.configurations.find(configurationId);
    const isOfChat = ended !== null && ended.chatId === String(chat.id);
    return editMessage(deps, press, isOfChat ? removedAnswer(ended.collectionName) : notConfigured());
  }
  // The question was about another collection than the one the group follows now.
  if (present.id !== configurationId) return outdatedPress;
  const removal = { actor: actorOf(by), action: 'telegram-configuration-removed', ifVersion: null };
  if (isYes) await removeConfiguration(deps, present.id, removal);
  return editMessage(deps, press, (isYes ? removedAnswer : keptAnswer)(present.collectionName));
}
