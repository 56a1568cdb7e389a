import { CardTable } from '../../../ui/tables.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { ServerRow } from './server-row.tsx';
import type { RowDoings } from './servers-list.tsx';

/** Specification 2: exactly these columns. */
const columns = ['Server Name', 'Members', 'NFT Collection', 'Status', 'Actions'] as const;

export const ServersTable = ({ rows, ...doings }: RowDoings & { readonly rows: readonly DiscordGuild[] }) => (
  <CardTable caption="Servers of the Discord bot" columns={columns}>
    {rows.map((guild) => (
      <ServerRow key={guild.id} guild={guild} {...doings} />
    ))}
  </CardTable>
);
