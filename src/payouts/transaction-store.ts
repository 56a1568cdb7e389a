import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';

import { publishInTransaction } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import { transact, type Trx, waitForLock } from '../db/transaction.ts';
import type { Admin } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import type { Batch } from './core/reconcile.ts';
import type { Verdict } from './core/transaction-verdict.ts';
import { type PayoutScope, type PayoutStoreDeps, payoutsTopic } from './payout-store.ts';

/** A transaction that is ready to be handed out. */
export interface NewTransaction {
  readonly payout: number;
  readonly digest: string;
  readonly bytes: Uint8Array;
  /** Indices into the plan's lines, ascending. */
  readonly lines: readonly number[];
  /** The coin objects it spends; the first one chains it with the others. */
  readonly objects: readonly { readonly objectId: string; readonly version: bigint }[];
  readonly chainId: string | null;
  /** The newest checkpoint before it was built. */
  readonly builtCheckpoint: bigint;
  readonly expiresEpoch: bigint;
  readonly gasBudgetMist: bigint;
  readonly gasMist: bigint;
}

export type StoredTransaction = ReturnType<typeof transactionOf>;
export type TransactionStore = ReturnType<typeof createTransactionStore>;

const chainedOn = 50;

/** The transactions that were handed out. At most one waits for each treasury (a unique index enforces it). Throws what the database throws. */
export function createTransactionStore(deps: PayoutStoreDeps) {
  const { db, scope } = deps;
  const rows = () => db.selectFrom('payoutTransactions').where((row) => row.and({ ...scope }));
  return {
    /** Newest first. */
    ofPayout: async (payout: number): Promise<readonly StoredTransaction[]> =>
      (await rows().where('payout', '=', payout).orderBy('id', 'desc').selectAll().execute()).map(transactionOf),
    /** The one that may still be executed, as of the last check; null: there is none. */
    waiting: async (): Promise<StoredTransaction | null> => {
      const row = await rows().where('state', '=', 'waiting').selectAll().executeTakeFirst();
      return row === undefined ? null : transactionOf(row);
    },
    batches: async (): Promise<ReadonlyMap<number, readonly Batch[]>> =>
      Map.groupBy(await rows().orderBy('id').select(['payout', 'digest', 'lines']).execute(), ({ payout }) => payout),
    /** First coin objects of the latest transactions, newest first. */
    firstCoins: async (): Promise<readonly string[]> =>
      (await rows().orderBy('id', 'desc').limit(chainedOn).select('objects').execute()).flatMap(
        ({ objects }) => objectsColumn.parse(objects)[0]?.objectId ?? [],
      ),
    /** 0: there is none. */
    newestId: () => newestId(db, scope),
    keep: (built: NewTransaction, by: BuiltBy) => transact(db, (trx) => keep(deps, trx, built, by)),
    /** Records the final state, once. */
    end: (id: number, { state, at }: Exclude<Verdict, { state: 'waiting' }>): Promise<void> =>
      transact(db, async (trx) => {
        const ended = trx
          .updateTable('payoutTransactions')
          .where((row) => row.and({ id, state: 'waiting' as const }))
          .set({ state, executedAt: state === 'executed' || state === 'failed' ? at : null });
        await ended.execute();
        await publishInTransaction(trx, payoutsTopic(scope));
      }),
    /** Logged before it is sent to the node; only the chain says what comes of it. */
    recordSending: ({ digest, payout }: StoredTransaction, actor: Admin): Promise<void> =>
      transact(db, async (trx) => {
        const { title: label } = await lockPayable(trx, scope, payout);
        const subject = { kind: 'payout', id: String(payout), label };
        await deps.audit.record(
          { actor, action: 'payout-transaction-sent', subject, before: null, after: { digest } },
          trx,
        );
      }),
  };
}

interface BuiltBy {
  readonly actor: Admin;
  /** `newestId` from before the build began. */
  readonly after: number;
}

/** False: another one was kept in the meantime, so nothing was stored. */
async function keep(
  { scope, audit }: PayoutStoreDeps,
  trx: Trx,
  built: NewTransaction,
  { actor, after }: BuiltBy,
): Promise<boolean> {
  await waitForLock(trx, `payout transactions ${scope.network} ${scope.treasuryAddress}`);
  if ((await newestId(trx, scope)) !== after) return false;
  const { title: label } = await lockPayable(trx, scope, built.payout);
  const { payout, digest, lines, objects, expiresEpoch, gasBudgetMist } = built;
  const objectVersions = objects.map(({ objectId, version }) => ({ objectId, version: String(version) }));
  const row = { ...scope, ...built, objects: JSON.stringify(objectVersions), builtBy: actor.name };
  await trx.insertInto('payoutTransactions').values(row).execute();
  const details = {
    digest,
    lines: lines.length,
    expiresEpoch: String(expiresEpoch),
    gasBudgetMist: String(gasBudgetMist),
  };
  const subject = { kind: 'payout', id: String(payout), label };
  await audit.record({ actor, action: 'payout-transaction-built', subject, before: null, after: details }, trx);
  await publishInTransaction(trx, payoutsTopic(scope));
  return true;
}

/** Locks the payout, so that it is not withdrawn at the same moment. Throws Refused. */
async function lockPayable(trx: Trx, scope: PayoutScope, id: number): Promise<{ readonly title: string }> {
  const payout = await trx
    .selectFrom('payouts')
    .where((row) => row.and({ ...scope, id }))
    .select(['title', 'publishedAt', 'withdrawnAt'])
    .forUpdate()
    .executeTakeFirst();
  if (payout === undefined) throw new Refused('not-found', 'There is no such payout.');
  if (payout.publishedAt === null) throw new Refused('not-published', 'This payout is a draft. Publish it first.');
  if (payout.withdrawnAt !== null) throw new Refused('withdrawn', 'This payout is withdrawn, so it is not paid.');
  return payout;
}

async function newestId(db: Kysely<Database>, scope: PayoutScope): Promise<number> {
  const query = db.selectFrom('payoutTransactions').where((row) => row.and({ ...scope }));
  const row = await query.select(({ fn }) => fn.max('id').as('newest')).executeTakeFirst();
  return row?.newest ?? 0;
}

const objectsColumn = z.array(z.object({ objectId: z.string(), version: z.string().transform(BigInt) }));

const transactionOf = ({ objects, ...row }: Selectable<Database['payoutTransactions']>) => ({
  ...row,
  objects: objectsColumn.parse(objects),
  builtCheckpoint: BigInt(row.builtCheckpoint),
  expiresEpoch: BigInt(row.expiresEpoch),
});
