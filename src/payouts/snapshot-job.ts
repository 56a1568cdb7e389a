import { z } from 'zod';

import type { JobDefinition, JobName } from '../jobs/define-job.ts';
import type { OwnerSnapshot } from './core/make-plan.ts';
import type { KeptPayout } from './kept-payout.ts';
import type { PayoutStore, SnapshotResult } from './payout-store.ts';

/** Every minted rock and whose it is, read now. */
interface OwnerReading {
  /** False: there are rocks that are not among these. */
  readonly isComplete: boolean;
  readonly rocks: OwnerSnapshot['rocks'];
}

export interface SnapshotJobDeps {
  readonly store: Pick<PayoutStore, 'find' | 'keepSnapshot'>;
  /** Throws Unavailable. */
  readonly readOwners: (stop: AbortSignal) => Promise<OwnerReading>;
  /** The newest checkpoint of the node, and of which chain it is. Throws Unavailable. */
  readonly readChain: (stop: AbortSignal) => Promise<{ readonly newest: bigint; readonly chainId: string | null }>;
  readonly planFor: (draft: KeptPayout, snapshot: OwnerSnapshot) => SnapshotResult;
  readonly clock: { now(): Date };
}

export const payoutSnapshot = {
  name: 'payout-snapshot',
  payload: z.object({ payout: z.int() }),
  key: ({ payout }) => String(payout),
} satisfies JobName<{ payout: number }>;

/** Reads owners for a draft that asks for it, and keeps what would be published (rulings R9). */
export const snapshotJob = (deps: SnapshotJobDeps): JobDefinition<{ payout: number }> => ({
  ...payoutSnapshot,
  longestRetryMs: 60_000,
  failing: 'The owners of the rocks could not be read for a payout',
  run: async ({ payout }, stop) => {
    const draft = await deps.store.find(payout);
    const askedAt = draft?.snapshot.askedAt ?? null;
    if (draft === null || askedAt === null) return;
    const read = await readUnchanged(deps, stop);
    const result = 'problem' in read ? { plan: null, problem: read.problem } : deps.planFor(draft, read);
    await deps.store.keepSnapshot(payout, askedAt, result);
  },
});

const comparedMax = 5;

/** Owners at one checkpoint: nothing has changed between a reading before it and one after it. */
async function readUnchanged(
  { readOwners, readChain, clock }: SnapshotJobDeps,
  stop: AbortSignal,
): Promise<OwnerSnapshot | { readonly problem: string }> {
  let before = await readOwners(stop);
  for (let compared = 0; compared < comparedMax; compared += 1) {
    const { newest: checkpoint, chainId } = await readChain(stop);
    const at = clock.now();
    const after = await readOwners(stop);
    if (!after.isComplete) {
      return { problem: 'The marketplace does not list every rock right now. Ask again in a few minutes.' };
    }
    if (sameOwners(before, after)) return { checkpoint, chainId, at, rocks: after.rocks };
    before = after;
  }
  return {
    problem: `Rocks changed hands during each of ${comparedMax} readings. Ask again in a quieter moment.`,
  };
}

function sameOwners(one: OwnerReading, other: OwnerReading): boolean {
  const owners = ({ isComplete, rocks }: OwnerReading): string =>
    JSON.stringify([isComplete, rocks.map(({ number, owner }) => [number, owner])]);
  return owners(one) === owners(other);
}
