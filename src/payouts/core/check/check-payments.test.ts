import { assert, asyncProperty, constantFrom, nat, record, pre } from 'fast-check';
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
import { checkPayments, type Transfer, transfersOf } from './check-payments.ts';
import { listProblems } from './check-plan.ts';

describe('rulings R9: a plan is compared with what the treasury sent', () => {
  test('in 1,000 random payouts every planted deviation is named, and nothing else', async () => {
    const kinds = constantFrom(
      ...(['none', 'short', 'twice', 'open', 'stray', 'elsewhere', 'other-coin', 'before'] as const),
      ...(['two-payouts', 'beside-a-swap'] as const),
    );
    await assert(
      asyncProperty(record({ ...world, at: nat(), kind: kinds }), async ({ at, kind, ...of }) => {
        const made = planOf(of, 2);
        pre(made !== null && made.lines.length >= 2);
        const plan = read(made);
        // The plan replaces a withdrawn one with the same lines, and another payout has lines for the same addresses.
        const twin = { ...made, payout: 1 };
        const other = {
          ...made,
          payout: 3,
          lines: made.lines.map((each) => ({ ...each, raw: String(BigInt(each.raw) + 7n) })),
        };
        const known = { others: [read(twin), read(other)], withdrawnAt: new Map([[1, new Date(100_500)]]) };
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
          'two-payouts': [
            rest,
            transfer('both', 102, [to(others[0]!.address, BigInt(others[0]!.raw) + 7n), to(line.address, raw)]),
          ],
          'beside-a-swap': [
            rest,
            { ...transfer('swap', 102, [to(line.address, raw), to(stranger, 5n)]), isMixed: true },
          ],
        };
        const { paid, open, problems } = checkPayments(plan, transfers[kind], known);
        const isOpen = ['open', 'elsewhere', 'other-coin', 'before'].includes(kind);
        expect(open.map(({ address }) => address)).toEqual(isOpen ? [line.address] : []);
        const isWrong = kind === 'short' || kind === 'twice';
        expect(paid).toBe(made.lines.length - (isOpen || isWrong ? 1 : 0));
        const reported: Partial<Record<typeof kind, string>> = {
          short: line.address,
          twice: line.address,
          stray: stranger,
          elsewhere: stranger,
        };
        const about = reported[kind];
        expect(problems).toHaveLength(about === undefined ? 0 : 1);
        if (about !== undefined) expect(problems[0]).toContain(about);
      }),
      { numRuns: 1_000 },
    );
  });

  test('other payments of the treasury do not count for the payout', () => {
    const salary = transfer('salary', 101, [
      { address: addressOf(50), raw: 333n },
      { address: addressOf(1), raw: 7n },
    ]);
    expect(checkPayments(read(small), [salary])).toMatchObject({ paid: 0, problems: [] });
  });

  test("a payment to an address that the plan leaves out is named as such, and another holder's line stays open", () => {
    const made = planOf({ owners: [1, 2, 3, 0], amountRaw: 999n, mode: 'total', leavesOut: true })!;
    const [paid, open] = made.lines;
    const out = made.leftOut.find(({ reason }) => reason === 'asked to')!.address!;
    const hand = [paid!.address, out].map((address) => ({ address, raw: BigInt(paid!.raw) }));
    const found = checkPayments(read(made), [transfer('hand', 101, hand)]);
    expect(found).toMatchObject({ paid: 1, open: [open] });
    expect(found.problems).toEqual([expect.stringContaining(`to ${out}, which the plan leaves out.`)]);
  });

  test('a payout of the same amounts a month later is not a second payment if its plan is known', () => {
    const next = { ...small, payout: 2, snapshot: { ...small.snapshot, checkpoint: '200' } };
    const transfers = [paysAll(small), paysAll(next, 'next', 201)];
    expect(checkPayments(read(small), transfers).problems).toHaveLength(2);
    for (const plan of [small, next]) {
      expect(checkPayments(read(plan), transfers, { others: [read(small), read(next)] })).toMatchObject({
        paid: 2,
        problems: [],
      });
    }
  });

  test('payments that fit two open payouts count for the older one, and both are told so', () => {
    const next = { ...small, payout: 2 };
    const transfers = [paysAll(next)];
    const shared = ['Payments that fit both payout 1 and payout 2 are counted for payout 1, the older one.'];
    const known = { others: [read(small), read(next)] };
    expect(checkPayments(read(small), transfers, known)).toMatchObject({ paid: 2, shared });
    expect(checkPayments(read(next), transfers, known)).toMatchObject({ paid: 0, shared });
    // Once the older one is paid, nothing fits both any more.
    const later = { ...next, snapshot: { ...small.snapshot, checkpoint: '200' } };
    const both = [paysAll(small), paysAll(later, 'next', 201)];
    expect(checkPayments(read(later), both, { others: [read(small)] })).toMatchObject({ paid: 2, shared: [] });
  });

  test('a payment after a payout was withdrawn counts for its replacement first, and for the withdrawn payout last', () => {
    const next = { ...small, payout: 2 };
    const known = { others: [read(small), read(next)], withdrawnAt: new Map([[1, new Date(101_500)]]) };
    const late = [paysAll(small, 'late', 102)];
    expect(checkPayments(read(small), late, known)).toMatchObject({ paid: 0, problems: [] });
    expect(checkPayments(read(next), late, known)).toMatchObject({ paid: 2, problems: [] });
    expect(checkPayments(read(small), [paysAll(small)], known)).toMatchObject({ paid: 2, problems: [] });
    expect(checkPayments(read(small), late, { ...known, others: [] })).toMatchObject({ paid: 2, problems: [] });
  });

  test('after a payout was withdrawn only payments of exact line amounts count for it, not an ordinary transfer to a holder', () => {
    const [line] = small.lines;
    const invoice = transfer('invoice', 102, [{ address: line!.address, raw: 5_000n }]);
    const known = { withdrawnAt: new Map([[1, new Date(101_500)]]) };
    expect(checkPayments(read(small), [invoice], known)).toMatchObject({ paid: 0, problems: [] });
    expect(checkPayments(read(small), [invoice]).problems).toHaveLength(1);
  });

  test('payments that a page lists are grouped by transaction, and a list that differs from the plan is reported', () => {
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
