import { array, bigInt, boolean, constantFrom, integer, option } from 'fast-check';

import type { Transfer } from '../../src/payouts/core/check/check-payments.ts';
import { type CheckedPlan, readPlan } from '../../src/payouts/core/check/check-plan.ts';
import { makePlan } from '../../src/payouts/core/make-plan.ts';
import type { PayoutPlan } from '../../src/payouts/payouts-contract.ts';
import { canonicalJson } from '../../src/shared/canonical-json.ts';

/** Plans as the product makes them, and payments, for tests of the checks of both. */

export const addressOf = (index: number): string => `0x${(index + 1).toString(16).padStart(64, '0')}`;
export const treasury = addressOf(0);
const coin = { type: `${addressOf(1)}::sui::SUI`, symbol: 'SUI', decimals: 9 };

export interface World {
  /** null: this rock has no known owner, so it is left out by its number. */
  readonly owners: readonly (number | null)[];
  readonly amountRaw: bigint;
  readonly mode: 'total' | 'per-rock';
  readonly leavesOut: boolean;
}
/** Generators of fast-check for any collection and any amount. */
export const world = {
  owners: array(option(integer({ min: 0, max: 30 }), { freq: 20 }), { minLength: 3, maxLength: 200 }),
  amountRaw: bigInt({ min: 10n ** 6n, max: 10n ** 20n }),
  mode: constantFrom('total' as const, 'per-rock' as const),
  leavesOut: boolean(),
};

/** null: there is no one left to pay. */
export function planOf({ owners, amountRaw, mode, leavesOut }: World, payout = 1): PayoutPlan | null {
  const unowned = owners.flatMap((owner, index) => (owner === null ? [index + 1] : []));
  const first = owners.find((owner) => owner !== null) ?? 0;
  const made = makePlan(
    {
      payout,
      network: 'mainnet',
      treasury,
      collection: `${addressOf(90)}::rock::Rock`,
      title: 'October',
      reason: 'Revenue of October',
      coin,
      amount: { mode, raw: String(amountRaw) },
      leftOut: [
        ...(leavesOut ? [{ address: addressOf(first), reason: 'asked to' }] : []),
        ...(unowned.length > 0 ? [{ address: null, rocks: unowned, reason: 'frozen' }] : []),
      ],
    },
    {
      checkpoint: 100n,
      chainId: 'chain',
      at: new Date('2026-11-01T00:00:00Z'),
      rocks: owners.map((owner, index) => ({ number: index + 1, owner: owner === null ? null : addressOf(owner) })),
    },
    null,
  );
  return made.kind === 'plan' ? made.plan : null;
}

export const read = (plan: PayoutPlan): CheckedPlan => {
  const found = readPlan(canonicalJson(plan));
  if ('problem' in found) throw new Error(found.problem);
  return found.plan;
};
export const transfer = (digest: string, checkpoint: number, to: Transfer['to']): Transfer => ({
  digest,
  checkpoint: BigInt(checkpoint),
  at: new Date(checkpoint * 1_000),
  coinType: coin.type,
  isMixed: false,
  to,
});
export const paysAll = ({ lines }: PayoutPlan, digest = 'paid', checkpoint = 101): Transfer =>
  transfer(
    digest,
    checkpoint,
    lines.map(({ address, raw }) => ({ address, raw: BigInt(raw) })),
  );

export const smallPlan = planOf({ owners: [1, 2, 1, 0], amountRaw: 1_000n, mode: 'total', leavesOut: false })!;
