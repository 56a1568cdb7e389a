import { allocationPlan, type AllocationSlice } from '../core/allocation.ts';

/** A chart colour of the design tokens and, with it, the slice's pattern. */
export type ChartColor = 'chart-1' | 'chart-2' | 'chart-3' | 'chart-4';

type AllocationName = (typeof allocationPlan)[number]['name'];
type Focus = AllocationSlice['focus'];

/** Specification 3: one category of the plan as the page shows it. `value` is a percent. */
export interface AllocationCategory {
  readonly name: AllocationName;
  readonly value: number;
  readonly color: ChartColor;
  readonly description: string;
  readonly focus: Focus;
}

const looks: Readonly<Record<AllocationName, readonly [ChartColor, description: string]>> = {
  'Leveraged Trading': ['chart-1', 'Futures positions on a centralized exchange, opened and closed by the team.'],
  'SUI NFT Treasury': ['chart-2', 'NFTs of SUI collections, swept from the market and held in the treasury wallet.'],
  Operations: ['chart-3', 'Marketing, development and the founder share: what keeps the cave lit.'],
  'Degen Plays': ['chart-4', 'Small, early and very risky tokens, sized so that losing all of it is survivable.'],
};

/** Specification 9: Leveraged Trading 40, SUI NFT Treasury 30, Operations 20, Degen Plays 10. */
export const allocationCategories: readonly AllocationCategory[] = allocationPlan.map(
  ({ name, targetPercent, focus }) => {
    const [color, description] = looks[name];
    return { name, value: targetPercent, focus, color, description };
  },
);

export const categoriesOf = (focus: Focus): readonly AllocationCategory[] =>
  allocationCategories.filter((category) => category.focus === focus);

/** 80 for the investment focus, 20 for operations (specification 9). */
export const focusPercent = (focus: Focus): number =>
  categoriesOf(focus).reduce((sum, category) => sum + category.value, 0);

/** Specification 9: how the operations slice is split, in percent. */
export const operationsSplit = [
  { name: 'Marketing', value: 60 },
  { name: 'Development', value: 25 },
  { name: 'Founder Share', value: 15 },
] as const;

/** One line of a category card. `declared`: the team says so, nothing on chain proves it (rulings R3). */
export interface CategoryFact {
  readonly name: string;
  readonly value: string;
  readonly declared: boolean;
}

interface CategoryCard {
  readonly facts: readonly CategoryFact[];
  /** Percent of the category; empty where it is not split. */
  readonly split: readonly { readonly name: string; readonly value: number }[];
}

const fact = (name: string, value: string, declared = false): CategoryFact => ({ name, value, declared });

/** Specification 9, category cards: exactly these. */
export const categoryCards: Readonly<Record<AllocationName, CategoryCard>> = {
  'Leveraged Trading': {
    facts: [
      fact('Risk', 'Medium-High'),
      fact('Status', 'Fundraising', true),
      fact('Platform', 'Centralized exchange (API-tracked)'),
    ],
    split: [],
  },
  'SUI NFT Treasury': { facts: [fact('Risk', 'Medium')], split: [] },
  Operations: { facts: [], split: operationsSplit },
  'Degen Plays': {
    facts: [fact('Risk', 'HIGH'), fact('Plays', '3', true), fact('Win rate', '66.66%', true)],
    split: [],
  },
};
