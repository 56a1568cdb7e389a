import type { Kysely, Selectable } from 'kysely';

import type { CoinMetadataStore, KnownMetadata } from '../ports.ts';
import type { TreasuryTables } from './tables.ts';

const toKnown = (row: Selectable<TreasuryTables['coin_metadata']>): KnownMetadata => {
  const { coin_type: coinType, decimals, symbol, name, icon_url: iconUrl, read_at: readAt } = row;
  const complete = row.found && decimals !== null && symbol !== null && name !== null;
  return { coinType, readAt, metadata: complete ? { coinType, decimals, symbol, name, iconUrl } : null };
};

const toRow = (network: string, { coinType, metadata, readAt }: KnownMetadata) => ({
  network,
  coin_type: coinType,
  found: metadata !== null,
  decimals: metadata?.decimals ?? null,
  symbol: metadata?.symbol ?? null,
  name: metadata?.name ?? null,
  icon_url: metadata?.iconUrl ?? null,
  read_at: readAt,
});

/** The port on PostgreSQL, for the coins of one network. */
export function createCoinMetadataStore(db: Kysely<TreasuryTables>, network: string): CoinMetadataStore {
  return {
    loadMetadata: async (coinTypes) => {
      if (coinTypes.length === 0) return [];
      const rows = await db
        .selectFrom('coin_metadata')
        .where('network', '=', network)
        .where('coin_type', 'in', [...coinTypes])
        .selectAll()
        .execute();
      return rows.map(toKnown);
    },
    saveMetadata: async (entries) => {
      if (entries.length === 0) return;
      await db
        .insertInto('coin_metadata')
        .values(entries.map((entry) => toRow(network, entry)))
        .onConflict((conflict) =>
          conflict.columns(['network', 'coin_type']).doUpdateSet((row) => ({
            found: row.ref('excluded.found'),
            decimals: row.ref('excluded.decimals'),
            symbol: row.ref('excluded.symbol'),
            name: row.ref('excluded.name'),
            icon_url: row.ref('excluded.icon_url'),
            read_at: row.ref('excluded.read_at'),
          })),
        )
        .execute();
    },
  };
}
