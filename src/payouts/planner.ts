import { createHash } from 'node:crypto';

import { canonicalJson } from '../shared/canonical-json.ts';
import type { Clock } from '../shared/clock.ts';
import { shortType } from '../shared/sui-address.ts';
import { makePlan, type OwnerSnapshot, type Planned } from './core/make-plan.ts';
import type { KeptPayout } from './kept-payout.ts';
import type { TreasuryCoin } from './payout-admin-contract.ts';
import type { SnapshotResult } from './payout-store.ts';
import type { DraftTerms } from './payouts-contract.ts';

export interface PlannerDeps {
  readonly settings: {
    readonly network: string;
    readonly treasuryAddress: string;
    readonly collectionType: string;
  };
  /** What the treasury has, as last read; null: it was never read. */
  readonly coins: () => readonly TreasuryCoin[] | null;
  /** Every rock as last read; null: never. */
  readonly knownOwners: () => OwnerSnapshot['rocks'] | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** A preview is of the next payout, whatever its number will be. */
const nextPayout = 999_999_999;

const notRead = (what: string): Planned => ({
  kind: 'refused',
  message: `The ${what} not read yet. Try again in a minute.`,
  about: null,
});

/** Drafts and owners become plans. */
export function createPlanner({ settings, coins, knownOwners, clock }: PlannerDeps) {
  const plan = (payout: number, { amount, coinType, ...terms }: DraftTerms, snapshot: OwnerSnapshot): Planned => {
    const held = coins();
    if (held === null) return notRead('treasury was');
    const coin = held.find(({ type }) => type === coinType);
    const { symbol, decimals = null, balanceRaw = '0' } = coin ?? {};
    const { network, treasuryAddress: treasury, collectionType: collection } = settings;
    return makePlan(
      {
        ...terms,
        payout,
        network,
        treasury,
        collection,
        coin: { type: coinType, symbol: symbol ?? shortType(coinType), decimals },
        mode: amount.mode,
        amountRaw: BigInt(amount.raw),
      },
      snapshot,
      BigInt(balanceRaw),
    );
  };
  return {
    /** With the owners that are known now. */
    preview: (terms: DraftTerms): Planned => {
      const rocks = knownOwners();
      if (rocks === null) return notRead('rocks were');
      return plan(nextPayout, terms, { checkpoint: 0n, chainId: null, at: clock.now(), rocks });
    },
    planFor: ({ id, terms }: KeptPayout, snapshot: OwnerSnapshot): SnapshotResult => {
      const made = plan(id, terms, snapshot);
      if (made.kind === 'refused') return { plan: null, problem: made.message };
      const json = canonicalJson(made.plan);
      return { plan: { json, sha256: createHash('sha256').update(json).digest('hex') }, problem: null };
    },
  };
}
