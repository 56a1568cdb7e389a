import { assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  addressOf,
  paysAll,
  planOf,
  read,
  smallPlan as small,
  transfer,
  world,
} from '../../../../tests/support/checked-plans.ts';
import { checkPayments, type Transfer } from './check-payments.ts';
import { listProblems, transfersOf } from './examine-plan.ts';

describe('rulings R9: a plan is held against what the treasury sent', () => {
  test('of 1,000 random payouts every planted deviation is named, and nothing else', async () => {
    const kinds = constantFrom('none', 'short', 'twice', 'open', 'stray', 'elsewhere', 'other-coin', 'before');
    await assert(
      asyncProperty(record({ ...world, at: nat(), kind: kinds }), async ({ at, kind, ...of }) => {
        const made = planOf(of);
        if (made === null || made.lines.length < 2) return;
        const plan = read(made);
        const line = made.lines[at % made.lines.length]!;
        const others = made.lines.filter((each) => each !== line);
        const rest = paysAll({ ...made, lines: others });
        const raw = BigInt(line.raw);
        const stranger = addressOf(999);
        const to = (address: string, amount: bigint) => ({ address, raw: amount });
        const transfers: Readonly<Record<typeof kind, readonly Transfer[]>> = {
          none: [paysAll(made)],
          short: [{ ...rest, to: [...rest.to, to(line.address, raw - 1n)] }],
          twice: [paysAll(made), transfer('again', 102, [to(line.address, raw)])],
          open: [rest],
          stray: [{ ...rest, to: [...rest.to, to(line.address, raw), to(stranger, 5n)] }],
          elsewhere: [{ ...rest, to: [...rest.to, to(stranger, raw)] }],
          'other-coin': [rest, { ...transfer('usdc', 102, [to(line.address, raw)]), coinType: '0x5::usdc::USDC' }],
          before: [transfer('early', 100, [to(line.address, raw)]), rest],
        };
        const { paid, open, problems } = checkPayments(plan, transfers[kind]);
        const isOpen = ['open', 'elsewhere', 'other-coin', 'before'].includes(kind);
        expect(open.map(({ address }) => address)).toEqual(isOpen ? [line.address] : []);
        const isWrong = kind === 'short' || kind === 'twice';
        expect(paid).toBe(made.lines.length - (isOpen || isWrong ? 1 : 0));
        const about = { short: line.address, twice: line.address, stray: stranger, elsewhere: stranger }[
          kind as 'short'
        ];
        expect(problems).toHaveLength(about === undefined ? 0 : 1);
        if (about !== undefined) expect(problems[0]).toContain(about);
      }),
      { numRuns: 1_000 },
    );
  });

  test('what the treasury pays beside the payout is none of it', () => {
    const salary = transfer('salary', 101, [
      { address: addressOf(50), raw: 333n },
      { address: addressOf(1), raw: 7n },
    ]);
    expect(checkPayments(read(small), [salary])).toMatchObject({ paid: 0, problems: [] });
  });

  test('the payout of the month after, of the same amounts, is no second payment when its plan is known', () => {
    const next = { ...small, payout: 2, snapshot: { ...small.snapshot, checkpoint: '200' } };
    const transfers = [paysAll(small), paysAll(next, 'next', 201)];
    expect(checkPayments(read(small), transfers).problems).toHaveLength(2);
    for (const plan of [small, next]) {
      expect(checkPayments(read(plan), transfers, [read(small), read(next)])).toMatchObject({ paid: 2, problems: [] });
    }
  });

  test('payments as a page lists them are put together to their transactions; a list that differs from the plan is told', () => {
    const payments = small.lines.map(({ address, raw }) => ({ digest: 'paid', address, raw, at: small.snapshot.at }));
    expect(checkPayments(read(small), transfersOf(read(small), payments))).toMatchObject({ paid: 2, open: [] });
    const [first, second] = small.lines;
    expect(listProblems(read(small), small.lines)).toEqual([]);
    expect(listProblems(read(small), [{ ...first!, raw: '667' }, second!])).toEqual([
      `${first!.address}: the line on this page differs from the plan.`,
    ]);
    expect(listProblems(read(small), [...small.lines, { ...first!, address: addressOf(77) }])).toEqual([
      `${addressOf(77)} is listed, but the plan has no such line.`,
    ]);
  });
});
