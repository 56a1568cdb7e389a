import {
  type Query,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { createContext, useCallback, useContext, useRef } from 'react';
import type * as z from 'zod/mini';

import { readAnswer } from './answer-schema.ts';
import { useToast } from '../toast/toast-provider.tsx';
import type { ToastText } from '../toast/toast-region.tsx';
import { ApiError, type Call, callApi, failureText } from './api-client.ts';

/** Asks the person for their second factor; resolves to whether they gave it. The dashboard provides it (src/accounts/web/ask-again.tsx). */
type AskAgain = () => Promise<boolean>;

const AskAgainContext = createContext<AskAgain | null>(null);
export const AskAgainProvider = AskAgainContext.Provider;

/** The server's refusal on a route that `needsSecondFactorAgain`, when the second factor was last given over ten minutes ago. */
const needsSecondFactorAgain = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second-factor-required';

/**
 * `callApi` for a call that may ask for the second factor again: the dialog opens by itself, and once the factor is given, the call is
 * repeated. Rejects as `callApi` does; with the server's refusal if the dialog was closed. `useApiMutation` and `useVersionedChange` do
 * this already: only code that calls `callApi` directly needs it.
 */
export function useConfirmedCall(): (call: Call) => Promise<unknown> {
  const askAgain = useContext(AskAgainContext);
  return useCallback(
    async (call) => {
      try {
        return await callApi(call);
      } catch (error) {
        if (askAgain === null || !needsSecondFactorAgain(error) || !(await askAgain())) throw error;
        return callApi(call);
      }
    },
    [askAgain],
  );
}

/** Specification 9 polls the Telegram bot's status and configurations this often; so do all views of the admin area. */
export const pollEveryMs = 30_000;
/** Used while the admin is waiting for something to happen. */
export const watchEveryMs = 2_000;

const polled = { refetchInterval: pollEveryMs, staleTime: pollEveryMs } as const;

type Options<Data> = Pick<UseQueryOptions<Data, Error, Data, string[]>, 'enabled' | 'refetchInterval' | 'staleTime'>;

/** The `data` of a path of the admin area, cached under that path. */
export const useAnswer = <Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  options: Options<z.output<Schema>> = {},
) =>
  useQuery({ ...polled, queryKey: [path], queryFn: ({ signal }) => readAnswer({ path, signal }, schema), ...options });

interface Pages<Schema extends z.ZodMiniType, Row> {
  readonly key: readonly unknown[];
  readonly schema: Schema;
  /** The path of the page after `cursor`; null: the first page. */
  readonly pathOf: (cursor: string | null) => string;
  readonly cursorOf: (page: z.output<Schema>) => string | null;
  readonly rowsOf: (page: z.output<Schema>) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly staleTime?: number;
  readonly refetchInterval?: (pages: readonly z.output<Schema>[]) => number | false;
}

/** A long list, a page at a time: the rows of all pages so far. */
export const useAnswerPages = <Schema extends z.ZodMiniType, Row>(list: Pages<Schema, Row>) =>
  useInfiniteQuery({
    ...polled,
    staleTime: list.staleTime ?? pollEveryMs,
    queryKey: list.key,
    queryFn: ({ pageParam, signal }) => readAnswer({ path: list.pathOf(pageParam), signal }, list.schema),
    initialPageParam: null as string | null,
    getNextPageParam: list.cursorOf,
    // A list may grow at its head between two reads: the last row of one page is then the first of the next.
    select: ({ pages }) => [...new Map(pages.flatMap(list.rowsOf).map((row) => [list.keyOf(row), row])).values()],
    refetchInterval: ({ state }) => list.refetchInterval?.(state.data?.pages ?? []) ?? false,
  });

export interface ApiMutation<Input> {
  readonly call: (input: Input) => Call;
  /** The toast of specification 8 after a success. */
  readonly success: ToastText | ((answer: unknown, input: Input) => ToastText);
  /** The toast after a failure: a title over the server's message, or a toast made of the message. */
  readonly failure: string | ((message: string, error: unknown, input: Input) => ToastText);
  readonly onDone?: (answer: unknown, input: Input) => void;
  /** A path that is not reloaded at once, but when it is next used. */
  readonly readLater?: string;
}

/** Who is signed in does not change with such a call. */
const isRefreshed = ({ queryKey: [path] }: Pick<Query, 'queryKey'>): boolean =>
  String(path).startsWith('/api/') && path !== '/api/auth/check';

/** Reloads everything shown; what other tabs show, and `readLater`, when it is next used. */
export function useReload(readLater?: string): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ predicate: isRefreshed, refetchType: 'none' });
    void client.refetchQueries({ type: 'active', predicate: (of) => isRefreshed(of) && of.queryKey[0] !== readLater });
  };
}

/**
 * A call of specification 7 that changes something, with its two toasts. Never retried, except once after the second factor was given.
 * Everything shown is reloaded, also after a failure: another admin's change may have caused it.
 */
export function useApiMutation<Input = void>({ call, success, failure, onDone, readLater }: ApiMutation<Input>) {
  const reload = useReload(readLater);
  const showToast = useToast();
  const confirmedCall = useConfirmedCall();
  const underWay = useRef(new Set<string>());
  const { mutateAsync, isPending, variables, error, reset } = useMutation<unknown, unknown, Input>({
    mutationFn: (input) => confirmedCall(call(input)),
    onSuccess: (answer, input) => {
      showToast(typeof success === 'function' ? success(answer, input) : success);
      onDone?.(answer, input);
      reload();
    },
    onError: (error, input) => {
      const message = failureText(error);
      const toast =
        typeof failure === 'string' ? { title: failure, description: message } : failure(message, error, input);
      showToast({ look: 'destructive', ...toast });
      reload();
    },
  });
  return {
    /** Does nothing while the same call is under way: a second press may come before the first has made the button busy. */
    send: (input: Input): void => {
      // Once, now: a form may hold another text by the time the call ends.
      const key = JSON.stringify(call(input));
      if (underWay.current.has(key)) return;
      underWay.current.add(key);
      const ended = (): void => void underWay.current.delete(key);
      // A failure is reported by `onError`.
      mutateAsync(input).then(ended, ended);
    },
    busy: isPending,
    sending: isPending ? variables : undefined,
    error,
    /** What went wrong, for the dialog itself; the toast says it too. */
    problem: error === null ? undefined : failureText(error),
    reset,
  };
}
