import { inSection } from '../../../ui/section-boundary.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useAddressChoice } from '../../../ui/use-address.ts';
import { BotStatus } from './bot-status.tsx';
import { useBot, useGuilds } from './discord-calls.ts';
import { Servers } from './servers.tsx';

const views = ['status', 'servers'] as const;
const beside = ['tab'] as const;

/** Specification 2, community-server bot tab. */
export function DiscordTab() {
  const [view, chooseView] = useAddressChoice('view', views, beside);
  const bot = useBot();
  const guilds = useGuilds(bot);
  const status = inSection('The bot status', <BotStatus bot={bot} />);
  const servers = inSection('The list of servers', <Servers bot={bot} query={guilds} />);
  return (
    <Tabs
      label="Discord Bot"
      size="small"
      value={view}
      onValueChange={chooseView}
      tabs={[
        { value: 'status', label: 'Bot Status', content: status },
        { value: 'servers', label: 'Servers', content: servers },
      ]}
    />
  );
}
