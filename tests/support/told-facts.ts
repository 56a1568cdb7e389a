import type { MessageContent } from '../../src/telegram/cards/message-html.ts';
import { minutesAgo, someCollection, storyNow } from './activity-events.ts';
import { readTelegramHtml } from './telegram-html.ts';

/** The facts behind /floor and /status when everything works. */
export const goodFacts = { collection: someCollection(), usdPerSui: '3.5', pollMaxMs: 45_000, now: storyNow };
export const goodStatus = {
  collection: someCollection(),
  canSendPhotos: true,
  pinned: null,
  pendingCount: 0,
  oldestPendingAt: null,
  lastSentAt: minutesAgo(5),
  trouble: null,
  now: storyNow,
};

/** The text that a chat sees. */
export const textOf = ({ html }: MessageContent): string => readTelegramHtml(html).text;
