import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import type { TelegramConfiguration } from './telegram-answers.ts';
import { shownChat, shownCollection } from './configuration-names.ts';
import type { TelegramMessage } from './telegram-answers.ts';
import { useRefreshTelegram } from './telegram-calls.ts';

/** POST /api/telegram/messages/{messageId}/retry. */
export function useRetry() {
  const refresh = useRefreshTelegram();
  return useApiMutation<TelegramMessage>({
    call: ({ id }) => ({ method: 'POST', path: `/api/telegram/messages/${encodeURIComponent(id)}/retry` }),
    success: () => ({ title: 'Message queued again', description: 'It will be sent shortly.' }),
    failure: (message) => ({ title: 'Retry Failed', description: `Failed to retry the message: ${message}` }),
    onDone: refresh,
  });
}

/** POST /api/telegram/configs/{configId}/send-test. */
export function useSendTest(configuration: TelegramConfiguration) {
  const refresh = useRefreshTelegram();
  return useApiMutation({
    call: () => ({ method: 'POST', path: `/api/telegram/configs/${encodeURIComponent(configuration.id)}/send-test` }),
    success: () => ({
      title: 'Test message queued',
      description: `It will arrive in ${shownChat(configuration)} in a moment.`,
    }),
    failure: (message) => ({ title: 'Test Failed', description: `Failed to send a test message: ${message}` }),
    onDone: refresh,
  });
}

/** POST /api/telegram/configs/{configId}/restore. */
export function useRestore() {
  const refresh = useRefreshTelegram();
  return useApiMutation<TelegramConfiguration>({
    call: ({ id }) => ({ method: 'POST', path: `/api/telegram/configs/${encodeURIComponent(id)}/restore` }),
    success: (_, configuration) => ({
      title: 'Configuration restored',
      description: `${shownCollection(configuration)} is tracked in ${shownChat(configuration)} again.`,
    }),
    failure: (message) => ({ title: 'Restore Failed', description: `Failed to restore configuration: ${message}` }),
    onDone: refresh,
  });
}
