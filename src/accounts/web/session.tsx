import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { flag, oneOf, part, textOrNone } from '../../ui/api/answer-schema.ts';
import { allRights, type Rights } from '../../shared/rights.ts';
import { ApiError, callApi, type Fetch, hasStatus, withLimit } from '../../ui/api/api-client.ts';
import { useApiMutation, useReload } from '../../ui/api/use-answer.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { hasUnsaved, mayLeaveForm } from '../../ui/links.tsx';
import { useToast } from '../../ui/toast/toast-provider.tsx';
import { type Challenge, type Proof, secondFactorAnswer } from './proof-form.tsx';

/** Specification 3: username and an isAdmin flag. */
export interface SessionUser {
  readonly username: string;
  readonly isAdmin: boolean;
  /** What they may do in the admin area (docs/decisions/0039); null: the answer does not say. */
  readonly rights: Rights | null;
}

/** What specification 7 reads from either call; a login is only certain to have the username. */
const sessionAnswer = z.object({ user: part({ username: textOrNone, isAdmin: flag, rights: oneOf(...allRights) }) });

const userIn = (answer: unknown) => sessionAnswer.safeParse(answer).data?.user ?? null;

/** GET /api/auth/check. null: no one is signed in (401). Rejects with 'Error {status}: {statusText}' (specification 8). */
export async function readSession(fetchFrom: Fetch, signal?: AbortSignal): Promise<SessionUser | null> {
  const response = await fetchFrom('/api/auth/check', { credentials: 'include', signal: withLimit(signal) });
  // Always read, as an unread answer keeps its connection busy.
  const body = await response.text();
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`Error ${response.status}: ${response.statusText}`);
  const user = userIn(JSON.parse(body));
  return user === null ? null : { ...user, isAdmin: user.isAdmin === true };
}

/** Specification 4: a 401 or any failure means no user; the failure is swallowed. */
export const checkSession = (fetchFrom: Fetch, signal?: AbortSignal): Promise<SessionUser | null> =>
  readSession(fetchFrom, signal).catch(() => null);

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The answer of a login: the user, or the second-factor challenge. */
export type LoggedIn = { readonly user: SessionUser } | { readonly user: null; readonly challenge: Challenge };

/** POST /api/auth/login. Rejects with ApiError when the server refuses. */
export async function logIn(body: Credentials, fetchFrom: Fetch = fetch): Promise<LoggedIn> {
  const answer = await callApi({ method: 'POST', path: '/api/auth/login', body }, fetchFrom);
  const twoSteps = secondFactorAnswer.safeParse(answer);
  if (twoSteps.success) return { user: null, challenge: twoSteps.data.secondFactor };
  return { user: await signedInUser(answer, fetchFrom) };
}

/** POST /api/auth/second-factor: the second step. Rejects as `logIn` does. */
export const takeSecondStep = async (proof: Proof): Promise<SessionUser> =>
  signedInUser(await callApi({ method: 'POST', path: '/api/auth/second-factor', body: proof }), fetch);

async function signedInUser(answer: unknown, fetchFrom: Fetch): Promise<SessionUser> {
  const user = userIn(answer);
  if (user === null) throw new Error('The server answered without a user');
  const { username, isAdmin, rights } = user;
  if (isAdmin !== null) return { username, isAdmin, rights };
  // The login's answer has only the name (specification 7): the check says what the user may do.
  return (await checkSession(fetchFrom)) ?? { username, isAdmin: false, rights: null };
}

export type LoginProblems = { readonly [Name in keyof Credentials]?: string | undefined };

/** Specification 5. The contract's schema has the same rules (see the test), but would load its whole library. */
export const loginProblems = ({ username, password }: Credentials): LoginProblems => ({
  ...lengthProblem('username', 'Username', username, 2, 64),
  ...lengthProblem('password', 'Password', password, 4, 200),
});

function lengthProblem(key: keyof Credentials, name: string, typed: string, shortest: number, longest: number) {
  if (typed.length < shortest) return { [key]: `${name} must be at least ${shortest} characters.` };
  return typed.length > longest && { [key]: `${name} must be at most ${longest} characters.` };
}

/** Specification 8, 'Login failed': the server's message field, else the raw response text, else 'Login failed'. */
export function loginFailedText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Login failed';
  return error.serverMessage ?? (error.body.trim() === '' ? 'Login failed' : error.body);
}

const sessionKey = ['/api/auth/check'] as const;

/**
 * Specification 4: checked when a page of the admin area opens, never on a public page, and when its tab is looked at again: another tab
 * may have logged in as somebody else. `loading`: the first check is under way.
 */
export function useSession() {
  const client = useQueryClient();
  const reload = useReload();
  const { data, isPending } = useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<SessionUser | null>(sessionKey) ?? null;
      // When a later check fails, the user stays signed in: a failed check does not mean that the session has ended.
      const now = await readSession(fetch, signal).catch(() => before);
      // Somebody else has logged in: what is shown was answered to the one before.
      if (before !== null && now !== null && now.username !== before.username) reload();
      // If the session has ended, what is typed stays: the server refuses to save it until someone logs in in another tab.
      return now === null && hasUnsaved() ? before : now;
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  return { loading: isPending, user: data ?? null };
}

const isAdminData = (path: unknown): boolean =>
  /^\/api\/(?:telegram|discord|audit|admin|auth\/account)\b/.test(String(path));

/** A login stores the user, a logout clears it; both remove what an earlier admin was shown. */
function storeUser(client: QueryClient, user: SessionUser | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => isAdminData(queryKey[0]) });
  client.setQueryData(sessionKey, user);
}

/** The session has ended, or the user has other rights than before. A wrong password or code says nothing about either. */
const isRefusal = (error: unknown): boolean =>
  hasStatus(error, 401) || (error instanceof ApiError && /^(?:not-an-admin|right-missing)$/.test(error.code ?? ''));

/** When an admin call is refused, the session is checked again and the guard decides, so that no tab has to. */
export function useSessionEnd(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onError = (error: unknown): void => {
      if (isRefusal(error)) void client.refetchQueries({ queryKey: sessionKey });
    };
    const stopQueries = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      if (event.query.queryKey[0] !== sessionKey[0]) onError(event.action.error);
    });
    const stopMutations = client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
    });
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [client]);
}

/** Shows the toast of specification 8 and stores the user for the guard. */
export function useWelcome(onLogin: () => void): (user: SessionUser) => void {
  const showToast = useToast();
  const client = useQueryClient();
  return (user) => {
    onLogin();
    showToast({ title: 'Login successful', description: `Welcome, ${user.username}!` });
    storeUser(client, user);
  };
}

/** Specification 2: a spinner while the session user is loading. It is also the prerendered page of the admin area. */
export const CheckingSession = () => (
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

/** POST /api/auth/logout: shows a toast, empties the cache and goes to /auth. */
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
    <Button size="small" busy={busy} onClick={() => mayLeaveForm() && send()}>
      Logout
    </Button>
  );
}

/** What /admin passes to /auth when it redirects, kept in the browser's history entry. */
export interface WayBack {
  /** The session ended while the dashboard was open. */
  readonly sessionEnded: boolean;
  readonly backTo: string;
}

/** History entries outlive releases and extensions can write them: only the shape that /admin gives is accepted. */
export function readWayBack(state: unknown): WayBack {
  const { sessionEnded, backTo } = (typeof state === 'object' && state !== null ? state : {}) as Partial<WayBack>;
  const isAdminAddress = typeof backTo === 'string' && /^\/admin(?:\?|$)/.test(backTo);
  return { sessionEnded: sessionEnded === true, backTo: isAdminAddress ? backTo : '/admin' };
}

export const useWayBack = (): WayBack => readWayBack(useHistoryState<unknown>());
