import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../ui/api/api-client.ts';
import { isSessionCheck, recheckSession } from './session.ts';

/** 401: nobody is signed in any more. 403: perhaps somebody who is an admin no more. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/** Calls back when any call but the session check itself was refused. Answers how to stop. */
function watchForRefusals(client: QueryClient, onRefused: () => void): () => void {
  const stopQueries = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    if (isRefusal(event.action.error) && !isSessionCheck(event.query.queryKey[0])) onRefused();
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
        void recheckSession(client);
      }),
    [client],
  );
  return refused;
}
