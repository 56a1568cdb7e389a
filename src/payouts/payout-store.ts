import type { Kysely, Selectable, UpdateObject } from 'kysely';
import type { AuditTrail } from '../audit/contract.ts';
import { publishInTransaction } from '../db/change-signal.ts';
import { databaseNow } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import { transact, type Trx } from '../db/transaction.ts';
import type { Admin } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import { draftLeftOut } from './payout-admin-contract.ts';
import type { DraftTerms } from './core/draft-terms.ts';

/** A payout as stored. Whether it was paid, only the chain can say. */
export type StoredPayout = ReturnType<typeof payoutOf>;

function payoutOf(row: Selectable<Database['payouts']>) {
  const { id, title, reason, coinType, plan, sha256 } = row;
  const withdrawn = stampOf(row.withdrawnAt, row.withdrawnBy);
  return {
    id,
    /** The time of its last change in milliseconds, for If-Match. */
    version: row.updatedAt.getTime(),
    terms: {
      title,
      reason,
      coinType,
      amount: { mode: row.amountMode, raw: String(row.amountRaw) },
      leftOut: draftLeftOut.parse(row.leftOut),
    },
    snapshot: { askedAt: row.snapshotAskedAt, problem: row.snapshotProblem },
    /** For a draft: what would be published. */
    plan: plan === null || sha256 === null ? null : { json: plan, sha256 },
    published: stampOf(row.publishedAt, row.publishedBy),
    withdrawn: withdrawn && { ...withdrawn, reason: row.withdrawnReason ?? '' },
    updated: { at: row.updatedAt, by: row.updatedBy },
  };
}

const stampOf = (at: Date | null, by: string | null) => (at === null || by === null ? null : { at, by });

const columnsOf = ({ title, reason, coinType, amount, leftOut }: DraftTerms) => ({
  title,
  reason,
  coinType,
  amountMode: amount.mode,
  amountRaw: BigInt(amount.raw),
  leftOut: JSON.stringify(leftOut),
});

/** Whose payouts: those of one treasury on one network. */
export interface PayoutScope {
  readonly network: string;
  readonly treasuryAddress: string;
}

/** The topic under which changes are announced. */
export const payoutsTopic = ({ network, treasuryAddress }: PayoutScope): string =>
  `payouts ${network} ${treasuryAddress}`;

/** The result of a finished snapshot: a plan, or why there is none. */
export interface SnapshotResult {
  readonly plan: StoredPayout['plan'];
  readonly problem: string | null;
}

interface WrittenBy {
  readonly actor: Admin;
  /** null: any version. */
  readonly ifVersion: number | null;
}

/** `stale`: it was made from an outdated version (rulings R6). */
export interface Written {
  readonly kind: 'saved' | 'stale';
  readonly payout: StoredPayout;
}

/** Runs in the same transaction as the change. */
type Within = (trx: Trx) => Promise<void>;

export interface PayoutStoreDeps {
  readonly db: Kysely<Database>;
  readonly scope: PayoutScope;
  readonly audit: Pick<AuditTrail, 'record'>;
}

export type PayoutStore = ReturnType<typeof createPayoutStore>;

/** Throws what the database throws; `not-found` and `not-a-draft` are Refused. */
export function createPayoutStore(deps: PayoutStoreDeps) {
  const { db, scope } = deps;
  return {
    /** Oldest first, drafts too. */
    all: async (): Promise<readonly StoredPayout[]> => (await rowsOf(db, scope).orderBy('id').execute()).map(payoutOf),
    /** null: there is none. */
    find: async (id: number): Promise<StoredPayout | null> => {
      const row = await rowsOf(db, scope).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : payoutOf(row);
    },
    create: (terms: DraftTerms, actor: Admin): Promise<StoredPayout> =>
      transact(db, async (trx) => {
        const row = await trx
          .insertInto('payouts')
          .values({ ...scope, ...columnsOf(terms), updatedBy: actor.name })
          .returningAll()
          .executeTakeFirstOrThrow();
        const payout = payoutOf(row);
        await record(deps, trx, { actor, action: 'payout-drafted', before: null, after: payout });
        return payout;
      }),
    ...draftWrites(deps),
  };
}

function draftWrites(deps: PayoutStoreDeps) {
  const { db, scope } = deps;
  return {
    /** Removes the draft's snapshot: it was taken for other terms. */
    change: (id: number, terms: DraftTerms, by: WrittenBy) =>
      write(deps, id, by, {
        action: 'payout-changed',
        prepare: requireDraft,
        change: { ...columnsOf(terms), ...noSnapshot },
      }),
    /** `takeSnapshot` sends the job. */
    askSnapshot: (id: number, snapshotAskedAt: Date, by: WrittenBy, takeSnapshot: Within) =>
      write(deps, id, by, {
        action: 'payout-snapshot-asked',
        prepare: (payout, trx) => {
          requireDraft(payout);
          return takeSnapshot(trx);
        },
        change: { ...noSnapshot, snapshotAskedAt },
      }),
    remove: (id: number, by: WrittenBy) =>
      write(deps, id, by, { action: 'payout-deleted', prepare: requireDraft, change: null }),
    publish: (id: number, sha256: string, by: WrittenBy) =>
      write(deps, id, by, {
        action: 'payout-published',
        prepare: (payout) => requirePublishable(payout, sha256),
        change: { publishedAt: databaseNow, publishedBy: by.actor.name },
      }),
    /** `isUnpaid`: whether it is known that no line has its planned payment. */
    withdraw: (id: number, reason: string, by: WrittenBy, isUnpaid: () => boolean, dropCards: Within) =>
      write(deps, id, by, {
        action: 'payout-withdrawn',
        prepare: (payout, trx) => requireWithdrawable(trx, payout, isUnpaid()).then(() => dropCards(trx)),
        change: { withdrawnAt: databaseNow, withdrawnBy: by.actor.name, withdrawnReason: reason },
      }),
    /** Stored only if the draft has not changed since the request. No new version: its hash protects what is published. */
    keepSnapshot: (id: number, askedAt: Date, { plan, problem }: SnapshotResult): Promise<void> =>
      transact(db, async (trx) => {
        await trx
          .updateTable('payouts')
          .where((row) => row.and({ ...scope, id, snapshotAskedAt: askedAt }))
          .where('publishedAt', 'is', null)
          .set({ ...noSnapshot, snapshotProblem: problem, plan: plan?.json ?? null, sha256: plan?.sha256 ?? null })
          .execute();
        await publishInTransaction(trx, payoutsTopic(scope));
      }),
  };
}

const noSnapshot = { plan: null, sha256: null, snapshotAskedAt: null, snapshotProblem: null };

function requireDraft({ published }: StoredPayout): void {
  if (published !== null) throw new Refused('not-a-draft', 'This payout is published and can no longer be changed.');
}

/** Only a published payout of which nothing is paid as planned, or may still be paid, is withdrawn. */
async function requireWithdrawable(trx: Trx, { id, published, withdrawn }: StoredPayout, isUnpaid: boolean) {
  if (published === null) throw new Refused('not-published', 'This payout is a draft: delete it instead.');
  if (withdrawn !== null) throw new Refused('withdrawn', 'This payout is already withdrawn.');
  if (!isUnpaid) throw new Refused('paid', 'Some of this payout is paid, so it cannot be withdrawn.');
  const waiting = await trx
    .selectFrom('payoutTransactions')
    .where((row) => row.and({ payout: id, state: 'waiting' as const }))
    .select('expiresEpoch')
    .executeTakeFirst();
  if (waiting === undefined) return;
  throw new Refused(
    'transaction-waiting',
    `A transaction of this payout was handed out and may still be executed. Wait until epoch ${waiting.expiresEpoch} is over, or have the treasury send itself a little SUI.`,
  );
}

/** Only the plan that was on the screen is published, byte for byte. */
function requirePublishable(payout: StoredPayout, sha256: string): void {
  requireDraft(payout);
  if (payout.plan === null) throw new Refused('no-snapshot', 'Read the owners first: the plan is made from them.');
  if (payout.plan.sha256 !== sha256)
    throw new Refused('another-plan', 'The plan has changed since you saw it. Look at it again.');
}

const rowsOf = (db: Kysely<Database>, scope: PayoutScope) =>
  db
    .selectFrom('payouts')
    .where((row) => row.and({ ...scope }))
    .selectAll();

interface Change {
  readonly action: string;
  /** Runs first, in the same transaction. Throws Refused if the change is not allowed. */
  readonly prepare: (payout: StoredPayout, trx: Trx) => Promise<void> | void;
  /** null: the payout is deleted. */
  readonly change: UpdateObject<Database, 'payouts'> | null;
}

/** Writes a change and its audit entry in one transaction. Changes of the same payout wait for each other. */
const write = (
  deps: PayoutStoreDeps,
  id: number,
  { actor, ifVersion }: WrittenBy,
  { action, prepare, change }: Change,
): Promise<Written> =>
  transact(deps.db, async (trx) => {
    const locked = await rowsOf(trx, deps.scope).where('id', '=', id).forUpdate().executeTakeFirst();
    if (locked === undefined) throw new Refused('not-found', 'There is no such payout.');
    const before = payoutOf(locked);
    if (ifVersion !== null && ifVersion !== before.version) return { kind: 'stale', payout: before };
    await prepare(before, trx);
    const written =
      change === null
        ? trx.deleteFrom('payouts').where('id', '=', id).returningAll()
        : trx
            .updateTable('payouts')
            .where('id', '=', id)
            .set({ ...change, updatedAt: databaseNow, updatedBy: actor.name })
            .returningAll();
    const payout = payoutOf(await written.executeTakeFirstOrThrow());
    await record(deps, trx, { actor, action, before, after: change === null ? null : payout });
    return { kind: 'saved', payout };
  });

type Recorded = Pick<WrittenBy, 'actor'> & Pick<Change, 'action'> & Record<'before' | 'after', StoredPayout | null>;

async function record({ audit, scope }: PayoutStoreDeps, trx: Trx, { actor, action, before, after }: Recorded) {
  const about = after ?? before;
  const subject = { kind: 'payout', id: String(about?.id), label: about?.terms.title ?? '' };
  await audit.record({ actor, action, subject, before: logged(before), after: logged(after) }, trx);
  await publishInTransaction(trx, payoutsTopic(scope));
}

const logged = (payout: StoredPayout | null) =>
  payout && {
    ...payout.terms,
    // The hash becomes public with the plan, and is logged from then on.
    sha256: payout.published === null ? null : (payout.plan?.sha256 ?? null),
    withdrawnReason: payout.withdrawn?.reason ?? null,
  };
