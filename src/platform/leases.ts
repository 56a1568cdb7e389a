import { sql, type Kysely } from 'kysely';

/** Row types of migrations/0001-platform.sql. */
export interface LeaseTables {
  leases: {
    name: string;
    holder: string;
    /** int8: a decimal string on the wire. */
    token: string;
    expires_at: Date;
  };
}

/** The right to do one job alone, until it expires. The token grows with every new lease of that name. */
export interface Lease {
  readonly name: string;
  readonly token: bigint;
}

export interface Leases {
  /** null: somebody holds it. Even this holder does not get it twice. */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
  /** False: it expired or somebody else has it; stop the work and acquire anew. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /** Frees it at once. Harmless when it is held no more. */
  release(lease: Lease): Promise<void>;
  /**
   * Asked inside the transaction that writes: true promises that nobody else gets the lease before that transaction ends.
   * A holder that was paused for longer than its lease learns here that its work no longer counts.
   */
  holds(transaction: Kysely<LeaseTables>, lease: Lease): Promise<boolean>;
}

/**
 * Singletons of a product that may run in several copies (rulings R7). Time is the database's alone: copies need no common clock.
 * `holder` names this copy for people who look into the table. Database failures are thrown as they come.
 */
export function createLeases(db: Kysely<LeaseTables>, { holder }: { readonly holder: string }): Leases {
  return {
    acquire: async (name, ttlMs) => {
      const { rows } = await sql<{ token: string }>`
        insert into leases (name, holder, token, expires_at) values (${name}, ${holder}, 1, ${expiryIn(ttlMs)})
        on conflict (name) do update
          set holder = excluded.holder, token = leases.token + 1, expires_at = excluded.expires_at
          where leases.expires_at <= clock_timestamp()
        returning token`.execute(db);
      return rows[0] === undefined ? null : { name, token: BigInt(rows[0].token) };
    },
    renew: async (lease, ttlMs) => {
      const { numAffectedRows } = await sql`
        update leases set expires_at = ${expiryIn(ttlMs)} where ${isHeld(lease)}`.execute(db);
      return numAffectedRows === 1n;
    },
    release: async (lease) => {
      await sql`update leases set expires_at = '-infinity' where ${isHeld(lease)}`.execute(db);
    },
    holds: async (transaction, lease) => {
      const { rows } = await sql`select 1 from leases where ${isHeld(lease)} for share`.execute(transaction);
      return rows.length === 1;
    },
  };
}

// clock_timestamp, not now(): inside a transaction now() stands still.
const expiryIn = (ttlMs: number) => sql`clock_timestamp() + ${ttlMs} * interval '1 millisecond'`;

const isHeld = ({ name, token }: Lease) =>
  sql`name = ${name} and token = ${token.toString()} and expires_at > clock_timestamp()`;
