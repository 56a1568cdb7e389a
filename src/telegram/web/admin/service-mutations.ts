import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { useRefreshTelegram } from './telegram-calls.ts';

/** POST /api/telegram/init with its toasts (specification 8). */
export function useInitializeBot() {
  const refresh = useRefreshTelegram();
  return useApiMutation({
    call: () => ({ method: 'POST', path: '/api/telegram/init' }),
    success: () => ({
      title: 'Telegram Bot Initialized',
      description: 'Telegram bot has been started successfully.',
    }),
    failure: (message) => {
      // The start was asked for all the same: the status tells how it goes on.
      refresh();
      return { title: 'Initialization Failed', description: `Failed to initialize Telegram bot: ${message}` };
    },
    onDone: refresh,
  });
}

/** POST /api/telegram/shutdown with its toasts (specification 8). */
export function useShutdownBot() {
  const refresh = useRefreshTelegram();
  return useApiMutation({
    call: () => ({ method: 'POST', path: '/api/telegram/shutdown' }),
    success: () => ({
      title: 'Telegram Bot Shutdown',
      description: 'Telegram bot has been shut down successfully.',
    }),
    failure: (message) => {
      refresh();
      return { title: 'Shutdown Failed', description: `Failed to shut down Telegram bot: ${message}` };
    },
    onDone: refresh,
  });
}
