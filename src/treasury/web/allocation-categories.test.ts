import { describe, expect, it } from 'vitest';
import { allocationCategories } from './allocation-categories.tsx';

const card = (name: string) => allocationCategories.find((category) => category.name === name);

describe('Specification 9: category cards', () => {
  it('are four', () => expect(allocationCategories).toHaveLength(4));

  it.each([
    ['Leveraged Trading', ['Risk: Medium-High', 'Status: Fundraising', 'Platform: Centralized exchange (API-tracked)']],
    ['SUI NFT Treasury', ['Risk: Medium']],
    ['Degen Plays', ['Risk: HIGH', 'Plays: 3', 'Win rate: 66.66%']],
  ])('%s', (name, expected) => {
    expect(card(name)?.facts.map((fact) => `${fact.name}: ${fact.value}`)).toEqual(expected);
  });

  it('Operations is split Marketing 60, Development 25, Founder Share 15', () => {
    expect(card('Operations')?.split).toEqual([
      { name: 'Marketing', value: 60 },
      { name: 'Development', value: 25 },
      { name: 'Founder Share', value: 15 },
    ]);
  });

  it('marks Fundraising and 66.66% as declared by the team (rulings R3)', () => {
    const facts = allocationCategories.flatMap((category) => category.facts);
    const declared = facts.filter((fact) => fact.declared).map((fact) => fact.value);
    expect(declared).toEqual(expect.arrayContaining(['Fundraising', '66.66%']));
  });
});
