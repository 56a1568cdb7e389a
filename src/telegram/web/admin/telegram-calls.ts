import * as z from 'zod/mini';
import {
  flag,
  flagOrOff,
  instant,
  list,
  number,
  oneOf,
  orNull,
  orUnknown,
  part,
  rowId,
  rows,
  text,
  textOrNone,
  time,
} from '../../../ui/api/answer-schema.ts';
import { botServiceAnswer } from '../../../ui/bot-service.tsx';
import { pollEveryMs, useAnswer, useAnswerPages, useRefresh, watchEveryMs } from '../../../ui/api/use-answer.ts';

/** GET /api/telegram/status: `active` and `configCount` are specification 7's, the rest is from rulings R4. */
export const telegramStatus = z.object({
  active: flagOrOff,
  configCount: number,
  ...botServiceAnswer,
  username: orUnknown(z.string()),
  mode: oneOf('polling', 'webhook'),
  pendingCount: number,
  oldestPendingSeconds: number,
  marketOutage: part({ since: instant, collectionCount: z.number() }),
});
export type TelegramStatus = z.infer<typeof telegramStatus>;

/** Specification 3, Telegram configuration; from `options` on, what rulings R4 and R6 add. */
export const telegramConfiguration = z.object({
  id: rowId,
  chatId: textOrNone,
  collectionName: textOrNone,
  collectionId: textOrNone,
  hexCollectionId: text,
  maxSupply: number,
  trackMint: flagOrOff,
  trackSales: flagOrOff,
  trackListings: flagOrOff,
  trackBids: flagOrOff,
  mintStats: part({ mintedCount: number }),
  options: rows(z.string()),
  version: number,
  chatTitle: textOrNone,
  chatState: oneOf('ok', 'trouble', 'removed'),
  trouble: text,
  purgeAt: time,
  deletedAt: time,
  source: part({ lastCheckedAt: orUnknown(instant), lastSucceededAt: orUnknown(instant), failure: text }),
  lastEventAt: orUnknown(instant),
  lastSentAt: orUnknown(instant),
  pendingCount: number,
  failedCount: number,
  doubtfulCount: number,
});
export type TelegramConfiguration = z.infer<typeof telegramConfiguration>;

/** GET /api/telegram/configs, and /api/telegram/deleted-configs. */
export const telegramConfigurations = list(telegramConfiguration);

const telegramMessage = z.object({
  id: rowId,
  kind: oneOf('card', 'folded', 'digest', 'recap', 'notice', 'test'),
  preview: textOrNone,
  eventCount: number,
  state: oneOf('pending', 'sending', 'sent', 'failed', 'dropped'),
  attempts: number,
  isDoubtful: flag,
  reason: text,
  createdAt: time,
  sentAt: time,
});
export type TelegramMessage = z.infer<typeof telegramMessage>;

/** GET /api/telegram/configs/{configId}/deliveries. */
export const deliveriesPage = z.object({ messages: list(telegramMessage), nextBefore: orNull(rowId) });

const configurationsPath = '/api/telegram/configs';

export const configurationPath = (id: string): string => `${configurationsPath}/${encodeURIComponent(id)}`;

export const useTelegramStatus = () =>
  useAnswer('/api/telegram/status', telegramStatus, {
    refetchInterval: ({ state }) => (state.data?.state === 'starting' ? watchEveryMs : pollEveryMs),
  });

export const useTelegramConfigurations = () => useAnswer(configurationsPath, telegramConfigurations);

export const useDeletedConfigurations = (enabled: boolean) =>
  useAnswer('/api/telegram/deleted-configs', telegramConfigurations, { enabled });

const isQueued = ({ state }: TelegramMessage): boolean => state === 'pending' || state === 'sending';

export const useDeliveries = (configurationId: string) =>
  useAnswerPages({
    key: ['/api/telegram/deliveries', configurationId],
    schema: deliveriesPage,
    pathOf: (before) => `${configurationPath(configurationId)}/deliveries${before === null ? '' : `?before=${before}`}`,
    cursorOf: ({ nextBefore }) => nextBefore,
    rowsOf: ({ messages }) => messages,
    keyOf: ({ id }) => id,
    refetchInterval: ([newest]) => (newest?.messages.some(isQueued) === true ? watchEveryMs : pollEveryMs),
  });

/** Also refreshes the deliveries and the deleted configurations. */
export const useRefreshTelegram = (): (() => void) => useRefresh('/api/telegram/');
