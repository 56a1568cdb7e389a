import { escapeHtml } from '../../../shared/escape-html.ts';
import { cardOf, collectionHtml, headline } from '../../core/card-parts.ts';
import { foreignHtml, wordGraphemesMax } from '../../core/foreign-text.ts';
import type { MessageContent } from '../../core/message-content.ts';
import { encodeAction } from './callback-data.ts';

/** Rulings R4: a command that belongs in a group, sent in private. */
export const groupOnly = (command: string): MessageContent =>
  cardOf([
    `/${foreignHtml(command, wordGraphemesMax)} belongs in a group. Add me to one where you are an admin and send it there.`,
  ]);

/** Said once to each person: a group is no place for repetitions. */
export const adminsOnly = (): MessageContent =>
  cardOf(['This command is for group admins. Everyone can use /floor, /summary, /status and /help.'], {
    isSilent: true,
  });

/** Telegram was asked who is an admin, and gave no answer. */
export const adminUnknown = (): MessageContent =>
  cardOf(
    [
      'Telegram does not say right now whether you are an admin of this group. Nothing was changed. Please try again in a minute.',
    ],
    { isSilent: true },
  );

/** 'Enter another' is answered by the one who was asked; said once to each other group admin. */
export const notYourSetup = (): MessageContent =>
  cardOf(
    [
      'Only the admin who started this setup can answer it. To set up this group yourself, send /setup with the collection address.',
    ],
    {
      isSilent: true,
    },
  );

export const notConfigured = (): MessageContent =>
  cardOf(['No collection is configured here yet. A group admin can send /setup with the collection address.']);

/** /remove asks first. */
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

/** Specification 9: a removed bot keeps its configuration for 30 days; back within them, it carries on and says so. */
export const restoredNotice = (collectionName: string): MessageContent =>
  cardOf([
    headline('🪨', `I am back, and so is the configuration: <b>${collectionHtml(collectionName)}</b>, as it was set.`),
    'Group admins change the settings with /tracking.',
  ]);

/** Reading outside failed: nothing was changed. `upstream`: whoever could not be reached; null: one of the two. */
export const unavailableAnswer = (upstream: string | null): MessageContent =>
  cardOf([
    `${escapeHtml(upstream ?? 'The marketplace or the Sui full node')} is not answering right now. Nothing was changed. Please try again in a few minutes.`,
  ]);

/** Something broke on our side; the log says what. */
export const brokenAnswer = (): MessageContent =>
  cardOf(['That did not work, and it is my fault. Nothing was changed. Please try again in a few minutes.']);

/** A button whose question is over, pressed by whoever scrolled up to it. */
export const outdatedPress = 'This button is out of date. Please send the command again.';

/** Shown over the chat to somebody who pressed a button meant for group admins. */
export const adminsOnlyPress = 'Only group admins can change this.';

/** Said once when more is asked in a chat than may be answered there. */
export const waitNotice = (waitMs: number): MessageContent =>
  cardOf([`I am answering a lot here. Back in ${Math.max(1, Math.ceil(waitMs / 1_000))} s.`], { isSilent: true });

export const unknownCommand = (): MessageContent =>
  cardOf(['I do not know this command. Send /help to see all of them.']);

/** To words in private, which are none for the bot. */
export const commandsOnly = (): MessageContent => cardOf(['I understand commands only. Send /help to see them.']);
