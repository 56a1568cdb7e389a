import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { CheckingSession, LogoutButton, useSession, useSessionEnd, type WayBack } from '../../accounts/web/session.tsx';
import { ActivityTab } from '../../audit/web/activity-tab.tsx';
import { DiscordTab } from '../../discord/web/admin/discord-tab.tsx';
import { TelegramTab } from '../../telegram/web/admin/telegram-tab.tsx';
import { TreasuryTab } from '../../treasury/web/admin/treasury-tab.tsx';
import { AddressTabs } from '../../ui/address.tsx';
import { useToastsAtHand } from '../../ui/toast/toast-provider.tsx';

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

/** Specification 2, Admin dashboard; the tabs 'Activity' and 'Treasury' are from rulings R6 and R8. */
export function Dashboard({ username }: { readonly username: string }) {
  useToastsAtHand();
  return (
    <div className="wrap admin">
      <div className="admin-head">
        <h1 className="admin-title">Admin Dashboard</h1>
        <p className="text-quiet wrap-anywhere">Logged in as {username}</p>
        <LogoutButton />
      </div>
      <AddressTabs
        name="tab"
        label="Admin area"
        tabs={[
          { value: 'discord', label: 'Discord Bot', subject: 'The Discord tab', content: <DiscordTab /> },
          { value: 'telegram', label: 'Telegram Bot', subject: 'The Telegram tab', content: <TelegramTab /> },
          { value: 'activity', label: 'Activity', subject: 'The activity log', content: <ActivityTab /> },
          { value: 'treasury', label: 'Treasury', subject: 'The treasury tab', content: <TreasuryTab /> },
        ]}
      />
    </div>
  );
}
