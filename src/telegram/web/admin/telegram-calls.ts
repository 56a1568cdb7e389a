import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type * as z from 'zod/mini';
import { readAnswer } from '../../../ui/api/answer-schema.ts';
import { deliveriesPage, telegramConfigurations, telegramStatus } from './telegram-answers.ts';

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
