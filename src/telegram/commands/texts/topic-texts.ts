import { cardOf } from '../../cards/parts.ts';
import type { MessageContent } from '../../cards/message-content.ts';

/** A topic to which notifications cannot go. */
export type TopicAway = 'closed' | 'gone';

/** For the chat's admins: our own words, not Telegram's. */
export const topicTrouble: Readonly<Record<TopicAway, string>> = {
  closed: 'The topic for notifications is closed: they go to the group itself until it is reopened.',
  gone: 'The topic for notifications is gone: they go to the group itself. Send /setup or /tracking in another topic to move them there.',
};

/** Likewise: Telegram reported in an update, without words, that the bot was muted. */
export const muteTrouble = 'The bot may not send messages in this chat.';

/** Whether a chat's trouble is stated in our own words. */
export const isOwnTrouble = (trouble: string): boolean =>
  [topicTrouble.closed, topicTrouble.gone, muteTrouble].includes(trouble);

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
  /** Where it was requested. */
  readonly askedInTopicId: number | null;
}

/** Only supergroups have topics; their ids begin with -100, which links omit (core.telegram.org/api/links). */
const topicHtml = ({ chatId, topicId }: Pinned): string => {
  const internalId = /^-100(\d+)$/.exec(String(chatId))?.[1];
  return internalId === undefined
    ? 'a topic'
    : `<a href="https://t.me/c/${internalId}/${topicId}">a topic of its own</a>`;
};

/** For /status; null: no topic. */
export const whereLine = (pinned: Pinned | null): string => {
  if (pinned === null) return 'Notifications go to: the group itself';
  if (pinned.state === 'closed')
    return `Notifications go to: the group itself, because ${topicHtml(pinned)} is closed. They go back when it is reopened.`;
  if (pinned.state === 'gone')
    return 'Notifications go to: the group itself, because their topic is gone. /tracking sent in another topic brings them there.';
  return `Notifications go to: ${pinned.askedInTopicId === pinned.topicId ? 'this topic' : topicHtml(pinned)}`;
};

/** Shown below the text of /tracking. */
export const pinnedLine = 'From now on notifications come to this topic.';
