import { useMutation } from '@tanstack/react-query';
import { useToast } from '../toast/toast-provider.tsx';
import type { ToastText } from '../toast/toast-state.ts';
import { type Call, callApi, failureText } from './api-client.ts';

export interface ApiMutation<Input> {
  readonly call: (input: Input) => Call;
  /** The toast of specification 8 that tells the success. */
  readonly success: (answer: unknown, input: Input) => ToastText;
  /** The toast that tells the failure; `message` is the server's sentence. */
  readonly failure: (message: string, error: unknown, input: Input) => ToastText;
  /** After a success, e.g. closing the dialog and fetching anew. */
  readonly onDone?: (answer: unknown, input: Input) => void;
}

/** A call of specification 7 that changes something, with its two toasts. Never repeated by itself. */
export function useApiMutation<Input = void>({ call, success, failure, onDone }: ApiMutation<Input>) {
  const showToast = useToast();
  return useMutation<unknown, unknown, Input>({
    mutationFn: (input) => callApi(call(input)),
    onSuccess: (answer, input) => {
      showToast(success(answer, input));
      onDone?.(answer, input);
    },
    onError: (error, input) => {
      showToast({ look: 'destructive', ...failure(failureText(error), error, input) });
    },
  });
}
