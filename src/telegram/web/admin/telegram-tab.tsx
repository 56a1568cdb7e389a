import { inSection } from '../../../ui/section-boundary.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useAddressChoice } from '../../../ui/use-address.ts';
import { BotStatus } from './bot-status.tsx';
import { Configurations } from './configurations.tsx';
import { useTelegramConfigurations, useTelegramStatus } from './telegram-calls.ts';

const views = ['status', 'configurations'] as const;
const beside = ['tab'] as const;

/** Specification 2, group-chat bot tab. Both reads are polled while it is open, whichever sub-tab is shown. */
export function TelegramTab() {
  const [view, chooseView] = useAddressChoice('view', views, beside);
  const status = useTelegramStatus();
  const configurations = useTelegramConfigurations();
  const statusView = inSection('The bot status', <BotStatus query={status} />);
  const list = inSection('The list of configurations', <Configurations query={configurations} />);
  return (
    <Tabs
      label="Telegram Bot"
      size="small"
      value={view}
      onValueChange={chooseView}
      tabs={[
        { value: 'status', label: 'Bot Status', content: statusView },
        { value: 'configurations', label: 'Configurations', content: list },
      ]}
    />
  );
}
