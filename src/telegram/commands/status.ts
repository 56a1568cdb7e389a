import type { TrackedCollection } from '../../market/contract.ts';
import {
  foreignHtml,
  nameGraphemesMax,
  cardOf,
  collectionHtml,
  headline,
  type MessageContent,
} from '../cards/message-html.ts';
import { type Command, inTrackedGroup } from './command.ts';
import { whereLine } from '../cards/chat-texts.ts';
import { ageText, agoText, failureSentence } from './texts/collection-texts.ts';

/** Rulings R4: last check, source lag, permissions, pinned topic. */
export const status: Command = {
  name: 'status',
  who: 'anyone',
  where: 'groups',
  menuLine: 'Last check, permissions, waiting messages',
  handle: inTrackedGroup(async ({ collection }, { chatId, topicId, answer }, deps) => {
    const [chat, deliveries] = await Promise.all([deps.chats.read(chatId), deps.outbox.ofChat(chatId)]);
    const { canSendPhotos = true, trouble = null, topicState: state = 'open', topicId: pinnedId = null } = chat ?? {};
    const pinned = pinnedId === null ? null : { chatId, topicId: pinnedId, state, askedInTopicId: topicId };
    return answer(statusAnswer({ collection, canSendPhotos, trouble, pinned, ...deliveries, now: deps.clock.now() }));
  }),
};

interface StatusView {
  readonly collection: TrackedCollection;
  readonly canSendPhotos: boolean;
  readonly pinned: Parameters<typeof whereLine>[0];
  readonly pendingCount: number;
  readonly oldestPendingAt: Date | null;
  readonly lastSentAt: Date | null;
  readonly trouble: string | null;
  readonly now: Date;
}

/** Rulings R4: last check and source lag. Only an answered check counts. */
const checkLine = ({ collection, now }: StatusView): string => {
  const { lastSucceededAt, failingSince } = collection;
  const last = `Last check: ${lastSucceededAt === null ? 'not yet' : agoText(lastSucceededAt, now)}`;
  if (failingSince === null) return last;
  // If the collection now has another address, its events are posted only if it returns to this one.
  const promise = failingSince.reason === 'collection-unknown' ? '' : ' I keep trying; nothing is lost.';
  return `${last}; ${failureSentence(collection)}${promise}`;
};

/** Anyone who can read this sees that messages are allowed. */
const permissionLine = ({ canSendPhotos }: StatusView): string =>
  canSendPhotos
    ? 'Permissions: messages and photos allowed'
    : 'Permissions: I cannot send photos here, so cards come without pictures. An admin can allow it in the group’s permissions, and then send /test.';

const pendingLine = ({ pendingCount, oldestPendingAt, now }: StatusView): string =>
  pendingCount === 0 || oldestPendingAt === null
    ? 'Waiting messages: none'
    : `Waiting messages: ${pendingCount}, the oldest for ${ageText(now.getTime() - oldestPendingAt.getTime())}`;

export const statusAnswer = (view: StatusView): MessageContent => {
  const { collection, lastSentAt, now, trouble } = view;
  return cardOf([
    headline('🩺', `<b>Tracking ${collectionHtml(collection.name)}</b>`),
    checkLine(view),
    permissionLine(view),
    whereLine(view.pinned),
    pendingLine(view),
    lastSentAt === null ? 'Last notification: none yet' : `Last notification: ${agoText(lastSentAt, now)}`,
    trouble === null ? null : `Telegram says: ${foreignHtml(trouble, 2 * nameGraphemesMax)}`,
  ]);
};
