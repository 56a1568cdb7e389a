/** Which box of the Fund Allocation section a category belongs to (specification 2). */
export type AllocationGroup = 'investment' | 'operations';

/**
 * Specification 3 and 9: one slice of the plan. `value` is a percent of the fund; `color` names a design token of the
 * collection's palette (`--color-<color>`), never a literal colour.
 */
export interface AllocationCategory {
  readonly id: 'leveraged-trading' | 'sui-nft-treasury' | 'operations' | 'degen-plays';
  readonly name: string;
  readonly value: number;
  readonly color: string;
  readonly description: string;
  readonly group: AllocationGroup;
}

/** Specification 9: Leveraged Trading 40 %, SUI NFT Treasury 30 %, Operations 20 %, Degen Plays 10 %. */
export const allocationCategories: readonly AllocationCategory[] = [
  {
    id: 'leveraged-trading',
    name: 'Leveraged Trading',
    value: 40,
    color: 'azure-pulse',
    description: 'Futures positions on a centralized exchange, opened and closed by the team.',
    group: 'investment',
  },
  {
    id: 'sui-nft-treasury',
    name: 'SUI NFT Treasury',
    value: 30,
    color: 'cool-cobalt',
    description: 'NFTs of other SUI collections, bought at the floor and held in the treasury wallet.',
    group: 'investment',
  },
  {
    id: 'operations',
    name: 'Operations',
    value: 20,
    color: 'ocean-stone',
    description: 'Marketing, development and the founder share: what keeps the cave lit.',
    group: 'operations',
  },
  {
    id: 'degen-plays',
    name: 'Degen Plays',
    value: 10,
    color: 'frosted-mist',
    description: 'Small, early and very risky tokens. Sized so that a total loss is survivable.',
    group: 'investment',
  },
];

/** The per cent of a group: 80 for the investment focus, 20 for operations (specification 9). */
export const groupPercent = (group: AllocationGroup): number =>
  allocationCategories
    .filter((category) => category.group === group)
    .reduce((sum, category) => sum + category.value, 0);

/** Specification 9: how the operations slice is split, in percent. */
export const operationsSplit = [
  { name: 'Marketing', value: 60 },
  { name: 'Development', value: 25 },
  { name: 'Founder Share', value: 15 },
] as const;
