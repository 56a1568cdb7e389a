import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { CheckingSession } from '../../accounts/web/checking-session.tsx';
import { useSessionEnd } from '../../accounts/web/session-end.ts';
import { useSession } from '../../accounts/web/session.ts';
import type { WayBack } from '../../accounts/web/way-back.ts';
import { Dashboard } from './dashboard.tsx';

/** Specification 2, the admin guard: a spinner while the user loads, /auth without an admin, else the dashboard. */
export function AdminPage() {
  const { loading, user } = useSession();
  const refused = useSessionEnd();
  if (loading) return <CheckingSession />;
  if (user?.isAdmin !== true) return <ToAuth sessionEnded={refused && user === null} />;
  return <Dashboard username={user.username} />;
}

function ToAuth({ sessionEnded }: { readonly sessionEnded: boolean }) {
  const [, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    const state: WayBack = { sessionEnded, backTo: search === '' ? '/admin' : `/admin?${search}` };
    navigate('/auth', { replace: true, state });
  }, [navigate, search, sessionEnded]);
  return <CheckingSession />;
}
