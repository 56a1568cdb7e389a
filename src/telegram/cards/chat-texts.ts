import type { Unavailable } from '../../shared/failure.ts';
import { escapeHtml } from '../../shared/foreign-text.ts';
import {
  cardOf,
  collectionHtml,
  headline,
  foreignHtml,
  wordGraphemesMax,
  type MessageContent,
} from './message-html.ts';

export const safetyLine = 'The bot never asks for a seed phrase, a signature or a payment.';

/** Rulings R4: a command that belongs in a group, sent in private. */
export const groupOnly = (command: string): MessageContent =>
  cardOf([
    `/${foreignHtml(command, wordGraphemesMax)} belongs in a group. Add me to one where you are an admin and send it there.`,
  ]);

/** Sent to each person once a day at most, to keep the group quiet. `isAsChannel`: written in the name of a channel or another chat. */
export const adminsOnly = (isAsChannel: boolean): MessageContent =>
  cardOf(
    [
      isAsChannel
        ? 'This is for group admins. If you are one, send it as yourself: in the name of a channel, anyone may be writing.'
        : 'This is for group admins. Send /help to see what everyone can use.',
    ],
    { isSilent: true },
  );

export const adminUnknown = (): MessageContent =>
  cardOf(
    [
      'Telegram cannot confirm right now that you are a group admin. Nothing was changed. Please try again in a minute.',
    ],
    { isSilent: true },
  );

export const notConfigured = (): MessageContent =>
  cardOf(['No collection is configured here yet. A group admin can send /setup with the collection address.']);

/** Specification 9: back within 30 days of its removal, the bot still has its configuration and says so. */
export const restoredNotice = (collectionName: string): MessageContent =>
  cardOf([
    headline('🪨', `I am back, and the configuration is as it was: <b>${collectionHtml(collectionName)}</b>.`),
    'Group admins change the settings with /tracking.',
  ]);

/** An outside request failed: nothing was changed. `upstream`: the failing service; null: one of the two. */
export const unavailableAnswer = ({ upstream, reason }: Pick<Unavailable, 'upstream' | 'reason'>): MessageContent =>
  cardOf([
    reason.startsWith('marketplace-key-')
      ? 'Collections cannot be looked up until the operator of this bot sets a valid marketplace key. Nothing was changed.'
      : `${escapeHtml(upstream ?? 'The marketplace or the Sui full node')} is not answering right now. Nothing was changed. Please try again in a few minutes.`,
  ]);

export const brokenAnswer = (): MessageContent =>
  cardOf(['That did not work, and it is my fault. Nothing was changed. Please try again in a few minutes.']);

/** A button of an expired question, pressed by someone who scrolled up. */
export const outdatedPress = 'This button is out of date. Please send the command again.';

/** A press names the person, and Telegram shows anonymous admins only to a bot that is an admin (tdlib/telegram-bot-api#667). */
export const adminsOnlyPress =
  'Only group admins can change this. Are you an anonymous admin? Telegram hides you from me: make me an admin too, or stop being anonymous, then press again.';

export const unknownCommand = (): MessageContent =>
  cardOf(['I do not know this command. Send /help to see all of them.']);

export const commandsOnly = (): MessageContent => cardOf(['I understand commands only. Send /help to see them.']);

/** A topic to which notifications cannot go. */
export type TopicAway = 'closed' | 'gone';

/** Shown to the product's admins. */
export const topicTroubleTexts: Readonly<Record<TopicAway, string>> = {
  closed: 'The topic for notifications is closed: they go to the group itself until it is reopened.',
  gone: 'The topic for notifications is gone: they go to the group itself. Send /setup or /tracking in another topic to move them there.',
};

/** Telegram reports a mute in an update without a text. */
export const mutedTroubleText = 'The bot may not send messages in this chat.';

/** Explains once to the group why a topic's notifications now come to everyone. */
export const topicAwayNotice = (state: TopicAway): MessageContent =>
  cardOf(
    [
      state === 'closed'
        ? 'The topic for my notifications was closed. They come here until it is reopened.'
        : 'The topic for my notifications is gone. They come here now; a group admin can bring them to another topic by sending /tracking there.',
    ],
    { isSilent: true },
  );

interface Pinned {
  readonly chatId: number;
  readonly topicId: number;
  readonly state: 'open' | TopicAway;
  readonly askedInTopicId: number | null;
}

/** Only supergroups have topics; their ids begin with -100, which links omit (core.telegram.org/api/links). */
const topicHtml = ({ chatId, topicId }: Pinned): string =>
  `<a href="https://t.me/c/${String(chatId).slice(4)}/${topicId}">their own topic</a>`;

/** For /status; null: no topic. */
export const whereLine = (pinned: Pinned | null): string => {
  if (pinned === null) return 'Notifications go to: the group itself';
  if (pinned.state === 'closed')
    return `Notifications go to: the group itself, because ${topicHtml(pinned)} is closed. They go back when it is reopened.`;
  if (pinned.state === 'gone')
    return 'Notifications go to: the group itself, because their topic is gone. /tracking sent in another topic brings them there.';
  return `Notifications go to: ${pinned.askedInTopicId === pinned.topicId ? 'this topic' : topicHtml(pinned)}`;
};

export const pinnedLine = 'From now on notifications come to this topic.';
