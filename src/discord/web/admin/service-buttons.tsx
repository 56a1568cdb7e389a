import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import type { DiscordStatus } from './discord-answers.ts';
import { useRefreshService } from './discord-calls.ts';
import { isTryingInVain } from './status-words.ts';

interface ServiceButtonsProps {
  readonly online: boolean;
  /** undefined: not read yet. */
  readonly status: DiscordStatus | undefined;
}

/** Specification 2: a Start button or a Shutdown button, depending on the state. */
export function ServiceButtons({ online, status }: ServiceButtonsProps) {
  const start = useStartBot();
  const shutdown = useShutdownBot();
  const busy = start.isPending || shutdown.isPending;
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {online ? (
        <Button look="danger" busy={shutdown.isPending} onClick={() => shutdown.mutate()}>
          Shutdown
        </Button>
      ) : (
        <Button
          look={status?.state === 'not-configured' ? 'stone' : 'torch'}
          busy={start.isPending}
          disabled={busy}
          onClick={() => start.mutate()}
        >
          Start
        </Button>
      )}
      {!online && status !== undefined && isTryingInVain(status) && (
        <Button look="ghost" busy={shutdown.isPending} disabled={busy} onClick={() => shutdown.mutate()}>
          {status.state === 'not-configured' ? 'Cancel the start' : 'Stop trying'}
        </Button>
      )}
    </div>
  );
}

/** POST /api/discord/init with its toasts (specification 8). */
function useStartBot() {
  const refresh = useRefreshService();
  return useApiMutation({
    call: () => ({ method: 'POST', path: '/api/discord/init' }),
    success: () => ({ title: 'Bot initialized', description: 'Discord bot is now online' }),
    failure: (message) => {
      // The start was asked for all the same: the status tells how it goes on.
      refresh();
      return { title: 'Failed to initialize bot', description: message };
    },
    onDone: refresh,
  });
}

/** POST /api/discord/shutdown with its toasts (specification 8). */
function useShutdownBot() {
  const refresh = useRefreshService();
  return useApiMutation({
    call: () => ({ method: 'POST', path: '/api/discord/shutdown' }),
    success: () => ({ title: 'Bot shutdown', description: 'Discord bot is now offline' }),
    failure: (message) => {
      refresh();
      return { title: 'Failed to shutdown bot', description: message };
    },
    onDone: refresh,
  });
}
