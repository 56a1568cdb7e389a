import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { LogoutButton } from '../../accounts/web/logout-button.tsx';
import { CheckingSession, useSession, useSessionEnd } from '../../accounts/web/session.tsx';
import type { WayBack } from '../../accounts/web/way-back.ts';
import { ActivityTab } from '../../audit/web/activity-tab.tsx';
import { DiscordTab } from '../../discord/web/admin/discord-tab.tsx';
import { TelegramTab } from '../../telegram/web/admin/telegram-tab.tsx';
import { inSection } from '../../ui/section-boundary.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useToastsAtHand } from '../../ui/toast/toast-provider.tsx';
import { useAddressChoice } from '../../ui/use-address.ts';

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

const tabNames = ['discord', 'telegram', 'activity'] as const;

/** Specification 2, Admin dashboard; the 'Activity' tab is from rulings R6. */
export function Dashboard({ username }: { readonly username: string }) {
  useToastsAtHand();
  const [tab, chooseTab] = useAddressChoice('tab', tabNames);
  return (
    <div className="wrap admin">
      <div className="admin-head">
        <h1 className="admin-title">Admin Dashboard</h1>
        <p className="text-quiet wrap-anywhere">Logged in as {username}</p>
        <LogoutButton />
      </div>
      <Tabs
        label="Admin area"
        value={tab}
        onValueChange={chooseTab}
        tabs={[
          { value: 'discord', label: 'Discord Bot', content: inSection('The Discord tab', <DiscordTab />) },
          { value: 'telegram', label: 'Telegram Bot', content: inSection('The Telegram tab', <TelegramTab />) },
          { value: 'activity', label: 'Activity', content: inSection('The activity log', <ActivityTab />) },
        ]}
      />
    </div>
  );
}
