import { z } from 'zod';

import {
  type Admin,
  adminOf,
  failure,
  versionOf,
  defineRoute,
  type Route,
  type RouteAnswer,
  type RouteRequest,
} from '../../http/route.ts';
import { botServiceRoutes } from '../../http/bot-service-routes.ts';
import { failureBody } from '../../http/failure-answer.ts';
import { Refused } from '../../shared/failure.ts';
import type { ConfigurationList } from './configuration-list.ts';
import {
  changeConfiguration,
  type Changed,
  type ConfiguringDeps,
  removeConfiguration,
  restoreConfiguration,
  setHexId,
} from '../configs/configuring.ts';
import {
  configParams,
  hexCollectionIdBody,
  resetMintCountBody,
  staleConfigAnswer,
  telegramConfigAnswer,
  telegramConfigsAnswer,
  type TelegramStatusAnswer,
  telegramStatusAnswer,
} from '../contract.ts';

export interface TelegramCalls extends ConfiguringDeps {
  readonly status: () => Promise<TelegramStatusAnswer['data']>;
  /** Resolves when the bot is in that state, is known to fail, or time is up. */
  readonly switchTo: (wanted: 'active' | 'inactive', by: Admin) => Promise<void>;
  readonly list: ConfigurationList;
}

/** Specification 7 and rulings R6: the admin calls of the group-chat bot. */
export const telegramRoutes = (calls: TelegramCalls): readonly Route[] => [
  ...serviceRoutes(calls),
  ...listRoutes(calls),
  ...editRoutes(calls),
  ...keepingRoutes(calls),
];

const serviceRoutes = ({ status, switchTo }: TelegramCalls): readonly Route[] =>
  botServiceRoutes({
    basePath: '/api/telegram',
    called: 'the group-chat bot',
    answer: telegramStatusAnswer,
    status,
    switchTo,
    noToken: 'There is no bot token. Ask @BotFather for one, set TELEGRAM_BOT_TOKEN to it and restart the product.',
  });

const listRoutes = ({ list }: TelegramCalls): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/telegram/configs',
    access: 'operator',
    summary: 'Every configuration, with the state of its chat and its collection',
    answer: telegramConfigsAnswer,
    handle: async () => ({ status: 200, body: { data: await list.present() } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/telegram/deleted-configs',
    access: 'operator',
    summary: 'Deleted configurations that can still be restored, newest first',
    answer: telegramConfigsAnswer,
    handle: async () => ({ status: 200, body: { data: await list.deleted() } }),
  }),
];

const change = {
  access: 'operator',
  params: configParams,
  answer: telegramConfigAnswer,
  failures: { 409: z.union([staleConfigAnswer, failureBody]) },
} as const;

const editRoutes = (calls: TelegramCalls): readonly Route[] => [
  defineRoute({
    ...change,
    method: 'POST',
    path: '/api/telegram/reset-mint-count/{configId}',
    summary: 'Set how many NFTs count as minted; with If-Match, only if that is the current version',
    bodyBytes: 1_024,
    body: resetMintCountBody,
    handle: async ({ params: { configId: id }, body: { count }, ...request }) => {
      const by = byOf(request, 'telegram-mint-count-reset');
      return answerOf(calls, id, await changeConfiguration(calls, id, { mintedCount: count }, by), { count });
    },
  }),
  defineRoute({
    ...change,
    method: 'PUT',
    path: '/api/telegram/config/{configId}',
    summary: 'Set the ID that replaces the collection ID in marketplace queries; empty or null removes it',
    bodyBytes: 4 * 1_024,
    body: hexCollectionIdBody,
    handle: async ({ params: { configId: id }, body: { hexCollectionId }, ...request }) => {
      const outcome = await setHexId(calls, id, hexCollectionId, byOf(request, 'telegram-hex-id-changed'));
      if (outcome.kind === 'refused') return failure(outcome.status, outcome.code, outcome.message);
      return answerOf(calls, id, outcome, { hexCollectionId });
    },
  }),
];

const keepingRoutes = (calls: TelegramCalls): readonly Route[] => [
  defineRoute({
    ...change,
    method: 'DELETE',
    path: '/api/telegram/configs/{configId}',
    summary: 'Delete a configuration; it can be restored for 30 days',
    handle: async ({ params: { configId: id }, ...request }) => {
      const by = byOf(request, 'telegram-configuration-deleted');
      return answerOf(calls, id, await removeConfiguration(calls, id, by));
    },
  }),
  defineRoute({
    ...change,
    method: 'POST',
    path: '/api/telegram/configs/{configId}/restore',
    summary: 'Bring a deleted configuration back; 409 when its chat tracks another collection meanwhile',
    handle: async ({ params: { configId: id }, ...request }) => {
      const outcome = await restoreConfiguration(calls, id, byOf(request, 'telegram-configuration-restored'));
      if (outcome.kind !== 'chat-taken') return answerOf(calls, id, outcome);
      const message = `This chat tracks ${outcome.collectionName} meanwhile, and a group tracks one collection. Delete that configuration first.`;
      return failure(409, 'chat-taken', message);
    },
  }),
];

async function answerOf(
  { list }: TelegramCalls,
  id: string,
  changed: Changed,
  yours: Readonly<Record<string, unknown>> = {},
): Promise<RouteAnswer> {
  const current = await list.one(id);
  if (current === null) throw new Refused('not-found', 'There is no such configuration any more. Refresh the list.');
  if (changed.kind === 'changed') return { status: 200, body: { data: current } };
  const message = 'Someone else changed this configuration in the meantime. Check it as it is now, then save again.';
  return { status: 409, body: { message, code: 'stale', current, yours } };
}

const byOf = ({ user, ifMatch }: Pick<RouteRequest, 'user' | 'ifMatch'>, action: string) => ({
  actor: adminOf(user),
  action,
  ifVersion: versionOf(ifMatch),
});
