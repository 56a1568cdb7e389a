import { CardTable } from '../../../ui/tables.tsx';
import type { TelegramConfiguration } from './telegram-answers.ts';
import { ConfigurationRow } from './configuration-row.tsx';
import type { ListActions } from './configurations-list.tsx';

/** Specification 2: exactly these columns. */
const columns = ['Chat ID', 'Collection', 'Tracking', 'Progress', 'Actions'] as const;

export const ConfigurationsTable = ({
  rows,
  ...actions
}: ListActions & { readonly rows: readonly TelegramConfiguration[] }) => (
  <CardTable caption="Configurations of the Telegram bot" columns={columns}>
    {rows.map((configuration) => (
      <ConfigurationRow key={configuration.id} configuration={configuration} {...actions} />
    ))}
  </CardTable>
);
