import { array, assert, bigInt, boolean, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { payoutPlan } from '../payouts-contract.ts';
import { makePlan, type OwnerSnapshot, type PlanTerms } from './make-plan.ts';

const at = new Date('2026-11-01T00:00:00Z');
const addressOf = (index: number): string => `0x${(index + 1).toString(16).padStart(64, '0')}`;
const treasury = addressOf(0);
const terms: PlanTerms = {
  payout: 1,
  network: 'mainnet',
  treasury,
  collection: `${addressOf(90)}::rock::Rock`,
  title: 'October',
  reason: 'Revenue of October',
  coin: { type: '0x2::sui::SUI', symbol: 'SUI', decimals: 9 },
  amount: { mode: 'total', raw: '1000' },
  leftOut: [],
};
const owned = (...owners: readonly (number | null)[]): OwnerSnapshot => ({
  checkpoint: 7n,
  chainId: 'chain',
  at,
  rocks: owners.map((owner, index) => ({ number: index + 1, owner: owner === null ? null : addressOf(owner) })),
});
interface Given extends Partial<PlanTerms> {
  readonly mode?: 'total' | 'per-rock';
  readonly amountRaw?: bigint;
}
const planned = (
  { mode = 'total', amountRaw = 1_000n, ...given }: Given,
  snapshot: OwnerSnapshot,
  balanceRaw: bigint | null = null,
) => makePlan({ ...terms, ...given, amount: { mode, raw: String(amountRaw) } }, snapshot, balanceRaw);

describe('rulings R9: one rock, one equal share; the remainder stays in the treasury', () => {
  test('a total is divided into equal whole shares, and a holder of two rocks gets two shares in one line', () => {
    const made = planned({}, owned(1, 2, 1));
    expect(made).toMatchObject({ kind: 'plan', plan: { shareRaw: '333', totalRaw: '999', remainderRaw: '1' } });
    expect(made.kind === 'plan' && made.plan.lines).toEqual([
      { address: addressOf(1), raw: '666', rocks: [1, 3] },
      { address: addressOf(2), raw: '333', rocks: [2] },
    ]);
  });

  test('an amount per rock is paid for each rock, and nothing remains', () => {
    const made = planned({ mode: 'per-rock', amountRaw: 5n }, owned(1, 2, 0));
    expect(made).toMatchObject({ kind: 'plan', plan: { shareRaw: '5', totalRaw: '10', remainderRaw: '0' } });
  });

  test('rocks of the treasury are never paid, and an address that an admin leaves out is published with the reason', () => {
    const made = planned({ leftOut: [{ address: addressOf(2), reason: 'The mint contract' }] }, owned(0, 1, 2));
    expect(made.kind === 'plan' && made.plan.leftOut).toEqual([
      { address: treasury, reason: 'The treasury pays nothing to itself', rocks: [1] },
      { address: addressOf(2), reason: 'The mint contract', rocks: [3] },
    ]);
    expect(made.kind === 'plan' && made.plan.lines).toEqual([{ address: addressOf(1), raw: '1000', rocks: [2] }]);
  });

  test.each([
    [
      'a rock whose owner is unknown stops the plan and is named',
      [null],
      'The owner of rock 2 is not known, so no plan can be made. If it has none, leave it out by its number.',
    ],
    [
      'several such rocks are named as the draft names them',
      [null, null],
      'The owners of #2, #3 are not known, so no plan can be made. If they have none, leave them out by their numbers.',
    ],
    [
      'of many such rocks some are named and the others counted',
      Array<null>(8).fill(null),
      'The owners of #2, #3, #4, #5, #6 and 3 more are not known, so no plan can be made. If they have none, leave them out by their numbers.',
    ],
  ])('%s', (_name, unknown, message) => {
    const unowned = unknown.map((_owner, index) => index + 2);
    expect(planned({}, owned(1, ...unknown))).toEqual({ kind: 'refused', message, about: null, unowned });
  });

  test('a rock without a known owner can be left out by its number: it is published with the reason, and the others share', () => {
    const byNumber = { address: null, rocks: [4, 2], reason: 'Frozen for ever' };
    const made = planned({ leftOut: [byNumber] }, owned(1, null, 0, null, 3));
    expect(made.kind === 'plan' && made.plan.leftOut).toEqual([
      { address: treasury, reason: 'The treasury pays nothing to itself', rocks: [3] },
      { address: null, reason: 'Frozen for ever', rocks: [2, 4] },
    ]);
    expect(made).toMatchObject({ plan: { shareRaw: '500', totalRaw: '1000', snapshot: { rocks: 5 } } });
    expect(made.kind === 'plan' && made.plan.lines.map(({ rocks }) => rocks)).toEqual([[1], [5]]);
    const [one] = [{ ...byNumber, rocks: [2] }];
    expect(planned({ leftOut: [one] }, owned(1, null, null))).toMatchObject({ kind: 'refused', unowned: [3] });
  });

  test.each([
    [
      'a rock that has an owner',
      { leftOut: [{ address: null, rocks: [1], reason: 'x' }] },
      owned(1, 2),
      'Rock 1 has an owner. Leave out the address instead.',
      'left-out',
    ],
    [
      'a rock that is not minted',
      { leftOut: [{ address: null, rocks: [3], reason: 'x' }] },
      owned(1, 2),
      'Rock 3 is not minted, so it cannot be left out.',
      'left-out',
    ],
    [
      'a rock that is left out twice',
      {
        leftOut: [
          { address: null, rocks: [2], reason: 'x' },
          { address: null, rocks: [2], reason: 'y' },
        ],
      },
      owned(1, null),
      'Rock 2 is left out twice.',
      'left-out',
    ],
    ['nobody is left', {}, owned(0, 0), 'Nobody is left to pay: every rock is left out.', 'left-out'],
    ['nothing is minted', {}, owned(), 'No rock is minted yet, so there is nobody to pay.', null],
    [
      'a share under one base unit',
      { amountRaw: 1n },
      owned(1, 2),
      'each of 2 rocks would get less than one base unit',
      'amount',
    ],
    ['a payout of 0', { amountRaw: 0n }, owned(1), 'would get less than one base unit', 'amount'],
    [
      'a coin without metadata',
      { coin: { ...terms.coin, decimals: null } },
      owned(1),
      'no metadata for this coin',
      'coin',
    ],
    [
      'an address without a rock',
      { leftOut: [{ address: addressOf(9), reason: 'x' }] },
      owned(1),
      `${addressOf(9)} holds no rock, so it cannot be left out.`,
      'left-out',
    ],
  ] satisfies [string, Given, OwnerSnapshot, string, string | null][])(
    '%s: one sentence at its field, and no plan',
    (_name, given, snapshot, sentence, about) => {
      const made = planned(given, snapshot);
      expect(made).toEqual({ kind: 'refused', message: expect.stringContaining(sentence), about });
    },
  );

  test('a payout of more than the treasury has is refused with both amounts in one sentence', () => {
    const made = planned({ amountRaw: 3_000_000_000n }, owned(1), 1_500_000_000n);
    expect(made).toEqual({
      kind: 'refused',
      message: 'The treasury has 1.5 SUI. This payout needs 3 SUI.',
      about: 'amount',
    });
    expect(planned({ amountRaw: 1_500_000_000n }, owned(1), 1_500_000_000n).kind).toBe('plan');
  });

  test('for 1,000 random collections every plan adds up, pays each rock once and nobody twice', () => {
    const world = record({
      owners: array(option(integer({ min: 0, max: 40 }), { freq: 20 }), { minLength: 1, maxLength: 600 }),
      amountRaw: bigInt({ min: 1n, max: 10n ** 22n }),
      mode: constantFrom('total' as const, 'per-rock' as const),
      leavesOut: boolean(),
    });
    assert(
      property(world, ({ owners, amountRaw, mode, leavesOut }) => {
        const first = owners.find((owner) => owner !== null) ?? 0;
        const unowned = owners.flatMap((owner, index) => (owner === null ? [index + 1] : []));
        const out = [
          ...(leavesOut ? [{ address: addressOf(first), reason: 'asked to' }] : []),
          ...(unowned.length > 0 ? [{ address: null, rocks: unowned, reason: 'frozen' }] : []),
        ];
        const made = planned({ amountRaw, mode, leftOut: out }, owned(...owners));
        const kept = owners.filter((owner) => owner !== null && owner !== 0 && !(leavesOut && owner === first));
        if (made.kind === 'refused') {
          expect(kept.length === 0 || (mode === 'total' && amountRaw < BigInt(kept.length))).toBe(true);
          return;
        }
        const { lines, leftOut, totalRaw, remainderRaw, shareRaw } = payoutPlan.parse(made.plan);
        const sum = lines.reduce((total, { raw }) => total + BigInt(raw), 0n);
        expect(sum).toBe(BigInt(totalRaw));
        expect(sum + BigInt(remainderRaw)).toBe(mode === 'total' ? amountRaw : amountRaw * BigInt(kept.length));
        expect(BigInt(remainderRaw)).toBeLessThan(BigInt(kept.length));
        for (const { raw, rocks } of lines) expect(BigInt(raw)).toBe(BigInt(shareRaw) * BigInt(rocks.length));
        const numbers = [...lines, ...leftOut].flatMap(({ rocks }) => rocks).sort((one, other) => one - other);
        expect(numbers).toEqual(owners.map((_owner, index) => index + 1));
        expect(new Set(lines.map(({ address }) => address)).size).toBe(lines.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
