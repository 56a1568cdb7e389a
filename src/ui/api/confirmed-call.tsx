import { createContext, useCallback, useContext } from 'react';

import { ApiError, type Call, callApi } from './api-client.ts';

/** Asks who sits there for their second factor; whether they gave it. The dashboard provides it (src/accounts/web/ask-again.tsx). */
type AskAgain = () => Promise<boolean>;

const AskAgainContext = createContext<AskAgain | null>(null);
export const AskAgainProvider = AskAgainContext.Provider;

/** The server's word for it: a route that `asksAgain`, and the last time is ten minutes ago. */
const isAskedAgain = (error: unknown): boolean => error instanceof ApiError && error.code === 'second-factor-required';

/**
 * `callApi` for a call that may ask for the second factor again: the dialog opens by itself, and what was given, the call is made once
 * more. Rejects as `callApi` does; with the server's refusal where the dialog was closed. `useApiMutation` and `useVersionedChange` call
 * this way already: only who calls `callApi` by hand needs it.
 */
export function useConfirmedCall(): (call: Call) => Promise<unknown> {
  const askAgain = useContext(AskAgainContext);
  return useCallback(
    async (call) => {
      try {
        return await callApi(call);
      } catch (error) {
        if (askAgain === null || !isAskedAgain(error) || !(await askAgain())) throw error;
        return callApi(call);
      }
    },
    [askAgain],
  );
}
