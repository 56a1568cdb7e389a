import { AddressTabs } from '../../../ui/address.tsx';
import { BotStatus } from './bot-status.tsx';
import { useBot, useGuilds } from './discord-calls.ts';
import { Servers } from './servers.tsx';

/** Specification 2, community-server bot tab. */
export function DiscordTab() {
  const bot = useBot();
  const guilds = useGuilds(bot);
  const servers = <Servers bot={bot} query={guilds} />;
  return (
    <AddressTabs
      name="view"
      keep={['tab']}
      label="Discord Bot"
      size="small"
      tabs={[
        { value: 'status', label: 'Bot Status', subject: 'The bot status', content: <BotStatus bot={bot} /> },
        { value: 'servers', label: 'Servers', subject: 'The list of servers', content: servers },
      ]}
    />
  );
}
