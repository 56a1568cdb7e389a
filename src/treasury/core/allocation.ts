import { microUsdDecimals, percentOf, toNumber } from '../../shared/money.ts';
import type { AllocationDrift } from '../contract.ts';
import type { DeclarableSlice } from './ledger-words.ts';

/**
 * Specification 9: the plan as data, which the page draws too. `onChain`: the holdings that count as this slice's actual share (decision
 * 0009).
 */
export const allocationPlan = [
  { name: 'Leveraged Trading', targetPercent: 40, focus: 'investment', onChain: 'not-visible' },
  { name: 'SUI NFT Treasury', targetPercent: 30, focus: 'investment', onChain: 'nfts' },
  { name: 'Operations', targetPercent: 20, focus: 'operations', onChain: 'not-visible' },
  { name: 'Degen Plays', targetPercent: 10, focus: 'investment', onChain: 'other-tokens' },
] as const;

/** Rulings R3: the team may declare an amount only for slices not visible on chain. */
export const sliceNames = {
  'leveraged-trading': 'Leveraged Trading',
  operations: 'Operations',
} as const satisfies Readonly<Record<DeclarableSlice, (typeof allocationPlan)[number]['name']>>;

/** The amount that the team declares for a slice, in USD to the last micro-USD; null: none. */
export interface DeclaredAmount {
  readonly slice: DeclarableSlice;
  readonly declared: { readonly usd: string; readonly at: string; readonly by: string } | null;
}

/** Rulings R3: SUI and stablecoins in the wallet, a row of its own beside the plan. */
const notYetDeployed = 'Not yet deployed';

const notes: Readonly<Record<(typeof allocationPlan)[number]['name'] | typeof notYetDeployed, string>> = {
  'Leveraged Trading': 'On a centralized exchange, not visible on chain.',
  'SUI NFT Treasury': 'NFTs at floor, percent of the public wallet.',
  Operations: 'Not visible on chain.',
  'Degen Plays': 'All counted tokens but SUI and stablecoins, percent of the public wallet.',
  'Not yet deployed': 'SUI and stablecoins, percent of the public wallet. The plan has no share for it.',
};

/** Amounts on chain in micro-USD; null: unknown now. */
interface OnChainShares {
  readonly nfts: bigint | null;
  readonly undeployed: bigint | null;
  readonly otherTokens: bigint | null;
}

/** Rulings R3: actual against target. A share is null unless every on-chain part is known, never zero. */
export const allocationDrifts = (shares: OnChainShares): AllocationDrift[] => {
  const { nfts, undeployed, otherTokens } = shares;
  const total = nfts === null || undeployed === null || otherTokens === null ? null : nfts + undeployed + otherTokens;
  const actual = (amount: bigint | null) => ({
    // An empty treasury has nothing of each.
    actualPercent: amount === null || total === null ? null : (percentOf(amount, total) ?? 0),
    actualUsd: amount === null ? null : toNumber(amount, microUsdDecimals),
  });
  const amounts = { nfts, 'other-tokens': otherTokens, 'not-visible': null };
  return [
    ...allocationPlan.map(({ name, targetPercent, onChain }) => ({
      name,
      targetPercent,
      ...actual(amounts[onChain]),
      declared: null,
      note: notes[name],
    })),
    { name: notYetDeployed, targetPercent: null, ...actual(undeployed), declared: null, note: notes[notYetDeployed] },
  ];
};

/** Added after the shares are computed: declared amounts are in no sum or percentage. */
export const withDeclared = (
  drifts: readonly AllocationDrift[],
  amounts: readonly DeclaredAmount[],
): AllocationDrift[] =>
  drifts.map((drift) => {
    const declared = amounts.find(({ slice }) => sliceNames[slice] === drift.name)?.declared ?? null;
    return { ...drift, declared: declared && { ...declared, usd: Number(declared.usd) } };
  });
