import type { Kysely } from 'kysely';

import type { AuditTrail } from '../audit/contract.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ReceiptSource } from '../market/rocks-contract.ts';
import type { Log } from '../process/logger.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import type { PayoutFacts } from '../treasury/ledger-contract.ts';
import type { OwnerSnapshot } from './core/make-plan.ts';
import type { PayoutCache, SentReader } from './payout-cache.ts';
import type { PayoutStore } from './payout-store.ts';
import type { PaidPayout, Posting } from './payouts-contract.ts';
import type { TransactionStore } from './transaction-store.ts';

/** What paying needs of the treasury's ledger. */
export interface PaymentLedger {
  /** Makes it read now, at least up to that checkpoint, and waits for it. Throws Unavailable. */
  readUpTo(checkpoint: bigint): Promise<void>;
  /** How far it reaches, read from the database. Throws what the database throws. */
  progress(): Promise<LedgerReach>;
}

export interface LedgerReach {
  /** False: its past is still being read. */
  readonly isComplete: boolean;
  /** Where it begins; null: at the beginning of the chain. */
  readonly knownSinceCheckpoint: bigint | null;
}

/** What payouts need of a reading of the treasury. */
interface CoinReading {
  readonly balances: readonly { readonly coinType: string; readonly rawBalance: bigint }[];
  /** null: the chain has none for the coin. Absent: not read yet. */
  readonly metadata: ReadonlyMap<string, { readonly symbol: string; readonly decimals: number } | null>;
}

/** Every minted rock and its owner, read now. */
export interface OwnerReading {
  /** False: some rocks are missing. */
  readonly isComplete: boolean;
  readonly rocks: OwnerSnapshot['rocks'];
}

/** What the rest of the product gives to payouts. */
export interface PayoutParts {
  readonly database: Kysely<Database>;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly changes: Pick<ChangeSignal, 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly ledger: SentReader &
    PaymentLedger & { onChange(run: () => void): void; showPayouts(facts: PayoutFacts): void };
  /** As last read; null: never. */
  readonly treasury: { reading(): CoinReading | null };
  readonly rocks: {
    readonly catalog: {
      /** As last read; null: never. */
      owners(): OwnerSnapshot['rocks'] | null;
      /** Shows what each rock and each address received. */
      showReceipts(receipts: ReceiptSource): void;
      /** The name that the chain has for an address; null: none is known. */
      nameOf(address: string): string | null;
    };
    /** Throws Unavailable. */
    readonly readOwners: (stop: AbortSignal) => Promise<OwnerReading>;
  };
  /** Each call throws Unavailable. */
  readonly sui: SuiClient;
  /** The node that `readOwners` asks. */
  readonly backgroundSui: Pick<SuiClient, 'readKeptCheckpoints' | 'watchTips'>;
  readonly telegram: { readonly posting: Posting };
  readonly discord: {
    readonly posting: Posting;
    /** Notifies members who asked for it, each once per payout; null: there is no bot for it. */
    readonly notifyPaid: ((payout: PaidPayout) => Promise<void>) | null;
  };
  readonly productName: string;
  readonly clock: { now(): Date };
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** What all code of payouts needs. */
export interface PayoutDeps extends PayoutParts {
  readonly settings: {
    readonly network: string;
    readonly treasuryAddress: string;
    readonly collectionType: string;
    /** Without a trailing slash, like `publicUrl`. */
    readonly explorerUrl: string;
    readonly publicUrl: string;
  };
  readonly store: PayoutStore;
  readonly transactions: TransactionStore;
  readonly cache: PayoutCache;
  /** Reads the database again. Throws what it throws. */
  readonly load: () => Promise<void>;
}
