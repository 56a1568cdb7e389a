import { useState } from 'react';
import type { Call } from '../../../web/api-client.ts';
import { failureText } from '../../../web/failure-text.ts';
import type { ToastText } from '../../../web/toast/toast-state.ts';
import { useApiMutation } from '../../../web/use-api-mutation.ts';
import type { TelegramConfiguration } from '../../contract.ts';
import { staleConfiguration } from './stale-answer.ts';
import { useRefreshTelegram } from './telegram-calls.ts';

interface ConfigurationChange<Input> {
  /** As the admin saw it when the dialog opened. */
  readonly configuration: TelegramConfiguration;
  readonly call: (input: Input) => Omit<Call, 'ifMatch'>;
  readonly success: ToastText;
  readonly failure: (message: string) => ToastText;
  readonly onDone: () => void;
}

/**
 * A change of one configuration, made from the version that the admin saw. Somebody else's save in between (409) is no
 * toast: `stale` is what they saved, the dialog shows both, and sending again is made from that version.
 */
export function useConfigurationChange<Input>(change: ConfigurationChange<Input>) {
  const { configuration, call, success, failure, onDone } = change;
  const [stale, setStale] = useState<TelegramConfiguration | null>(null);
  const refresh = useRefreshTelegram();
  const { mutate, isPending, error } = useApiMutation<Input>({
    call: (input) => ({ ...call(input), ifMatch: (stale ?? configuration).version }),
    success: () => success,
    failure: (message, cause) => {
      // What was refused may have been changed or deleted by somebody else: the table shall say so.
      refresh();
      const current = staleConfiguration(cause);
      if (current === null) return failure(message);
      setStale(current);
      return null;
    },
    onDone: () => {
      onDone();
      refresh();
    },
  });
  const isStale = staleConfiguration(error) !== null;
  return {
    send: mutate,
    busy: isPending,
    stale,
    /** What went wrong, for the dialog itself; the toast says it too. */
    problem: error === null || isStale ? undefined : failureText(error),
  };
}
