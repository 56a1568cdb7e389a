import type { TelegramConfiguration } from '../../contract.ts';
import { ConfigurationRow } from './configuration-row.tsx';
import type { ListActions } from './configurations-list.tsx';

/** Specification 2: exactly these columns. */
const columns = ['Chat ID', 'Collection', 'Tracking', 'Progress', 'Actions'] as const;

/** A table on a wide screen; a card for each configuration where five columns would not fit. */
export function ConfigurationsTable({
  rows,
  ...actions
}: ListActions & { readonly rows: readonly TelegramConfiguration[] }) {
  return (
    <table className="table telegram-table">
      <caption className="sr-only">Configurations of the Telegram bot</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((configuration) => (
          <ConfigurationRow key={configuration.id} configuration={configuration} {...actions} />
        ))}
      </tbody>
    </table>
  );
}
