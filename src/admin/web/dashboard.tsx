import { ActivityTab } from '../../audit/web/activity-tab.tsx';
import { LogoutButton } from '../../accounts/web/logout-button.tsx';
import { DiscordTab } from '../../discord/web/admin/discord-tab.tsx';
import { TelegramTab } from '../../telegram/web/admin/telegram-tab.tsx';
import { useToastsAtHand } from '../../ui/toast/toast-provider.tsx';
import { inSection } from '../../ui/section-boundary.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddressChoice } from '../../ui/use-address.ts';

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
