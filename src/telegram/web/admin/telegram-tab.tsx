import { AddressTabs } from '../../../ui/address.tsx';
import { BotStatus } from './bot-status.tsx';
import { Configurations } from './configurations.tsx';
import { useTelegramConfigurations, useTelegramStatus } from './telegram-calls.ts';

/** Specification 2, group-chat bot tab. Both reads are polled while it is open, whichever sub-tab is shown. */
export function TelegramTab() {
  const status = useTelegramStatus();
  const configurations = useTelegramConfigurations();
  const list = <Configurations query={configurations} />;
  return (
    <AddressTabs
      name="view"
      keep={['tab']}
      label="Telegram Bot"
      size="small"
      tabs={[
        { value: 'status', label: 'Bot Status', subject: 'The bot status', content: <BotStatus query={status} /> },
        { value: 'configurations', label: 'Configurations', subject: 'The list of configurations', content: list },
      ]}
    />
  );
}
