import { type Batch, type PayablePlan, type PlanResult, reconcile, type Sent } from './core/reconcile.ts';
import { type PayoutProblem, payoutProblems, summaryOf } from './core/payout-summary.ts';
import type { KeptPayout } from './kept-payout.ts';
import type { PayoutStore } from './payout-store.ts';
import { type PayoutPlan, payoutPlan, type PayoutSummary } from './payouts-contract.ts';

/** What the ledger of the treasury says it sent (rulings R8). */
export interface SentReader {
  /** What was sent after a checkpoint, in the order of the chain. Throws what the database throws. */
  sentSince(checkpoint: bigint, coinTypes: readonly string[]): Promise<readonly Sent[]>;
  /** When the chain was last read; null: never. */
  coveredAt(): Date | null;
}

export interface PublishedPayout {
  readonly kept: KeptPayout;
  readonly plan: PayoutPlan;
  readonly result: PlanResult;
  readonly summary: PayoutSummary;
}

export interface PayoutBook {
  /** Reads the database again. */
  load(): Promise<void>;
  /** Newest first. */
  published(): readonly PublishedPayout[];
  /** undefined: no such payout is published. */
  find(id: number): PublishedPayout | undefined;
  asOf(): string | null;
  /** Payments that are not in the plan of their payout; null: nothing was read yet. */
  problems(): readonly PayoutProblem[] | null;
  /** Runs after every load. */
  onChange(run: () => void): void;
}

export interface PayoutBookDeps {
  readonly store: Pick<PayoutStore, 'all'>;
  readonly transactions: {
    /** By payout: what was handed out for it, whatever became of that. Throws what the database throws. */
    batches(): Promise<ReadonlyMap<number, readonly Batch[]>>;
  };
  readonly ledger: SentReader;
}

/** Every published payout in memory, beside what the chain says of it; all public calls answer from here. */
export function createPayoutBook(deps: PayoutBookDeps): PayoutBook {
  const listeners = new Set<() => void>();
  let payouts: readonly PublishedPayout[] = [];
  let problems: readonly PayoutProblem[] | null = null;
  return {
    load: async () => {
      payouts = await readPublished(deps);
      problems = payouts.flatMap(({ plan, result }) => payoutProblems(plan, result));
      for (const run of listeners) run();
    },
    published: () => payouts,
    find: (id) => payouts.find(({ kept }) => kept.id === id),
    asOf: () => deps.ledger.coveredAt()?.toISOString() ?? null,
    problems: () => problems,
    onChange: (run) => void listeners.add(run),
  };
}

async function readPublished({ store, transactions, ledger }: PayoutBookDeps): Promise<readonly PublishedPayout[]> {
  const published = (await store.all()).flatMap((kept) =>
    kept.published === null || kept.plan === null
      ? []
      : [{ kept, plan: payoutPlan.parse(JSON.parse(kept.plan.json)), publishedAt: kept.published.at }],
  );
  const batches = await transactions.batches();
  const payable = published.map(({ kept, plan }): PayablePlan => ({
    payout: kept.id,
    coinType: plan.coin.type,
    checkpoint: BigInt(plan.snapshot.checkpoint),
    withdrawnAt: kept.withdrawn?.at ?? null,
    lines: plan.lines,
    batches: batches.get(kept.id) ?? [],
  }));
  const first = payable.reduce<bigint | null>(
    (least, { checkpoint }) => (least === null || checkpoint < least ? checkpoint : least),
    null,
  );
  const coinTypes = [...new Set(payable.map(({ coinType }) => coinType))];
  const results = reconcile(payable, first === null ? [] : await ledger.sentSince(first, coinTypes));
  return published
    .flatMap(({ kept, plan, publishedAt }) => {
      const result = results.get(kept.id);
      if (result === undefined) return [];
      const { withdrawn } = kept;
      const sha256 = kept.plan?.sha256 ?? '';
      return [{ kept, plan, result, summary: summaryOf({ plan, result, publishedAt, withdrawn, sha256 }) }];
    })
    .toReversed();
}
