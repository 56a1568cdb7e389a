import type { Kysely, Selectable } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { KnownMetadata } from './ports.ts';

export type CoinMetadataStore = ReturnType<typeof createCoinMetadataStore>;

/**
 * Metadata of the coins of one network. It hardly ever changes: it is kept, so that a steady refresh asks the chain for none.
 * Throws what the database throws.
 */
export const createCoinMetadataStore = (db: Kysely<Database>, network: string) => ({
  loadMetadata: async (coinTypes: readonly string[]): Promise<readonly KnownMetadata[]> => {
    if (coinTypes.length === 0) return [];
    const rows = await db
      .selectFrom('coinMetadata')
      .where('network', '=', network)
      .where('coinType', 'in', [...coinTypes])
      .selectAll()
      .execute();
    return rows.map(toKnown);
  },
  saveMetadata: async (entries: readonly KnownMetadata[]): Promise<void> => {
    if (entries.length === 0) return;
    const rows = entries.map(({ coinType, metadata, readAt }) => {
      const { decimals = null, symbol = null, name = null, iconUrl = null } = metadata ?? {};
      return { network, coinType, found: metadata !== null, decimals, symbol, name, iconUrl, readAt };
    });
    await db
      .insertInto('coinMetadata')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['network', 'coinType']).doUpdateSet((row) => ({
          found: row.ref('excluded.found'),
          decimals: row.ref('excluded.decimals'),
          symbol: row.ref('excluded.symbol'),
          name: row.ref('excluded.name'),
          iconUrl: row.ref('excluded.iconUrl'),
          readAt: row.ref('excluded.readAt'),
        })),
      )
      .execute();
  },
});

function toKnown(row: Selectable<Database['coinMetadata']>): KnownMetadata {
  const { coinType, decimals, symbol, name, iconUrl, readAt } = row;
  const isComplete = row.found && decimals !== null && symbol !== null && name !== null;
  return { coinType, readAt, metadata: isComplete ? { coinType, decimals, symbol, name, iconUrl } : null };
}
