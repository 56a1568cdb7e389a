import type { Selectable } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Card, Posting, PostState } from '../../payouts/payouts-contract.ts';
import { foreignHtml, cardOf, headline, link, type MessageContent } from '../cards/message-html.ts';
import { mutedTroubleText } from '../cards/chat-texts.ts';
import { idleReason } from '../admin/bot-status.ts';
import type { TelegramParts } from '../bot-deps.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import { insertMessages } from '../send/enqueue-messages.ts';

/**
 * The team's posts in groups: messages of the outbox like any other, with the same limits, retries and handling of groups
 * that are gone. They belong to no configuration, so they stay when one is deleted.
 */
export const createTelegramPosting = ({ db, chats, config, service }: TelegramParts): Posting => ({
  places: async () => {
    const idle = await idleReason({ config, service });
    const groups = await db
      .selectFrom('telegramChats')
      .select(['chatId', 'title', 'canSendMessages', 'trouble'])
      .where('removedAt', 'is', null)
      .where('kind', 'in', ['group', 'supergroup'])
      .orderBy(({ fn }) => fn('lower', ['title']))
      .orderBy('chatId')
      .execute();
    return groups.map(({ chatId, title, canSendMessages, trouble }) => ({
      id: chatId,
      name: title,
      trouble: idle ?? trouble ?? (canSendMessages ? null : mutedTroubleText),
    }));
  },
  post: async (chatId, card, trx) => {
    await chats.lock(trx, chatId);
    const chat = await chats.read(chatId, trx);
    if (chat === null || chat.removedAt !== null) return null;
    const notice = { chatId, topicId: openTopicOf(chat), kind: 'notice', content: announcementCard(card) } as const;
    const [id] = await insertMessages(trx, [notice]);
    return id ?? null;
  },
  drop: async (ids, reason, trx) => {
    const waiting = trx.selectFrom('telegramMessages').select('id').where('id', 'in', ids);
    await trx
      .updateTable('telegramMessages')
      .set({ state: 'dropped', reason })
      .where('id', 'in', waiting.where('state', 'in', ['pending', 'sending']).orderBy('id').forNoKeyUpdate())
      .execute();
  },
  states: async (ids, trx) => {
    if (ids.length === 0) return new Map();
    const rows = await (trx ?? db)
      .selectFrom('telegramMessages as m')
      .innerJoin('telegramChats as chat', 'chat.chatId', 'm.chatId')
      .select(['m.id', 'm.chatId', 'm.state', 'm.reason', 'm.isDoubtful', 'm.sentAt', 'chat.removedAt'])
      .where('m.id', 'in', ids)
      .execute();
    return new Map(rows.map((row) => [row.id, stateOf(row)]));
  },
});

const states = { pending: 'waiting', sending: 'waiting', sent: 'posted', failed: 'failed', dropped: 'failed' } as const;

type Row = Pick<Selectable<Database['telegramMessages']>, 'chatId' | 'state' | 'reason' | 'isDoubtful' | 'sentAt'> &
  Pick<Selectable<Database['telegramChats']>, 'removedAt'>;

const removedReason = 'The bot was removed from this group.';

const stateOf = ({ chatId, state, reason, isDoubtful, sentAt, removedAt }: Row): PostState => ({
  placeId: chatId,
  state: states[state],
  reason: reason === 'bot-removed' || (state === 'pending' && removedAt !== null) ? removedReason : reason,
  isDoubtful,
  postedAt: sentAt,
});

const lineGraphemesMax = 200;

/** A card of the team. Its text may contain foreign text, such as the symbol of a coin. */
const announcementCard = (card: Card): MessageContent =>
  cardOf([
    headline(card.sign, `<b>${foreignHtml(card.headline, lineGraphemesMax)}</b>`),
    ...card.lines.map((line) => foreignHtml(line, lineGraphemesMax)),
    link(card.link.url, card.link.label),
  ]);
