import { useMutation } from '@tanstack/react-query';
import { useToast } from '../toast/toast-provider.tsx';
import type { ToastText } from '../toast/toast-region.tsx';
import { type Call, callApi, failureText } from './api-client.ts';

export interface ApiMutation<Input> {
  readonly call: (input: Input) => Call;
  /** The toast of specification 8 after a success. */
  readonly success: ToastText | ((answer: unknown, input: Input) => ToastText);
  /** The toast after a failure: a title over the server's message, or a toast made of the message. */
  readonly failure: string | ((message: string, error: unknown, input: Input) => ToastText);
  /** After a success, e.g. closing the dialog. */
  readonly onDone?: (answer: unknown, input: Input) => void;
  /** Reads anew what is shown, after a failure too: another admin's change may be the reason for it. */
  readonly refresh?: () => void;
}

/** A call of specification 7 that changes something, with its two toasts. Never repeated by itself. */
export function useApiMutation<Input = void>({ call, success, failure, onDone, refresh }: ApiMutation<Input>) {
  const showToast = useToast();
  const { mutate, isPending, variables, error, reset } = useMutation<unknown, unknown, Input>({
    mutationFn: (input) => callApi(call(input)),
    onSuccess: (answer, input) => {
      showToast(typeof success === 'function' ? success(answer, input) : success);
      onDone?.(answer, input);
      refresh?.();
    },
    onError: (error, input) => {
      const message = failureText(error);
      const toast =
        typeof failure === 'string' ? { title: failure, description: message } : failure(message, error, input);
      showToast({ look: 'destructive', ...toast });
      refresh?.();
    },
  });
  return {
    send: mutate,
    busy: isPending,
    sending: isPending ? variables : undefined,
    error,
    /** What went wrong, for the dialog itself; the toast says it too. */
    problem: error === null ? undefined : failureText(error),
    reset,
  };
}
