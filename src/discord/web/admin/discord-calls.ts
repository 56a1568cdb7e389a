import { failureText, hasStatus, serverTimeMs } from '../../../ui/api/api-client.ts';
import { pollEveryMs, useAnswer, watchEveryMs } from '../../../ui/api/use-answer.ts';
import { botInfo, discordGuilds, type DiscordStatus, discordStatus } from './discord-answers.ts';

const statusPath = '/api/discord/status';
const inviteUrlPath = '/api/discord/invite-url';
export const guildsPath = '/api/discord/guilds';

export const guildPath = (guildId: string): string => `${guildsPath}/${encodeURIComponent(guildId)}`;
export const memberPath = (guildId: string, userId: string): string =>
  `${guildPath(guildId)}/members/${encodeURIComponent(userId)}`;

/** Delay before an answer is fetched again that another one shows to be outdated. */
const againAfterMs = 500;
/** A bot that has just come online is still learning its servers. */
const settlesInMs = 20_000;
/** Discord describes each server within seconds; after this an empty list is correct. */
const listedWithinMs = 10_000;

/** Online for less than `lessThanMs`. False if the clock is wrong by more than that. */
const isOnlineFor = ({ online, since }: DiscordStatus, nowMs: number, lessThanMs: number): boolean =>
  online === true && typeof since === 'string' && Math.abs(serverTimeMs(nowMs) - Date.parse(since)) < lessThanMs;

/** The gateway may not have listed all servers yet: an empty list proves nothing. */
export const isBeingListed = (status: DiscordStatus | undefined, nowMs: number): boolean =>
  status !== undefined && isOnlineFor(status, nowMs, listedWithinMs);

/** Starting, shutting down, or just come online. */
const isChanging = (status: DiscordStatus): boolean =>
  status.state === 'starting' ||
  (status.wanted === 'inactive' && status.online === true) ||
  isOnlineFor(status, Date.now(), settlesInMs);

/** Rulings R2: the calls they add may not exist. */
const isUnknownCall = (error: unknown): boolean => hasStatus(error, 404);

const useDiscordStatus = () =>
  useAnswer(statusPath, discordStatus, {
    refetchInterval: ({ state: { data: status, error } }) => {
      if (isUnknownCall(error)) return false;
      return status !== undefined && isChanging(status) ? watchEveryMs : pollEveryMs;
    },
  });

/** `saysOnline`: what the status says; null: it is not known. Fetched again only while the two disagree (specification 7: no polling). */
const useInviteUrl = (saysOnline: boolean | null) =>
  useAnswer(inviteUrlPath, botInfo, {
    refetchInterval: ({ state: { status, data } }) => {
      const isShownOnline = status === 'success' && data !== null;
      return saysOnline !== null && saysOnline !== isShownOnline ? watchEveryMs : false;
    },
  });

/**
 * Specification 7: the invite-url data says whether the bot is online, and its error means offline (null). The status says more,
 * and when it changes by itself the invite-url data is fetched again.
 */
export function useBot() {
  const status = useDiscordStatus();
  const invite = useInviteUrl(status.isError ? null : (status.data?.online ?? null));
  // 409: the bot is offline or has no token, which is not an outage.
  const isOutage = invite.isError && !hasStatus(invite.error, 409);
  return {
    /** null: offline. */
    info: invite.isError ? null : (invite.data ?? null),
    // A refetch while offline makes the call pending again: the shown content stays, and with it the keyboard focus.
    isPending: !invite.isFetched,
    status,
    /** The status could not be read, although the call exists. */
    isStatusMissing: status.isError && !isUnknownCall(status.error),
    /** Specification 7 shows the bot as offline then; this says that its state is unknown. null: it is known. */
    outage: isOutage ? `Could not find out whether the bot is online. ${failureText(invite.error)}` : null,
    isFetching: invite.isFetching || status.isFetching,
    refresh: () => {
      void invite.refetch();
      void status.refetch();
    },
  };
}

export type Bot = ReturnType<typeof useBot>;

/** Specification 5: fetched only once the bot is online; again only when a newer status has another count of servers. */
export const useGuilds = ({ info, status: { data: status, dataUpdatedAt: countedAtMs } }: Bot) =>
  useAnswer(guildsPath, discordGuilds, {
    enabled: info !== null,
    refetchInterval: ({ state: { data, status: listStatus, dataUpdatedAt } }) => {
      const count = status?.guildCount ?? null;
      const isOutdated = listStatus === 'success' && countedAtMs > dataUpdatedAt && data?.length !== count;
      return count !== null && isOutdated ? againAfterMs : false;
    },
  });
