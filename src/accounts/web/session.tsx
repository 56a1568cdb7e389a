import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ApiError, hasStatus } from '../../ui/api/api-client.ts';
import { useApiMutation } from '../../ui/api/use-api-mutation.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { checkSession, type SessionUser } from './session-call.ts';

const sessionKey = ['/api/auth/check'] as const;

interface Session {
  /** The first check is still under way. */
  readonly loading: boolean;
  readonly user: SessionUser | null;
}

/** Specification 4: checked when a page of the admin area opens, never on a public page. */
export function useSession(): Session {
  const { data, isPending } = useQuery({ queryKey: sessionKey, queryFn: ({ signal }) => checkSession(fetch, signal) });
  return { loading: isPending, user: data ?? null };
}

const isAdminData = (path: unknown): boolean => /^\/api\/(telegram|discord|audit)\b/.test(String(path));

/** A login stores the user, a logout clears it; what an earlier admin was shown is forgotten in both cases. */
export function storeUser(client: QueryClient, user: SessionUser | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => isAdminData(queryKey[0]) });
  client.setQueryData(sessionKey, user);
}

/** 401: the session has ended. 403: perhaps the user is an admin no more. */
const isRefusal = (error: unknown): boolean => hasStatus(error, 401, 403);

/** Calls back when any call was refused but the session check itself, whose 401 is an answer and not an end. Returns how to stop. */
function watchForRefusals(client: QueryClient, onRefused: () => void): () => void {
  const stopQueries = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    if (isRefusal(event.action.error) && event.query.queryKey[0] !== sessionKey[0]) onRefused();
  });
  const stopMutations = client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && isRefusal(event.action.error)) onRefused();
  });
  return () => {
    stopQueries();
    stopMutations();
  };
}

/**
 * Whether a call of the admin area was refused since the dashboard opened. The session is then checked again, and the
 * guard decides: no tab needs to know of it.
 */
export function useSessionEnd(): boolean {
  const client = useQueryClient();
  const [refused, setRefused] = useState(false);
  useEffect(
    () =>
      watchForRefusals(client, () => {
        setRefused(true);
        void client.refetchQueries({ queryKey: sessionKey });
      }),
    [client],
  );
  return refused;
}

/** Specification 2: a spinner while the session user is loading. It is also what is prerendered of the admin area. */
export function CheckingSession() {
  return (
    <section className="wrap grid min-h-[60dvh] place-items-center py-16 text-center">
      <output className="needs-script flex items-center gap-3 text-quiet">
        <Spinner className="size-8 text-ember" />
        Checking who you are
      </output>
      <noscript>
        <p>The admin area needs JavaScript.</p>
      </noscript>
    </section>
  );
}

/** POST /api/auth/logout: toasts, an emptied cache, and the way to /auth. */
export function LogoutButton() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { send, busy } = useApiMutation({
    call: () => ({ method: 'POST', path: '/api/auth/logout' }),
    success: { title: 'Logout successful', description: 'You have been logged out.' },
    // Specification 8: the server's message or 'Logout failed'.
    failure: (_, error) => ({
      title: 'Logout failed',
      description: (error instanceof ApiError ? error.serverMessage : null) ?? 'Logout failed',
    }),
    onDone: () => {
      navigate('/auth', { replace: true });
      storeUser(client, null);
    },
  });
  return (
    <Button size="small" busy={busy} onClick={() => send()}>
      Logout
    </Button>
  );
}

/** What /admin passes to /auth when it redirects. It stays with the entry of the browser's history. */
export interface WayBack {
  /** The session ended while the dashboard was open. */
  readonly sessionEnded: boolean;
  readonly backTo: string;
}

/** History entries outlive releases and can be written by extensions: taken only in the shape that /admin gives. */
export function readWayBack(state: unknown): WayBack {
  const { sessionEnded, backTo } = (typeof state === 'object' && state !== null ? state : {}) as Partial<WayBack>;
  const isOurs = typeof backTo === 'string' && /^\/admin(?:\?|$)/.test(backTo);
  return { sessionEnded: sessionEnded === true, backTo: isOurs ? backTo : '/admin' };
}

export const useWayBack = (): WayBack => readWayBack(useHistoryState<unknown>());
