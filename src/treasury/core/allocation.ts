/**
 * Specification 9: the plan, as data without any dependency: the page draws it too. `onChain` says which holdings are taken
 * as this slice's actual share (decision 0009).
 */
export interface AllocationSlice {
  readonly name: string;
  readonly targetPercent: number;
  readonly focus: 'investment' | 'operations';
  readonly onChain: 'nfts' | 'other-tokens' | 'not-visible';
}

export const allocationPlan = [
  { name: 'Leveraged Trading', targetPercent: 40, focus: 'investment', onChain: 'not-visible' },
  { name: 'SUI NFT Treasury', targetPercent: 30, focus: 'investment', onChain: 'nfts' },
  { name: 'Operations', targetPercent: 20, focus: 'operations', onChain: 'not-visible' },
  { name: 'Degen Plays', targetPercent: 10, focus: 'investment', onChain: 'other-tokens' },
] as const satisfies readonly AllocationSlice[];

/** Rulings R3: SUI and stablecoins in the wallet, a row of its own beside the plan. */
export const notYetDeployed = 'Not yet deployed';
