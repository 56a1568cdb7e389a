import * as z from 'zod/mini';
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
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
  readAnswer,
  rowId,
  text,
  textOrNone,
  time,
} from '../../../ui/api/answer-schema.ts';

/** GET /api/telegram/status: `active` and `configCount` are specification 7's, the rest is from rulings R4. */
export const telegramStatus = z.object({
  active: flagOrOff,
  configCount: number,
  state: oneOf('not-configured', 'inactive', 'starting', 'active', 'failing'),
  wanted: oneOf('active', 'inactive'),
  username: orUnknown(z.string()),
  since: orUnknown(instant),
  lastError: orUnknown(z.object({ message: z.string(), at: time })),
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
  options: part({ minPriceSui: text, listingsAtFloorOnly: flag, quietHours: text, recap: text }),
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

/** Specification 9: status and configurations are polled every 30000 ms. */
const pollEveryMs = 30_000;
/** While something is about to happen that the admin waits for. */
const watchEveryMs = 2_000;

/** A call of this tab. The paths are the keys under which their answers are kept. */
const paths = {
  status: '/api/telegram/status',
  configurations: '/api/telegram/configs',
  deleted: '/api/telegram/deleted-configs',
} as const;

/** What every query of the tab shares: offline is a failure to be told, and an old answer is read anew. */
const polled = { refetchInterval: pollEveryMs, staleTime: pollEveryMs, networkMode: 'always' } as const;

export const useTelegramStatus = () =>
  useQuery({
    ...polled,
    queryKey: [paths.status],
    queryFn: ({ signal }) => readAnswer(paths.status, telegramStatus, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'starting' ? watchEveryMs : pollEveryMs),
  });

export const useTelegramConfigurations = () =>
  useQuery({
    ...polled,
    queryKey: [paths.configurations],
    queryFn: ({ signal }) => readAnswer(paths.configurations, telegramConfigurations, signal),
  });

export const useDeletedConfigurations = (wanted: boolean) =>
  useQuery({
    ...polled,
    queryKey: [paths.deleted],
    queryFn: ({ signal }) => readAnswer(paths.deleted, telegramConfigurations, signal),
    enabled: wanted,
  });

type Page = z.infer<typeof deliveriesPage>;

const isOnItsWay = ({ state }: Page['messages'][number]): boolean => state === 'pending' || state === 'sending';

/** Newest first, an older page at a time. */
export const useDeliveries = (configurationId: string) =>
  useInfiniteQuery({
    ...polled,
    queryKey: ['/api/telegram/deliveries', configurationId],
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === null ? '' : `?before=${pageParam}`;
      return readAnswer(
        `${paths.configurations}/${encodeURIComponent(configurationId)}/deliveries${before}`,
        deliveriesPage,
        signal,
      );
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.messages.some(isOnItsWay) === true ? watchEveryMs : pollEveryMs,
  });

const refreshAll = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/telegram/') });

/** Specification 7: after a successful change status and configurations are refreshed; deliveries and the deleted too. */
export function useRefreshTelegram(): () => void {
  const client = useQueryClient();
  return useCallback(() => void refreshAll(client), [client]);
}
