import { Card } from '../../web/ui/card.tsx';
import { EmptyState } from '../../web/ui/empty-state.tsx';
import { StatusDot } from '../../web/ui/status-dot.tsx';
import { Badge } from '../../web/ui/badge.tsx';
import { Tabs } from '../../web/ui/tabs.tsx';
import { useAddressChoice } from '../../web/use-address-choice.ts';

const views = ['status', 'servers'] as const;
const beside = ['tab'] as const;

/** Specification 2, community-server bot tab, for an installation on which the bot is not configured. */
export function DiscordTab() {
  const [view, chooseView] = useAddressChoice('view', views, beside);
  return (
    <Tabs
      label="Discord Bot"
      size="small"
      value={view}
      onValueChange={chooseView}
      tabs={[
        { value: 'status', label: 'Bot Status', content: <NotConfigured /> },
        { value: 'servers', label: 'Servers', content: <NoServers /> },
      ]}
    />
  );
}

function NotConfigured() {
  return (
    <Card as="section" className="max-w-3xl">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="title-3">Discord Bot</h2>
        <Badge tone="unavailable">
          <StatusDot state="off" />
          Offline
        </Badge>
        <Badge tone="stale">Not configured</Badge>
      </div>
      <p className="mt-4">This installation has no token for the Discord bot, so it cannot be started.</p>
      <ol className="mt-4 list-decimal space-y-2 pl-5">
        <li>
          Create an application with a bot at <code className="bg-raised px-1.5">discord.com/developers</code> and copy
          the bot&rsquo;s token.
        </li>
        <li>
          Set <code className="bg-raised px-1.5">DISCORD_BOT_TOKEN</code> to it in the environment of the server, as{' '}
          <code className="bg-raised px-1.5">README.md</code> says.
        </li>
        <li>Start the server again.</li>
      </ol>
      <p className="mt-4 text-quiet">Everything else works without it.</p>
    </Card>
  );
}

function NoServers() {
  return (
    <Card as="section">
      <EmptyState>Bot is offline. Start the bot to view connected servers.</EmptyState>
    </Card>
  );
}
