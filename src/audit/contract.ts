import * as z from 'zod/mini';

import type { Trx } from '../db/transaction.ts';
import { described } from '../shared/answer-fields.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Who did it. 'user': a signed-in user without admin access. 'command': `npm run user`. 'system': the product itself,
 * for instance when it starts.
 */
export type AuditActor =
  | PersonActing<'admin'>
  | PersonActing<'user'>
  | PersonActing<'telegram'>
  | PersonActing<'discord'>
  | { readonly kind: 'system' | 'command'; readonly name: string };

/** One member of the union for each kind, so that a caller may accept admins only. */
interface PersonActing<Kind extends string> {
  readonly kind: Kind;
  readonly userId: string;
  readonly name: string;
}

/** One mutation. `action` in kebab-case: 'telegram-configuration-deleted'. Passwords and tokens never go into it. */
export interface AuditEntry {
  readonly actor: AuditActor;
  readonly action: string;
  /** `label` is what a person calls it: a chat's title, a username. */
  readonly subject: { readonly kind: string; readonly id: string; readonly label: string };
  /** Only the fields that the mutation touched. null: there was nothing before, or there is nothing after. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Where a mutation is recorded (rulings R6). */
export interface AuditTrail {
  /** Writes in the caller's transaction, so that a mutation and its entry succeed or fail together. */
  record(entry: AuditEntry, trx: Trx): Promise<void>;
  /**
   * Removes a person from every entry about them, in the transaction that deletes their other data. False: no entry changed.
   * The caller records an entry of its own, so that the log shows when it was changed.
   */
  redact(redaction: Redaction, trx: Trx): Promise<boolean>;
}

/** How entries name a person whose data is deleted. */
export interface Redaction {
  /** Entries about them lose id and label, and `fields` of before and after. */
  readonly subject: { readonly kind: string; readonly id: string };
  /** The place they belonged to: entries about it may list them in `after.members` as 'Name (id)'. */
  readonly placeId: string;
  /** Entries about what they did to themselves lose id and name. What they did as an admin of the place keeps both. */
  readonly actor: { readonly kind: AuditEntry['actor']['kind']; readonly userId: string };
  /** The label of entries about them from then on. */
  readonly label: string;
  readonly fields: readonly string[];
}

const fields = z.nullable(z.record(z.string(), z.unknown()));

const listedEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actor: z.object({ kind: z.enum(['admin', 'user', 'telegram', 'discord', 'system', 'command']), name: z.string() }),
  action: z.string(),
  subject: z.object({ kind: z.string(), id: z.string(), label: z.string() }),
  before: fields,
  after: fields,
});
export type ListedAuditEntry = z.infer<typeof listedEntry>;

/** GET /api/audit (rulings R6). */
export const auditAnswer = z.object({
  entries: z.array(listedEntry),
  nextBefore: described(z.nullable(z.string()), '`before` of the next older page; null: there is none'),
});
