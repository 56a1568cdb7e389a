import type { OpenTransaction } from '../shared/open-transaction.ts';
import type { AuditEntry, AuditQuery, ListedAuditEntry } from './contract.ts';

/** Where a mutation is told. */
export interface AuditTrail {
  /** Written in the caller's transaction, so that a mutation and its entry are one. */
  record(entry: AuditEntry, transaction: OpenTransaction): Promise<void>;
}

export interface AuditReader {
  /** Newest first, at most `limit` + 1 entries: the one too many says that there are older ones. */
  list(query: AuditQuery): Promise<readonly ListedAuditEntry[]>;
}
