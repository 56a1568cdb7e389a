import { z } from 'zod';

import { adminOf, versionOf, defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../../http/route.ts';
import { botServiceRoutes } from '../../http/bot-service-routes.ts';
import { failureBody } from '../../http/failure-answer.ts';
import type { Trx } from '../../db/transaction.ts';
import { Refused } from '../../shared/failure.ts';
import type { TelegramParts } from '../bot/bot-deps.ts';
import { switchService } from '../../bot-service/service-store.ts';
import { readStatus } from './bot-status.ts';
import { createConfigurationList } from './configuration-list.ts';
import {
  changeConfiguration,
  type Changed,
  listenerName,
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
  telegramStatusAnswer,
} from '../contract.ts';

/** Specification 7 and rulings R6: the admin calls of the group-chat bot. */
export const telegramRoutes = (parts: TelegramParts): readonly Route[] => [
  ...serviceRoutes(parts),
  ...listRoutes(createConfigurationList(parts.db, parts.tracking)),
  ...editRoutes(parts),
  ...keepingRoutes(parts),
];

const serviceRoutes = (parts: TelegramParts): readonly Route[] => {
  const { settings, service, tracking, pace } = parts;
  const hasToken = settings.botToken !== null;
  const switching = { ...parts, bot: 'telegram', store: service, hasToken, settleMs: pace.settleMs } as const;
  const setPaused = (isPaused: boolean, trx: Trx): Promise<void> => tracking.setPaused(listenerName, isPaused, trx);
  return botServiceRoutes({
    basePath: '/api/telegram',
    called: 'the group-chat bot',
    answer: telegramStatusAnswer,
    status: () => readStatus(parts),
    switchTo: (wanted, actor) => switchService({ ...switching, setPaused }, wanted, actor),
    noToken: 'There is no bot token. Ask @BotFather for one, set TELEGRAM_BOT_TOKEN to it and restart the product.',
  });
};

const listRoutes = (list: ReturnType<typeof createConfigurationList>): readonly Route[] => [
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

const editRoutes = (parts: TelegramParts): readonly Route[] => [
  defineRoute({
    ...change,
    method: 'POST',
    path: '/api/telegram/reset-mint-count/{configId}',
    summary: 'Set how many NFTs count as minted; with If-Match, only if that is the current version',
    bodyBytes: 1_024,
    body: resetMintCountBody,
    handle: async ({ params: { configId: id }, body: { count }, ...request }) => {
      const by = byOf(request, 'telegram-mint-count-reset');
      return answerOf(parts, id, await changeConfiguration(parts, id, { mintedCount: count }, by), { count });
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
      const by = byOf(request, 'telegram-hex-id-changed');
      return answerOf(parts, id, await setHexId(parts, id, hexCollectionId, by), { hexCollectionId });
    },
  }),
];

const keepingRoutes = (parts: TelegramParts): readonly Route[] => [
  defineRoute({
    ...change,
    method: 'DELETE',
    path: '/api/telegram/configs/{configId}',
    summary: 'Delete a configuration; it can be restored for 30 days',
    handle: async ({ params: { configId: id }, ...request }) => {
      const by = byOf(request, 'telegram-configuration-deleted');
      return answerOf(parts, id, await removeConfiguration(parts, id, by));
    },
  }),
  defineRoute({
    ...change,
    method: 'POST',
    path: '/api/telegram/configs/{configId}/restore',
    summary: 'Restore a deleted configuration; 409 if its chat now tracks another collection',
    handle: async ({ params: { configId: id }, ...request }) => {
      const by = byOf(request, 'telegram-configuration-restored');
      return answerOf(parts, id, await restoreConfiguration(parts, id, by));
    },
  }),
];

async function answerOf(
  { db, tracking }: TelegramParts,
  id: string,
  changed: Changed,
  yours: Readonly<Record<string, unknown>> = {},
): Promise<RouteAnswer> {
  const current = await createConfigurationList(db, tracking).one(id);
  if (current === null) throw new Refused('not-found', 'This configuration no longer exists. Refresh the list.');
  if (changed.kind === 'changed') return { status: 200, body: { data: current } };
  const message = 'Someone else changed this configuration in the meantime. Check it as it is now, then save again.';
  return { status: 409, body: { message, code: 'stale', current, yours } };
}

const byOf = ({ user, ifMatch }: Pick<RouteRequest, 'user' | 'ifMatch'>, action: string) => ({
  actor: adminOf(user),
  action,
  ifVersion: versionOf(ifMatch),
});
