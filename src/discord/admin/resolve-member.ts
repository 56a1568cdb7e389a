import type { Kysely } from 'kysely';

import { openTransaction } from '../../db/open-transaction.ts';
import type { Admin } from '../../http/admin-call.ts';
import { type MemberCase, memberSubject, readCase } from '../roles/member-store.ts';
import type { Database } from '../../db/schema.ts';
import type { AuditTrail } from '../ports.ts';

interface ResolvingDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly look: (guildId: string, userId: string, cause: string) => Promise<void>;
}

/** 'Resolve' (rulings R6): checks a member now and applies the result; the log of changes records who asked and the result. */
export async function resolveMember(
  { db, audit, look }: ResolvingDeps,
  { guildId, userId, by }: { readonly guildId: string; readonly userId: string; readonly by: Admin },
): Promise<void> {
  const before = await readCase(db, guildId, userId);
  if (before === null) return;
  await look(guildId, userId, 'asked-by-admin');
  const after = await readCase(db, guildId, userId);
  // Nothing is logged about a member who deleted their data meanwhile.
  if (after === null) return;
  const entry = { actor: by, action: 'discord-member-resolved', subject: memberSubject(after) };
  await db
    .transaction()
    .execute((trx) => audit.record({ ...entry, before: found(before), after: found(after) }, openTransaction(trx)));
}

const found = ({ standing, answer, hasRole }: MemberCase) => ({ standing, answer, hasRole });
