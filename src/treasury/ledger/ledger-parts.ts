import type { Kysely } from 'kysely';

import type { AuditTrail } from '../../audit/contract.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Clock } from '../../shared/clock.ts';
import type { HistoryReach } from '../../shared/history-reach.ts';
import type { PastPriceSource } from '../../sources/prices/llama-prices.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { TreasuryRules } from '../core/ledger-page.ts';
import type { TreasuryReading } from '../core/reading.ts';
import { createCoinMetadataStore, createCoinMetadataCache } from '../coin-metadata.ts';
import { createNotesStore } from '../notes/notes-store.ts';
import type { TreasuryLog } from '../read-treasury.ts';
import type { TreasuryKey } from '../treasury-store.ts';
import { createLedgerQueries } from './ledger-queries.ts';
import { createLedgerStore, type LedgerKiosk, ledgerTopic } from './ledger-store.ts';

/** A full node prunes old history; an archive does not. Throws Unavailable. */
export type TransactionSource = Pick<SuiClient, 'listTransactions' | 'readKeptCheckpoints'>;

/** A notable number of minted rocks, and when it was reached. */
export interface MintMilestone {
  readonly minted: number;
  readonly isSoldOut: boolean;
  readonly at: Date;
}

/** What the ledger needs from the rest of the product. */
export interface LedgerDeps {
  readonly settings: TreasuryKey & {
    readonly productName: string;
    /** Both without a trailing slash. */
    readonly publicUrl: string;
    readonly explorerUrl: string;
    readonly refreshMs: number;
  };
  readonly sui: TransactionSource;
  /** The same node at the lowest priority: the first read takes hundreds of calls. Later reads use `sui`, so that payouts do not wait. */
  readonly backgroundSui: TransactionSource & Pick<SuiClient, 'readCoinInfo'>;
  /** null: there is none for this network. */
  readonly archive: TransactionSource | null;
  readonly collections: Pick<TreasuryRules, 'isCap' | 'isNft' | 'isOwnCollection'> & {
    /** Which kiosk each cap opens now; absent: none. Throws Unavailable. */
    readKiosksOfCaps(capIds: readonly string[], stop?: AbortSignal): Promise<ReadonlyMap<string, string>>;
    /** Kiosks whose cap an address holds now. Throws Unavailable. */
    readKiosksOf(address: string, stop?: AbortSignal): Promise<readonly LedgerKiosk[]>;
  };
  readonly treasury: {
    /** The last reading of the treasury; null: none yet. */
    reading(): Pick<TreasuryReading, 'balances' | 'checkpoint' | 'metadata' | 'prices' | 'market'> | null;
  };
  readonly rocks: {
    holder(address: string, usd: null): { readonly count: number; readonly name: string | null };
    reach(): HistoryReach;
    /** Empty while the history of the rocks is still being read. */
    mintMilestones(): Promise<readonly MintMilestone[]>;
    onChange(run: () => void): void;
  };
  readonly pastPrices: PastPriceSource;
  readonly audit: AuditTrail;
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish' | 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly clock: Clock;
  readonly log: TreasuryLog;
}

/** The dependencies, and what the ledger's modules share. Each module names the parts that it uses. */
export type LedgerParts = ReturnType<typeof createLedgerParts>;

export function createLedgerParts(deps: LedgerDeps) {
  const { settings, backgroundSui, database, changes, clock } = deps;
  const { network, treasuryAddress } = settings;
  const treasuryKey = { network, treasuryAddress };
  return {
    ...deps,
    treasuryKey,
    store: createLedgerStore(database, treasuryKey),
    queries: createLedgerQueries(database, treasuryKey),
    notes: createNotesStore(database, treasuryKey),
    metadata: createCoinMetadataCache(backgroundSui, createCoinMetadataStore(database, network), clock),
    /** Notifies every copy, including this one, that the database has something new. */
    publish: (): Promise<void> => changes.publish(ledgerTopic(treasuryKey)),
  };
}
