import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { type Admin, adminOf, failure, defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { Refused } from '../../shared/failure.ts';
import type { DeliveryStore } from '../send/delivery-store.ts';
import { type ChatStore, type KnownChat, openTopicOf } from '../configs/chat-store.ts';
import type { Configuration, ConfigurationStore } from '../configs/configuration-store.ts';
import { subjectOf } from '../configs/configuration-fields.ts';
import { holdWithChat } from '../configs/configuring.ts';
import { configParams, deliveriesAnswer, deliveriesQuery, messageParams, telegramMessageAnswer } from '../contract.ts';
import type { MessageContent } from '../cards/parts.ts';
import type { AuditTrail } from '../../audit/contract.ts';

export interface DeliveryCalls {
  readonly db: Kysely<Database>;
  readonly configurations: ConfigurationStore;
  readonly chats: ChatStore;
  readonly deliveries: DeliveryStore;
  readonly audit: AuditTrail;
  /** The latest real sale as a card. */
  readonly sampleOf: (configuration: Configuration) => Promise<MessageContent>;
  /** null: messages are sent. Otherwise why not. */
  readonly idleReason: () => Promise<string | null>;
}

/** Rulings R6: what was sent to a chat, what failed and why; retry and send test. */
export const deliveryRoutes = (calls: DeliveryCalls): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/telegram/configs/{configId}/deliveries',
    access: 'operator',
    summary: "A chat's messages, newest first, with the platform's own reason where one failed",
    params: configParams,
    query: deliveriesQuery,
    answer: deliveriesAnswer,
    handle: async ({ params, query }) => {
      const { id } = await knownConfiguration(calls, params.configId);
      const page = await calls.deliveries.page(id, query.before ?? null);
      return { status: 200, body: { data: page } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/telegram/messages/{messageId}/retry',
    access: 'operator',
    summary: 'Send a failed message again',
    params: messageParams,
    answer: telegramMessageAnswer,
    handle: async ({ params, user }) => retry(calls, params.messageId, adminOf(user)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/telegram/configs/{configId}/send-test',
    access: 'operator',
    summary: 'Post the latest real sale to the chat as a sample',
    params: configParams,
    answer: telegramMessageAnswer,
    handle: async ({ params, user }) => sendTest(calls, params.configId, adminOf(user)),
  }),
];

async function knownConfiguration({ configurations }: DeliveryCalls, id: string): Promise<Configuration> {
  const configuration = await configurations.find(id);
  if (configuration !== null) return configuration;
  throw unknownConfiguration();
}

const unknownConfiguration = (): Refused =>
  new Refused('not-found', 'There is no such configuration: it may have been purged. Refresh the list.');

async function retry(calls: DeliveryCalls, messageId: string, actor: Admin): Promise<RouteAnswer> {
  const outcome = await transact(calls.db, async (trx) => {
    const retried = await calls.deliveries.retry(messageId, trx);
    if (retried.kind === 'queued') {
      const subject = { kind: 'telegram-message', id: messageId, label: `Message ${messageId}` };
      const [before, after] = [{ state: 'failed' }, { state: retried.message.state }];
      await calls.audit.record({ actor, action: 'telegram-message-retried', subject, before, after }, trx);
    }
    return retried;
  });
  switch (outcome.kind) {
    case 'queued':
      return { status: 200, body: { data: outcome.message } };
    case 'unknown':
      return failure(404, 'not-found', 'There is no such message: it may have been purged. Refresh the list.');
    case 'chat-removed':
      return failure(409, 'chat-removed', 'The bot was put out of this chat. Add it again, then retry.');
    case 'configuration-deleted':
      return configurationDeleted;
    default:
      return failure(409, 'message-not-failed', 'Only a message that failed can be sent again. Refresh the list.');
  }
}

async function sendTest(calls: DeliveryCalls, configId: string, actor: Admin): Promise<RouteAnswer> {
  const configuration = await knownConfiguration(calls, configId);
  const [refusal, idle] = [refusalOf(configuration), await calls.idleReason()];
  if (refusal !== null) return refusal;
  if (idle !== null) return failure(409, 'bot-off', idle);
  const chat = await calls.chats.read(Number(configuration.chatId));
  if (!isWelcome(chat)) return chatRemoved;
  const content = await calls.sampleOf(configuration);
  return transact(calls.db, (trx) => queueTest(trx, calls, { configId, content, actor }));
}

interface WantedTest {
  readonly configId: string;
  readonly content: MessageContent;
  readonly actor: Admin;
}

/** While the sample was made the configuration may have been deleted, the bot removed, or the group's id changed. */
async function queueTest(
  trx: Trx,
  calls: DeliveryCalls,
  { configId, content, actor }: WantedTest,
): Promise<RouteAnswer> {
  const held = await holdWithChat(trx, calls, configId);
  if (held === null) throw unknownConfiguration();
  const refusal = refusalOf(held);
  if (refusal !== null) return refusal;
  const chat = await calls.chats.read(Number(held.chatId), trx);
  if (!isWelcome(chat)) return chatRemoved;
  const test = { configurationId: configId, chatId: held.chatId, topicId: openTopicOf(chat), content };
  const queued = await calls.deliveries.enqueueTest(test, trx);
  const subject = subjectOf(held, chat.title);
  const after = { messageId: queued.id };
  await calls.audit.record({ actor, action: 'telegram-test-sent', subject, before: null, after }, trx);
  return { status: 200, body: { data: queued } };
}

const configurationDeleted = failure(409, 'configuration-deleted', 'This configuration is deleted. Restore it first.');

const refusalOf = ({ deletedAt }: Configuration): RouteAnswer | null =>
  deletedAt === null ? null : configurationDeleted;

const isWelcome = (chat: KnownChat | null): chat is KnownChat => chat !== null && chat.removedAt === null;

const chatRemoved = failure(409, 'chat-removed', 'The bot was put out of this chat. Add it again, then send a test.');
