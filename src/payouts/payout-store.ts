import type { Kysely, UpdateObject } from 'kysely';

import type { AuditTrail } from '../audit/contract.ts';
import { publishWithin } from '../db/change-signal.ts';
import { databaseNow } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import { transact, type Trx } from '../db/transaction.ts';
import type { Admin } from '../http/admin-call.ts';
import { Refused } from '../shared/failure.ts';
import { columnsOf, keptOf, type KeptPayout } from './kept-payout.ts';
import type { DraftTerms } from './payouts-contract.ts';
import type { PayoutState } from './core/payout-terms.ts';

type Db = Kysely<Database>;

export interface PayoutKey {
  readonly network: string;
  readonly treasuryAddress: string;
}

/** What its changes are published under. */
export const payoutsTopic = ({ network, treasuryAddress }: PayoutKey): string =>
  `payouts ${network} ${treasuryAddress}`;

/** null: of a snapshot that is done. */
export interface SnapshotResult {
  readonly plan: { readonly json: string; readonly sha256: string } | null;
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
  readonly payout: KeptPayout;
}

export interface PayoutStoreDeps {
  readonly db: Db;
  readonly of: PayoutKey;
  readonly audit: Pick<AuditTrail, 'record'>;
}

export type PayoutStore = ReturnType<typeof createPayoutStore>;

/** Throws what the database throws; `not-found` and `not-a-draft` are Refused. */
export function createPayoutStore(deps: PayoutStoreDeps) {
  const { db, of } = deps;
  return {
    /** Oldest first, drafts too. */
    all: async (): Promise<readonly KeptPayout[]> => {
      const rows = await db
        .selectFrom('payouts')
        .where((row) => row.and({ ...of }))
        .orderBy('id')
        .selectAll()
        .execute();
      return rows.map(keptOf);
    },
    /** null: there is none. */
    find: async (id: number): Promise<KeptPayout | null> => {
      const row = await rowOf(db, of, id).executeTakeFirst();
      return row === undefined ? null : keptOf(row);
    },
    create: (terms: DraftTerms, actor: Admin): Promise<KeptPayout> =>
      transact(db, async (trx) => {
        const row = await trx
          .insertInto('payouts')
          .values({ ...of, ...columnsOf(terms), updatedBy: actor.name })
          .returningAll()
          .executeTakeFirstOrThrow();
        const payout = keptOf(row);
        await record(deps, trx, { actor, action: 'payout-drafted', before: null, payout });
        return payout;
      }),
    ...draftWrites(deps),
  };
}

const draftWrites = (deps: PayoutStoreDeps) => {
  const { db, of } = deps;
  return {
    /** What was read for the draft before is of other terms, and goes. */
    change: (id: number, terms: DraftTerms, by: WrittenBy) =>
      write(deps, id, by, {
        action: 'payout-changed',
        check: isDraft,
        change: { ...columnsOf(terms), ...noSnapshot },
      }),
    askSnapshot: (id: number, askedAt: Date, by: WrittenBy) =>
      write(deps, id, by, {
        action: 'payout-snapshot-asked',
        check: isDraft,
        change: { ...noSnapshot, snapshotAskedAt: askedAt },
      }),
    publish: (id: number, sha256: string, by: WrittenBy) =>
      write(deps, id, by, {
        action: 'payout-published',
        check: (payout) => publishable(payout, sha256),
        change: { publishedAt: databaseNow, publishedBy: by.actor.name },
      }),
    /** `stateNow`: what the chain says of it; null: not known. */
    withdraw: (id: number, reason: string, by: WrittenBy, stateNow: () => PayoutState | null) =>
      write(deps, id, by, {
        action: 'payout-withdrawn',
        check: (payout, trx) => withdrawable(payout, stateNow(), trx),
        change: { withdrawnAt: databaseNow, withdrawnBy: by.actor.name, withdrawnReason: reason },
      }),
    /** Of the draft as it was asked for; a draft that was changed meanwhile keeps none. */
    keepSnapshot: async (id: number, askedAt: Date, { plan, problem }: SnapshotResult): Promise<void> => {
      await transact(db, async (trx) => {
        await trx
          .updateTable('payouts')
          .where((row) => row.and({ ...of, id, snapshotAskedAt: askedAt }))
          .where('publishedAt', 'is', null)
          .set({
            snapshotAskedAt: null,
            snapshotProblem: problem,
            plan: plan?.json ?? null,
            sha256: plan?.sha256 ?? null,
            updatedAt: databaseNow,
          })
          .execute();
        await publishWithin(trx, payoutsTopic(of));
      });
    },
    remove: (id: number, { actor, ifVersion }: WrittenBy): Promise<Written> =>
      transact(db, async (trx) => {
        const payout = await lockOne(trx, of, id);
        if (ifVersion !== null && ifVersion !== payout.version) return { kind: 'stale', payout };
        isDraft(payout);
        await trx.deleteFrom('payouts').where('id', '=', id).execute();
        await record(deps, trx, { actor, action: 'payout-deleted', before: payout, payout: null });
        return { kind: 'saved', payout };
      }),
  };
};

const noSnapshot = { plan: null, sha256: null, snapshotAskedAt: null, snapshotProblem: null };

function isDraft({ published }: KeptPayout): void {
  if (published !== null) throw new Refused('not-a-draft', 'This payout is published and can no longer be changed.');
}

async function withdrawable({ id, published, withdrawn }: KeptPayout, state: PayoutState | null, trx: Trx) {
  if (published === null) throw new Refused('not-published', 'This payout is a draft: delete it instead.');
  if (withdrawn !== null) throw new Refused('withdrawn', 'This payout is already withdrawn.');
  if (state !== 'published') throw new Refused('paid', 'Some of this payout is paid, so it cannot be withdrawn.');
  const waiting = await trx
    .selectFrom('payoutTransactions')
    .where((row) => row.and({ payout: id, state: 'waiting' as const }))
    .select('expiresEpoch')
    .executeTakeFirst();
  if (waiting === undefined) return;
  const message = `A transaction of this payout was handed out and may still be executed. Wait until epoch ${waiting.expiresEpoch} is over, or have the treasury send itself a little SUI.`;
  throw new Refused('transaction-waiting', message);
}

/** What was read on the screen is what is published, to the byte. */
function publishable(payout: KeptPayout, sha256: string): void {
  isDraft(payout);
  if (payout.plan === null) throw new Refused('no-snapshot', 'Take a snapshot first: it says who is paid.');
  if (payout.plan.sha256 !== sha256)
    throw new Refused('another-plan', 'The plan has changed since you saw it. Look at it again.');
}

const rowOf = (db: Db, of: PayoutKey, id: number) =>
  db
    .selectFrom('payouts')
    .where((each) => each.and({ ...of, id }))
    .selectAll();

async function lockOne(trx: Trx, of: PayoutKey, id: number): Promise<KeptPayout> {
  const row = await rowOf(trx, of, id).forUpdate().executeTakeFirst();
  if (row === undefined) throw new Refused('not-found', 'There is no such payout.');
  return keptOf(row);
}

interface Change {
  readonly action: string;
  /** Throws Refused where it is not allowed. */
  readonly check: (payout: KeptPayout, trx: Trx) => Promise<void> | void;
  readonly change: UpdateObject<Database, 'payouts'>;
}

/** A change with its log entry, all or nothing and one after the other. */
const write = (
  deps: PayoutStoreDeps,
  id: number,
  { actor, ifVersion }: WrittenBy,
  { action, check, change }: Change,
): Promise<Written> =>
  transact(deps.db, async (trx) => {
    const before = await lockOne(trx, deps.of, id);
    if (ifVersion !== null && ifVersion !== before.version) return { kind: 'stale', payout: before };
    await check(before, trx);
    const row = await trx
      .updateTable('payouts')
      .where('id', '=', id)
      .set({ ...change, updatedAt: databaseNow, updatedBy: actor.name })
      .returningAll()
      .executeTakeFirstOrThrow();
    const payout = keptOf(row);
    await record(deps, trx, { actor, action, before, payout });
    return { kind: 'saved', payout };
  });

interface Recorded {
  readonly actor: Admin;
  readonly action: string;
  readonly before: KeptPayout | null;
  readonly payout: KeptPayout | null;
}

async function record({ audit, of }: PayoutStoreDeps, trx: Trx, { actor, action, before, payout }: Recorded) {
  const about = payout ?? before;
  const subject = { kind: 'payout', id: String(about?.id), label: about?.terms.title ?? '' };
  await audit.record({ actor, action, subject, before: logged(before), after: logged(payout) }, trx);
  await publishWithin(trx, payoutsTopic(of));
}

const logged = (payout: KeptPayout | null) =>
  payout === null
    ? null
    : { ...payout.terms, sha256: payout.plan?.sha256 ?? null, withdrawnReason: payout.withdrawn?.reason ?? null };
