import type { ColumnType } from 'kysely';

/** A column that the database fills by itself when it is not given. */
type WithDefault<Read, Write = Read> = ColumnType<Read, Write | undefined, Write>;

/** Rows of migrations/0002-treasury.sql. `int8` and `numeric` come from the driver as decimal strings. */
export interface TreasuryTables {
  treasury_last_good: {
    network: string;
    treasury_address: string;
    attempted_at: Date | null;
    /** Written as JSON text, read as a JSON value. */
    reading: ColumnType<unknown, string | null, string | null>;
    read_at: Date | null;
    version: WithDefault<string>;
  };
  treasury_history: {
    network: string;
    treasury_address: string;
    hour: Date;
    at: Date;
    total_micro_usd: string;
    token_micro_usd: string | null;
    nft_micro_usd: string | null;
  };
  coin_metadata: {
    network: string;
    coin_type: string;
    found: boolean;
    decimals: number | null;
    symbol: string | null;
    name: string | null;
    icon_url: string | null;
    read_at: Date;
  };
}
