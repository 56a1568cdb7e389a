import { callApi, type Fetch } from '../../web/api-client.ts';

/** Specification 3: username and an isAdmin flag. */
export interface SessionUser {
  readonly username: string;
  readonly isAdmin: boolean;
}

const userIn = (answer: unknown): SessionUser | null => (answer as { user?: SessionUser | null } | null)?.user ?? null;

/** GET /api/auth/check. null: nobody is signed in (401). Rejects with 'Error {status}: {statusText}' (specification 8). */
export async function readSession(fetchFrom: Fetch, signal?: AbortSignal): Promise<SessionUser | null> {
  const response = await fetchFrom('/api/auth/check', {
    credentials: 'include',
    ...(signal === undefined ? {} : { signal }),
  });
  // Read in any case: an unread answer keeps its connection busy.
  const body = await response.text();
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`Error ${response.status}: ${response.statusText}`);
  return userIn(JSON.parse(body));
}

/** Specification 4: a 401 or any failure means no user; the failure is swallowed. */
export const checkSession = (fetchFrom: Fetch, signal?: AbortSignal): Promise<SessionUser | null> =>
  readSession(fetchFrom, signal).catch(() => null);

export interface LoginForm {
  readonly username: string;
  readonly password: string;
}

/** POST /api/auth/login. Rejects with ApiError when the server refuses. */
export async function logIn(body: LoginForm, fetchFrom: Fetch = fetch): Promise<SessionUser> {
  const user = userIn(await callApi({ method: 'POST', path: '/api/auth/login', body }, fetchFrom));
  if (user === null) throw new Error('The server answered without a user');
  return user;
}
