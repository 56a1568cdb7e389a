import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import { withTimeout } from '../../process/in-time.ts';
import { memberChecks, type RolesDeps } from './role-jobs.ts';
import { type CheckCause, readCause } from './rules/findings.ts';
import { causeNow, type MemberId, updateMember } from './member-store.ts';

type Db = RolesDeps['db'];

/**
 * Any action of a member that needs a check (linking, unlinking, /why, coming back) joins the one that is due or running; otherwise one
 * is due now.
 */
export async function requestCheck(db: Db, { guildId, userId }: MemberId, cause: CheckCause): Promise<void> {
  const members = db.updateTable('discordMembers').set({ checkDueAt: databaseNow, checkCause: causeNow(cause) });
  await members
    .where((eb) => eb.and({ guildId, userId }))
    .where((eb) => eb.or([eb('checkDueAt', 'is', null), eb('checkDueAt', '>', databaseNow)]))
    .execute();
}

/** Why the member's check is due now; null: it is not. */
export async function dueCheck(db: Db, { guildId, userId }: MemberId): Promise<CheckCause | null> {
  const due = await db
    .selectFrom('discordMembers')
    .select('checkCause')
    .where((eb) => eb.and({ guildId, userId }))
    .where('checkDueAt', '<=', databaseNow)
    .executeTakeFirst();
  return due === undefined ? null : readCause(due.checkCause ?? 'due');
}

/** Makes the check due again after the delay. */
export const postponeCheck = (db: Db, member: MemberId, delayMs: number): Promise<void> =>
  updateMember(db, member, { checkDueAt: databaseNowPlus(delayMs) });

/** Published when a check has ended. */
export const checksTopic = 'discord checks';
/** A check of hundreds of kiosks may take minutes. It continues after this. */
const waitsAtMostMs = 5 * 60_000;

export type WaitingDeps = Pick<RolesDeps, 'db' | 'jobs' | 'changes'>;

/** Waits for a check of the member. One per member runs at a time, and all requests join it. */
export async function checkAndWait(
  { db, jobs, changes }: WaitingDeps,
  { guildId, userId }: MemberId,
  cause: CheckCause,
): Promise<void> {
  const member = { guildId, userId };
  await requestCheck(db, member, cause);
  const over = Promise.withResolvers<void>();
  const endIfChecked = (): void => {
    // On an error the caller reads the database next and meets the outage there.
    dueCheck(db, member).then((due) => (due === null ? over.resolve() : undefined), over.resolve);
  };
  const stopListening = changes.subscribe(checksTopic, endIfChecked);
  try {
    await jobs.send(memberChecks, member);
    await withTimeout(over.promise, waitsAtMostMs, () => {});
  } finally {
    stopListening();
  }
}
