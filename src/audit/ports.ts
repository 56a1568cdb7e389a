import type { AuditQuery, ListedAuditEntry } from './contract.ts';

export interface AuditReader {
  /** Newest first, at most `limit` + 1 entries: the one too many says that there are older ones. */
  list(query: AuditQuery): Promise<readonly ListedAuditEntry[]>;
}
