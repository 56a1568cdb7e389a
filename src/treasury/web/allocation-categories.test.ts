import { describe, expect, it } from 'vitest';
import { categoryCards } from './allocation-categories.tsx';

const lines = (name: keyof typeof categoryCards) =>
  categoryCards[name].facts.map((fact) => `${fact.name}: ${fact.value}`);

describe('Specification 9: category cards', () => {
  it('are four', () => expect(Object.keys(categoryCards)).toHaveLength(4));

  it.each([
    ['Leveraged Trading', ['Risk: Medium-High', 'Status: Fundraising', 'Platform: Centralized exchange (API-tracked)']],
    ['SUI NFT Treasury', ['Risk: Medium']],
    ['Degen Plays', ['Risk: HIGH', 'Plays: 3', 'Win rate: 66.66%']],
  ] as const)('%s', (name, expected) => expect(lines(name)).toEqual(expected));

  it('Operations is split Marketing 60, Development 25, Founder Share 15', () => {
    expect(categoryCards.Operations.split).toEqual([
      { name: 'Marketing', value: 60 },
      { name: 'Development', value: 25 },
      { name: 'Founder Share', value: 15 },
    ]);
  });

  it('marks Fundraising and 66.66% as declared by the team (rulings R3)', () => {
    const declared = Object.values(categoryCards).flatMap((card) =>
      card.facts.filter((fact) => fact.declared).map((fact) => fact.value),
    );
    expect(declared).toEqual(expect.arrayContaining(['Fundraising', '66.66%']));
  });
});
