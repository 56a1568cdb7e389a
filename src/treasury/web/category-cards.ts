import { type AllocationCategory, operationsSplit } from './allocation-categories.ts';

/** One line of a category card. `declared`: the team says so, nothing on chain proves it (rulings R3). */
export interface CategoryFact {
  readonly name: string;
  readonly value: string;
  readonly declared: boolean;
}

export interface CategoryCard {
  readonly facts: readonly CategoryFact[];
  /** Percent of the category; empty where it is not split. */
  readonly split: readonly { readonly name: string; readonly value: number }[];
}

const fact = (name: string, value: string, declared = false): CategoryFact => ({ name, value, declared });

/** Specification 9, category cards: exactly these. */
export const categoryCards: Readonly<Record<AllocationCategory['name'], CategoryCard>> = {
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
