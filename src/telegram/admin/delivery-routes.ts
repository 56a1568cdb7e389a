import { z } from 'zod';

import { transact } from '../../db/transaction.ts';
import { type Admin, adminOf, defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { Refused } from '../../shared/failure.ts';
import { rowId } from '../../shared/parsed-text.ts';
import type { TelegramParts } from '../bot-deps.ts';
import { sampleFor } from '../commands/test.ts';
import { openTopicOf } from '../configs/chat-store.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import { subjectOf } from '../configs/configuration-fields.ts';
import { lockWithChat } from '../configs/configuring.ts';
import { deliveriesAnswer, telegramMessage } from '../contract.ts';
import { configurationDeleted } from '../send/outbox.ts';
import { idleReason } from './bot-status.ts';
import { configParams } from './configuration-routes.ts';

/** Rulings R6: what was sent to a chat, what failed and why; retry and send test. */
export const deliveryRoutes = (parts: TelegramParts): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/telegram/configs/{configId}/deliveries',
    access: 'operator',
    summary: "A chat's messages, newest first, with the platform's own reason where one failed",
    params: configParams,
    query: z.object({ before: rowId.optional() }),
    answer: deliveriesAnswer,
    handle: async ({ params, query }) => {
      const { id } = await knownConfiguration(parts, params.configId);
      const page = await parts.outbox.page(id, query.before ?? null);
      return { data: page };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/telegram/messages/{messageId}/retry',
    access: 'operator',
    summary: 'Send a failed message again',
    params: z.object({ messageId: rowId }),
    answer: telegramMessage,
    handle: async ({ params, user }) => retry(parts, params.messageId, adminOf(user)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/telegram/configs/{configId}/send-test',
    access: 'operator',
    summary: 'Post the latest real sale to the chat as a sample',
    params: configParams,
    answer: telegramMessage,
    handle: async ({ params, user }) => sendTest(parts, params.configId, adminOf(user)),
  }),
];

async function knownConfiguration({ configurations }: TelegramParts, id: string): Promise<Configuration> {
  const configuration = await configurations.find(id);
  if (configuration !== null) return configuration;
  throw unknownConfiguration();
}

const unknownConfiguration = (): Refused =>
  new Refused('not-found', 'There is no such configuration: it may have been purged. Refresh the list.');

const retry = ({ db, outbox, audit }: TelegramParts, messageId: string, actor: Admin): Promise<RouteAnswer> =>
  transact(db, async (trx) => {
    const message = await outbox.retry(trx, messageId);
    const subject = { kind: 'telegram-message', id: messageId, label: `Message ${messageId}` };
    const change = { before: { state: 'failed' }, after: { state: message.state } };
    await audit.record({ actor, action: 'telegram-message-retried', subject, ...change }, trx);
    return { data: message };
  });

async function sendTest(parts: TelegramParts, configId: string, actor: Admin): Promise<RouteAnswer> {
  const configuration = await knownConfiguration(parts, configId);
  const idle = await idleReason(parts);
  if (idle !== null) throw new Refused('bot-off', idle, { status: 409 });
  const content = await sampleFor(parts, configuration);
  return transact(parts.db, async (trx) => {
    const locked = await lockWithChat(trx, parts, configId);
    if (locked === null) throw unknownConfiguration();
    if (locked.deletedAt !== null) throw configurationDeleted();
    const chat = await parts.chats.read(locked.chatId, trx);
    if (chat === null || chat.removedAt !== null)
      throw new Refused('chat-removed', 'The bot was removed from this chat. Add it, then send a test.', {
        status: 409,
      });
    await parts.chats.tryPhotos(locked.chatId, trx);
    const test = { configurationId: configId, chatId: locked.chatId, topicId: openTopicOf(chat), content };
    const queued = await parts.outbox.enqueueTest(trx, test);
    const subject = subjectOf(locked, chat.title);
    const after = { messageId: queued.id };
    await parts.audit.record({ actor, action: 'telegram-test-sent', subject, before: null, after }, trx);
    return { data: queued };
  });
}
