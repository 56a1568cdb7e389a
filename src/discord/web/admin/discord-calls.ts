import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readAnswer } from '../../../ui/api/answer-schema.ts';
import { ApiError } from '../../../ui/api/api-client.ts';
import { serverTimeMs } from '../../../ui/api/server-clock.ts';
import {
  authorizedWallets,
  botInfo,
  discordGuilds,
  type DiscordStatus,
  discordStatus,
  guildStatistics,
  memberExplanation,
  membersPage,
} from './discord-answers.ts';

/** Specification 7 asks for no polling of this bot's calls; the status and the views of rulings R6 are our own. */
const pollEveryMs = 30_000;
/** While something is about to happen that the admin waits for. */
const watchEveryMs = 2_000;
/** When one answer shows that another is out of date. */
const againAfterMs = 500;

/** The paths are the keys under which their answers are kept. */
const paths = {
  status: '/api/discord/status',
  inviteUrl: '/api/discord/invite-url',
  guilds: '/api/discord/guilds',
} as const;

export const guildPath = (guildId: string): string => `${paths.guilds}/${encodeURIComponent(guildId)}`;
export const memberPath = (guildId: string, userId: string): string =>
  `${guildPath(guildId)}/members/${encodeURIComponent(userId)}`;

/** Rulings R2: what they add may not be there at all. */
const isUnknownCall = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** What every query of the tab shares: offline is a failure to be told, and an old answer is read anew. */
const honest = { staleTime: pollEveryMs, networkMode: 'always' } as const;

/** A bot that has just come online is still being told of its servers. */
const settlesInMs = 20_000;
/** Each of them is described within seconds; after so long an empty list is the truth. */
const toldWithinMs = 10_000;

const isOnTheWay = (status: DiscordStatus | undefined): boolean =>
  status !== undefined &&
  (status.state === 'starting' ||
    (status.wanted === 'inactive' && status.online === true) ||
    isOnlineFor(status, Date.now(), settlesInMs));

/** Online, and for less than that. A clock that is wrong by more makes it false. */
const isOnlineFor = ({ online, since }: DiscordStatus, nowMs: number, lessThanMs: number): boolean =>
  online === true && typeof since === 'string' && Math.abs(serverTimeMs(nowMs) - Date.parse(since)) < lessThanMs;

/** The gateway may not have named all servers yet: an empty list proves nothing. */
export const isBeingTold = (status: DiscordStatus | undefined, nowMs: number): boolean =>
  status !== undefined && isOnlineFor(status, nowMs, toldWithinMs);

const useDiscordStatus = () =>
  useQuery({
    ...honest,
    queryKey: [paths.status],
    queryFn: ({ signal }) => readAnswer(paths.status, discordStatus, signal),
    // A server that knows specification 7 alone has no such call.
    refetchInterval: ({ state }) =>
      isUnknownCall(state.error) ? false : isOnTheWay(state.data) ? watchEveryMs : pollEveryMs,
  });

/** `saysOnline`: what the status says; null: it says nothing now. Asked again only while the two disagree. */
const useInviteUrl = (saysOnline: boolean | null) =>
  useQuery({
    ...honest,
    queryKey: [paths.inviteUrl],
    queryFn: ({ signal }) => readAnswer(paths.inviteUrl, botInfo, signal),
    refetchInterval: ({ state }) =>
      saysOnline !== null && saysOnline !== (state.status === 'success' && state.data !== null) ? watchEveryMs : false,
  });

/**
 * Specification 5: requested only once the bot is online. `counted`: how many servers the status has said there are, and
 * when; the list is asked for again only when a newer status counts others.
 */
export const useGuilds = (online: boolean, counted: { readonly count: number | null; readonly atMs: number }) =>
  useQuery({
    ...honest,
    queryKey: [paths.guilds],
    queryFn: ({ signal }) => readAnswer(paths.guilds, discordGuilds, signal),
    enabled: online,
    refetchInterval: ({ state: { data, status, dataUpdatedAt } }) =>
      counted.count !== null && status === 'success' && counted.atMs > dataUpdatedAt && data?.length !== counted.count
        ? againAfterMs
        : false,
  });

export const useStatistics = (guildId: string) =>
  useQuery({
    ...honest,
    queryKey: [`${guildPath(guildId)}/statistics`],
    queryFn: ({ signal }) => readAnswer(`${guildPath(guildId)}/statistics`, guildStatistics, signal),
    refetchInterval: pollEveryMs,
  });

/** In the order of their Discord ids, the next page where the last one ended. */
export const useMembers = (guildId: string, search: string) =>
  useInfiniteQuery({
    ...honest,
    queryKey: [`${guildPath(guildId)}/members`, search],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams();
      if (search !== '') query.set('search', search);
      if (pageParam !== null) query.set('after', pageParam);
      return readAnswer(`${guildPath(guildId)}/members${query.size === 0 ? '' : `?${query}`}`, membersPage, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextAfter }) => nextAfter,
  });

export const useMember = (guildId: string, userId: string) =>
  useQuery({
    ...honest,
    queryKey: [memberPath(guildId, userId)],
    queryFn: ({ signal }) => readAnswer(memberPath(guildId, userId), memberExplanation, signal),
    refetchInterval: pollEveryMs,
  });

export const useAuthorizedWallets = (guildId: string) =>
  useQuery({
    ...honest,
    queryKey: [`${guildPath(guildId)}/wallets`],
    queryFn: ({ signal }) => readAnswer(`${guildPath(guildId)}/wallets`, authorizedWallets, signal),
    refetchInterval: pollEveryMs,
  });

/** Specification 7: the invite-url data is fetched again after Start and Shutdown; the list when it is next asked for. */
const refreshService = async (client: QueryClient): Promise<void> => {
  await client.invalidateQueries({ queryKey: [paths.guilds], refetchType: 'none' });
  await Promise.all([
    client.invalidateQueries({ queryKey: [paths.inviteUrl] }),
    client.invalidateQueries({ queryKey: [paths.status] }),
  ]);
};

export function useRefreshService(): () => void {
  const client = useQueryClient();
  return useCallback(() => void refreshService(client), [client]);
}

/** The list of servers, and whatever is shown of single ones. */
export function useRefreshGuilds(): () => void {
  const client = useQueryClient();
  return useCallback(
    () => void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(paths.guilds) }),
    [client],
  );
}

/** The bot is offline or has no token: an answer, not an outage. */
const isOfflineAnswer = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/**
 * Specification 7: the invite-url data says whether the bot is online, and an error of it means offline (null). The status
 * says more, and when it has changed by itself the invite-url data is fetched again.
 */
export function useBot() {
  const status = useDiscordStatus();
  const invite = useInviteUrl(status.isError ? null : (status.data?.online ?? null));
  return {
    /** null: offline. */
    bot: invite.isError ? null : (invite.data ?? null),
    // Asked again while it is offline, the call counts as pending anew: what is shown stays, and with it the keyboard's place.
    isPending: !invite.isFetched,
    status,
    /** The status could not be read; not so where there is none to be read. */
    isStatusMissing: status.isError && !isUnknownCall(status.error),
    /** Why nothing better than 'offline' can be said. null: it is offline. */
    outage: invite.isError && !isOfflineAnswer(invite.error) ? invite.error : null,
    isFetching: invite.isFetching || status.isFetching,
    refresh: () => {
      void invite.refetch();
      void status.refetch();
    },
  };
}

export type Bot = ReturnType<typeof useBot>;
