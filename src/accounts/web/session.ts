import { type QueryClient, useQuery } from '@tanstack/react-query';
import { checkSession, type SessionUser } from './session-call.ts';

const sessionKey = ['/api/auth/check'] as const;

export interface Session {
  /** The first check is still under way. */
  readonly loading: boolean;
  readonly user: SessionUser | null;
}

/** Specification 4: checked when a page of the admin area opens, never on a public page. */
export function useSession(): Session {
  const { data, isPending } = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => checkSession(fetch, signal),
  });
  return { loading: isPending, user: data ?? null };
}

/** Asks the server again; the answer reaches every user of `useSession`. */
export const recheckSession = (client: QueryClient): Promise<void> => client.refetchQueries({ queryKey: sessionKey });

const isAdminData = (path: unknown): boolean => /^\/api\/(telegram|discord|audit)\b/.test(String(path));

/** A login stores the user, a logout clears it; what an earlier admin was shown is forgotten in both cases. */
export function storeUser(client: QueryClient, user: SessionUser | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => isAdminData(queryKey[0]) });
  client.setQueryData(sessionKey, user);
}

/** Whether a failed call was the session check itself, whose 401 is an answer and not an end. */
export const isSessionCheck = (path: unknown): boolean => path === sessionKey[0];
