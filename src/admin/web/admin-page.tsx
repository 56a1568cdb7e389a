import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { AccountsTab } from '../../accounts/web/admin/accounts-tab.tsx';
import { AskAgain } from '../../accounts/web/ask-again.tsx';
import { CheckingSession, LogoutButton, useSession, useSessionEnd, type WayBack } from '../../accounts/web/session.tsx';
import { ActivityTab } from '../../audit/web/activity-tab.tsx';
import { DiscordTab } from '../../discord/web/admin/discord-tab.tsx';
import { type NeededRight, hasRight, type Rights } from '../../shared/rights.ts';
import { PayoutsTab } from '../../payouts/web/admin/payouts-tab.tsx';
import { TelegramTab } from '../../telegram/web/admin/telegram-tab.tsx';
import { TreasuryTab } from '../../treasury/web/admin/treasury-tab.tsx';
import { type AddressTab, AddressTabs } from '../../ui/address-bar.tsx';
import { DialogHost } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { usePreloadedToasts } from '../../ui/toast/toast-provider.tsx';

/** Specification 2, the admin guard: a spinner while the user loads, /auth without an admin, else the dashboard. */
export function AdminPage() {
  const { loading, user } = useSession();
  useSessionEnd();
  const [hasEntered, setHasEntered] = useState(false);
  if (user?.isAdmin === true && !hasEntered) setHasEntered(true);
  if (loading) return <CheckingSession />;
  if (user?.isAdmin !== true) return <ToAuth sessionEnded={hasEntered && user === null} />;
  return <Dashboard username={user.username} rights={user.rights} />;
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

interface DashboardProps {
  readonly username: string;
  /** null: not known. All tabs are shown, and the server refuses what the user may not do. */
  readonly rights: Rights | null;
}

/** Specification 2, Admin dashboard; the tabs after the two bots are from rulings R6, R8 and R9 and decision 0039. */
export function Dashboard({ username, rights }: DashboardProps) {
  usePreloadedToasts();
  const tabInAddress = new URLSearchParams(useSearch()).get('tab');
  const may = (needed: NeededRight): boolean => rights === null || hasRight(rights, needed);
  const tabs = tabsFor(may('admin'));
  const allowed = tabs.filter(({ needs }) => may(needs));
  const refused = tabs.find(({ value, needs }) => value === tabInAddress && !may(needs));
  return (
    <div className="wrap pt-6 pb-12">
      <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2">
        <h1 className="admin-title">Admin Dashboard</h1>
        <p className="text-quiet wrap-anywhere">Logged in as {username}</p>
        <LogoutButton />
      </div>
      <AskAgain>
        <DialogHost>
          <AddressTabs
            name="tab"
            label="Admin area"
            tabs={allowed}
            instead={
              refused !== undefined && (
                <EmptyState>
                  The tab ‘{refused.label}’ needs the right ‘{refused.needs}’. Ask an admin to change your account’s
                  right.
                </EmptyState>
              )
            }
          />
        </DialogHost>
      </AskAgain>
    </div>
  );
}

const tabsFor = (seesAll: boolean): readonly (AddressTab & { readonly needs: NeededRight })[] => [
  { value: 'discord', needs: 'operator', label: 'Discord Bot', subject: 'The Discord tab', content: <DiscordTab /> },
  {
    value: 'telegram',
    needs: 'operator',
    label: 'Telegram Bot',
    subject: 'The Telegram tab',
    content: <TelegramTab />,
  },
  { value: 'activity', needs: 'dashboard', label: 'Activity', subject: 'The activity log', content: <ActivityTab /> },
  { value: 'treasury', needs: 'treasurer', label: 'Treasury', subject: 'The treasury tab', content: <TreasuryTab /> },
  { value: 'payouts', needs: 'treasurer', label: 'Payouts', subject: 'The payouts tab', content: <PayoutsTab /> },
  {
    value: 'accounts',
    needs: 'dashboard',
    label: 'Accounts',
    subject: 'The accounts tab',
    content: <AccountsTab seesAll={seesAll} />,
  },
];
