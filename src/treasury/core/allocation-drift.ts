import { microUsdDecimals, percentOf, toNumber } from '../../shared/money.ts';
import type { AllocationDrift } from '../contract.ts';
import { allocationPlan } from './allocation.ts';
import type { AllocationSlice } from './allocation.ts';

const notes: Record<AllocationSlice['onChain'], string> = {
  'not-visible': 'Held on a centralized exchange, not visible on chain.',
  nfts: 'NFTs at floor, percent of the on-chain total.',
  reserve: 'SUI and stablecoins in the treasury wallet, percent of the on-chain total.',
  'other-tokens': 'All other counted tokens, percent of the on-chain total.',
};

/** What is on chain, in micro-USD; null: not known now. */
export interface OnChainShares {
  readonly nfts: bigint | null;
  readonly reserve: bigint | null;
  readonly otherTokens: bigint | null;
}

/** Rulings R3: actual against target. A share is null unless every on-chain part is known, never zero. */
export const allocationDrifts = (shares: OnChainShares): AllocationDrift[] => {
  const { nfts, reserve, otherTokens } = shares;
  const total = nfts === null || reserve === null || otherTokens === null ? null : nfts + reserve + otherTokens;
  const amounts = { nfts, reserve, 'other-tokens': otherTokens, 'not-visible': null };
  return allocationPlan.map(({ name, targetPercent, onChain }) => {
    const amount = amounts[onChain];
    return {
      name,
      targetPercent,
      actualPercent: amount === null || total === null ? null : percentOf(amount, total),
      actualUsd: amount === null ? null : toNumber(amount, microUsdDecimals),
      note: notes[onChain],
    };
  });
};
