import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { useRefreshService } from './discord-calls.ts';

/** POST /api/discord/init with its toasts (specification 8). */
export function useStartBot() {
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
export function useShutdownBot() {
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
