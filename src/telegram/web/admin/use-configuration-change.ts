import type { Call } from '../../../ui/api/api-client.ts';
import type { ToastText } from '../../../ui/toast/toast-state.ts';
import { useVersionedChange } from '../../../ui/api/versioned-change.tsx';
import { type TelegramConfiguration, telegramConfiguration } from './telegram-answers.ts';
import { useRefreshTelegram } from './telegram-calls.ts';

interface ConfigurationChange<Input> {
  /** As the admin saw it when the dialog opened. */
  readonly configuration: TelegramConfiguration;
  readonly call: (input: Input) => Omit<Call, 'ifMatch'>;
  readonly success: ToastText;
  readonly failure: (message: string) => ToastText;
  readonly onDone: () => void;
}

/** A change of one configuration, made from the version that the admin saw (rulings R6). */
export function useConfigurationChange<Input>({ configuration, ...change }: ConfigurationChange<Input>) {
  const refresh = useRefreshTelegram();
  return useVersionedChange<TelegramConfiguration, Input>({
    ...change,
    seen: configuration,
    schema: telegramConfiguration,
    versionOf: ({ version }) => version,
    refresh,
  });
}
