import { type RawBuilder, sql } from 'kysely';

const lockOf = (copy: string): string => `living copy ${copy}`;

/**
 * Held by a copy of the product on a connection that lasts as long as it does: the database lets go of it the moment the process is
 * dead, also by kill -9. Shared, so that nobody ever waits for it.
 */
export const livingCopyLock = (copy: string): { readonly text: string; readonly values: readonly string[] } => ({
  text: 'select pg_advisory_lock_shared(hashtextextended($1, 0))',
  values: [lockOf(copy)],
});

/** Whether the copy that last took the lease lives. A lock of one bigint has its halves in two columns (pg_locks, documentation). */
export const isHolderAlive = (leaseName: string): RawBuilder<boolean> => sql`exists (
  select 1 from leases l join pg_locks k
    on k.locktype = 'advisory' and k.objsubid = 1 and k.granted
      and ((k.classid::bigint << 32) | k.objid::bigint) = hashtextextended(${lockOf('')}::text || l.holder, 0)
  where l.name = ${leaseName})`;
