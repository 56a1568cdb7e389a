import * as z from 'zod/mini';
import { flag, part, textOrNone } from '../../ui/api/answer-schema.ts';
import { callApi, type Fetch } from '../../ui/api/api-client.ts';

/** Specification 3: username and an isAdmin flag. */
export interface SessionUser {
  readonly username: string;
  readonly isAdmin: boolean;
}

/** What specification 7 reads of either call; at a login only the username is sure to be there. */
const sessionAnswer = z.object({ user: part({ username: textOrNone, isAdmin: flag }) });

function userIn(answer: unknown): { readonly username: string; readonly isAdmin: boolean | null } | null {
  const read = sessionAnswer.safeParse(answer);
  return read.success ? read.data.user : null;
}

/** GET /api/auth/check. null: no one is signed in (401). Rejects with 'Error {status}: {statusText}' (specification 8). */
export async function readSession(fetchFrom: Fetch, signal?: AbortSignal): Promise<SessionUser | null> {
  const response = await fetchFrom('/api/auth/check', {
    credentials: 'include',
    ...(signal === undefined ? {} : { signal }),
  });
  // Read in any case: an unread answer keeps its connection busy.
  const body = await response.text();
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`Error ${response.status}: ${response.statusText}`);
  const user = userIn(JSON.parse(body));
  return user === null ? null : { ...user, isAdmin: user.isAdmin === true };
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
  const { username, isAdmin } = user;
  if (isAdmin !== null) return { username, isAdmin };
  // The answer of a login shows no more than the name (specification 7): the check says what the user may.
  return (await checkSession(fetchFrom)) ?? { username, isAdmin: false };
}
