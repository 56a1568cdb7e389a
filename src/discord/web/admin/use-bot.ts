import { ApiError } from '../../../ui/api/api-client.ts';
import { isUnknownCall, useDiscordStatus, useInviteUrl } from './discord-calls.ts';

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
