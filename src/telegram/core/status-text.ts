import type { TrackedCollection } from '../../collections/contract.ts';
import { cardOf, collectionHtml, headline } from './card-parts.ts';
import { foreignHtml, nameGraphemesMax } from './foreign-text.ts';
import type { MessageContent } from './message-content.ts';
import { ageText } from './time-text.ts';

interface StatusView {
  readonly collection: TrackedCollection;
  readonly canSendMessages: boolean;
  readonly canSendPhotos: boolean;
  readonly isTopicPinned: boolean;
  readonly pendingCount: number;
  readonly oldestPendingAt: Date | null;
  readonly lastSentAt: Date | null;
  /** The platform's own words. */
  readonly trouble: string | null;
  readonly now: Date;
}

const agoOf = (at: Date, now: Date): string => `${ageText(now.getTime() - at.getTime())} ago`;

const sourceLine = ({ collection, now }: StatusView): string => {
  if (collection.failingSince !== null) {
    const since = agoOf(collection.failingSince.at, now);
    return `Marketplace: does not answer since ${since}. I keep trying; nothing is lost.`;
  }
  return collection.lastSucceededAt === null
    ? 'Marketplace: not read yet'
    : `Marketplace: last read ${agoOf(collection.lastSucceededAt, now)}`;
};

const permissionLine = ({ canSendMessages, canSendPhotos }: StatusView): string => {
  if (!canSendMessages)
    return 'Permissions: I may not send messages here. An admin can allow it in the group’s permissions.';
  return canSendPhotos
    ? 'Permissions: messages and photos allowed'
    : 'Permissions: I may not send photos here, so cards come without pictures. An admin can allow it in the group’s permissions.';
};

const pendingLine = ({ pendingCount, oldestPendingAt, now }: StatusView): string =>
  pendingCount === 0 || oldestPendingAt === null
    ? 'Waiting messages: none'
    : `Waiting messages: ${pendingCount}, the oldest for ${ageText(now.getTime() - oldestPendingAt.getTime())}`;

/** /status (rulings R4): last check, source lag, permissions, pinned topic. */
export const statusAnswer = (view: StatusView): MessageContent => {
  const { collection, lastSentAt, now, trouble } = view;
  return cardOf([
    headline('🩺', `<b>Tracking ${collectionHtml(collection.name)}</b>`),
    collection.lastCheckedAt === null ? 'Last check: not yet' : `Last check: ${agoOf(collection.lastCheckedAt, now)}`,
    sourceLine(view),
    permissionLine(view),
    view.isTopicPinned ? 'Notifications go to: the topic of the last setup' : 'Notifications go to: the group itself',
    pendingLine(view),
    lastSentAt === null ? 'Last notification: none yet' : `Last notification: ${agoOf(lastSentAt, now)}`,
    trouble === null ? null : `Telegram says: ${foreignHtml(trouble, 2 * nameGraphemesMax)}`,
  ]);
};
