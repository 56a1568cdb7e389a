import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { PayoutLine } from '../payouts-contract.ts';
import { type PayablePlan, type PlanResult, reconcile, type Sent } from './reconcile.ts';

const coinType = '0x2::sui::SUI';
const addressOf = (index: number): string => `0x${(index + 1).toString(16).padStart(64, '0')}`;
const line = (index: number, raw: bigint): PayoutLine => ({
  address: addressOf(index),
  raw: String(raw),
  rocks: [index],
});
const plan = (payout: number, lines: PayoutLine[], given: Partial<PayablePlan> = {}): PayablePlan => ({
  payout,
  coin: { type: coinType },
  snapshot: { checkpoint: '100' },
  withdrawnAt: null,
  lines,
  leftOut: [],
  batches: [],
  ...given,
});
let checkpoint = 100n;
const sent = (digest: string, ...to: readonly (readonly [number, bigint])[]): Sent => {
  checkpoint += 1n;
  return {
    digest,
    checkpoint,
    at: new Date(Number(checkpoint) * 1_000),
    coinType,
    isTransfer: true,
    to: to.map(([index, raw]) => ({ address: addressOf(index), raw })),
  };
};
const statesOf = (result: PlanResult | undefined) => result?.lines.map(({ state }) => state);
const lines = [line(1, 10n), line(2, 20n), line(3, 10n)];

describe('rulings R9: the state of a payout, from the chain alone', () => {
  test('a built transaction pays its lines, and a line without a payment is open', () => {
    const of = plan(1, lines, { batches: [{ digest: 'built', lines: [0, 1] }] });
    const result = reconcile([of], [sent('built', [1, 10n], [2, 20n])]).get(1);
    expect(statesOf(result)).toEqual(['paid', 'paid', 'open']);
    expect(result?.lines[0]?.payments).toMatchObject([{ digest: 'built', raw: 10n }]);
  });

  test('a transfer made by hand that matches a line to the unit is recognized', () => {
    expect(statesOf(reconcile([plan(1, lines)], [sent('hand', [2, 20n])]).get(1))).toEqual(['open', 'paid', 'open']);
  });

  test('a line that is paid again is paid twice, whoever paid it', () => {
    const of = plan(1, lines, { batches: [{ digest: 'built', lines: [0, 1, 2] }] });
    const all = [
      [1, 10n],
      [2, 20n],
      [3, 10n],
    ] as const;
    const result = reconcile([of], [sent('built', ...all), sent('hand', [2, 20n])]).get(1);
    expect(statesOf(result)).toEqual(['paid', 'paid-twice', 'paid']);
  });

  test('a line with two wrong payments is paid otherwise, not twice', () => {
    const of = plan(1, lines, { batches: [{ digest: 'built', lines: [0, 1, 2] }] });
    const short = (...more: readonly Sent[]) =>
      statesOf(reconcile([of], [sent('built', [1, 5n], [2, 20n], [3, 10n]), ...more]).get(1));
    expect(short()).toEqual(['paid-otherwise', 'paid', 'paid']);
    expect(short(sent('built', [1, 4n]))).toEqual(['paid-otherwise', 'paid', 'paid']);
    expect(short(sent('hand', [1, 10n]))).toEqual(['paid-twice', 'paid', 'paid']);
  });

  test('a line is paid otherwise by another amount or to another address', () => {
    const amount = reconcile([plan(1, lines)], [sent('hand', [1, 10n], [2, 19n])]).get(1);
    expect(statesOf(amount)).toEqual(['paid', 'paid-otherwise', 'open']);
    const of = plan(1, lines, { batches: [{ digest: 'built', lines: [0, 1, 2] }] });
    const result = reconcile([of], [sent('copied', [1, 10n], [77, 20n], [3, 10n])]).get(1);
    expect(statesOf(result)).toEqual(['paid', 'paid-otherwise', 'paid']);
    expect(result?.lines[1]?.payments[0]?.address).toBe(addressOf(77));
  });

  test('a line whose payment went to another address is paid once its own address is, and the wrong payment is named', () => {
    const of = plan(1, lines, { batches: [{ digest: 'built', lines: [0, 1, 2] }] });
    const later = plan(2, lines);
    const all = [sent('copied', [1, 10n], [77, 20n], [3, 10n]), sent('hand', [2, 20n])];
    const result = reconcile([of, later], all);
    expect(statesOf(result.get(1))).toEqual(['paid', 'paid', 'paid']);
    expect(result.get(1)?.strays).toMatchObject([{ digest: 'copied', address: addressOf(77) }]);
    expect(statesOf(result.get(2))).toEqual(['open', 'open', 'open']);
  });

  test('a payment of the only line to another address is recognized by its amount', () => {
    const of = plan(1, [line(1, 12_345n)], { batches: [{ digest: 'built', lines: [0] }] });
    expect(statesOf(reconcile([of], [sent('copied', [77, 12_345n])]).get(1))).toEqual(['paid-otherwise']);
  });

  test('payments before the snapshot, in another coin or to others do not count', () => {
    const before = { ...sent('early', [1, 10n]), checkpoint: 100n };
    const other = { ...sent('other', [1, 10n]), coinType: '0x5::usdc::USDC' };
    const salary = sent('salary', [50, 10n], [1, 7n]);
    const result = reconcile([plan(1, lines)], [before, other, salary]).get(1);
    expect(statesOf(result)).toEqual(['open', 'open', 'open']);
    expect(result?.strays).toEqual([]);
  });

  test('an address outside the plan in a transaction of the payout is named', () => {
    const result = reconcile([plan(1, lines)], [sent('hand', [1, 10n], [2, 20n], [77, 999n])]).get(1);
    expect(statesOf(result)).toEqual(['paid', 'paid', 'open']);
    expect(result?.strays).toMatchObject([{ digest: 'hand', address: addressOf(77), raw: 999n }]);
  });

  test("a payment to an address that the plan leaves out is named, and never takes another holder's line", () => {
    const leftOut = [{ address: addressOf(77), reason: 'asked to', rocks: [9] }];
    const of = plan(1, lines, { leftOut, batches: [{ digest: 'built', lines: [0, 1, 2] }] });
    for (const digest of ['hand', 'built']) {
      const result = reconcile([of], [sent(digest, [1, 10n], [77, 10n])]).get(1);
      expect(statesOf(result)).toEqual(['paid', 'open', 'open']);
      expect(result?.strays).toMatchObject([{ address: addressOf(77), raw: 10n }]);
    }
  });

  test('of two payouts of the same amounts the older one is paid first, each by its own transaction', () => {
    const results = reconcile([plan(1, lines), plan(2, lines)], [sent('a', [1, 10n]), sent('b', [1, 10n])]);
    expect(statesOf(results.get(1))).toEqual(['paid', 'open', 'open']);
    expect(statesOf(results.get(2))).toEqual(['paid', 'open', 'open']);
  });

  test('a payment after a payout was withdrawn counts for its replacement first, and for the withdrawn payout last', () => {
    const before = sent('before', [1, 10n]);
    const withdrawn = plan(1, lines, { withdrawnAt: new Date(before.at.getTime() + 1) });
    const both = [withdrawn, plan(2, lines)];
    const first = [sent('a', [1, 10n], [2, 20n]), sent('b', [3, 10n])];
    expect(statesOf(reconcile(both, first).get(1))).toEqual(['open', 'open', 'open']);
    expect(statesOf(reconcile(both, first).get(2))).toEqual(['paid', 'paid', 'paid']);
    // The withdrawn lines are no longer owed, so another payment means that the live payout was paid twice.
    const again = reconcile(both, [...first, sent('c', [2, 20n])]);
    expect([statesOf(again.get(1)), statesOf(again.get(2))]).toEqual([
      ['open', 'open', 'open'],
      ['paid', 'paid-twice', 'paid'],
    ]);
    expect(statesOf(reconcile(both, [before]).get(1))).toEqual(['paid', 'open', 'open']);
    expect(statesOf(reconcile([withdrawn], first).get(1))).toEqual(['paid', 'paid', 'paid']);
  });

  test('after a payout was withdrawn only payments of exact line amounts count for it, not an ordinary transfer to a holder', () => {
    const withdrawn = plan(1, lines, { withdrawnAt: new Date(0) });
    const invoice = sent('invoice', [2, 5_000n]);
    expect(statesOf(reconcile([withdrawn], [invoice]).get(1))).toEqual(['open', 'open', 'open']);
    const replaced = reconcile([withdrawn, plan(2, lines)], [sent('a', [1, 10n], [2, 20n], [3, 10n]), invoice]);
    expect(statesOf(replaced.get(1))).toEqual(['open', 'open', 'open']);
    const mixed = reconcile([withdrawn], [sent('b', [1, 10n], [2, 19n], [77, 5n])]).get(1);
    expect([statesOf(mixed), mixed?.strays]).toEqual([['paid', 'open', 'open'], []]);
    expect(mixed?.lines[0]?.payments).toMatchObject([{ isTransfer: true }]);
  });

  test('one transaction made by hand pays lines of two payouts, recognized by their amounts', () => {
    const older = plan(1, lines, { batches: [{ digest: 'built', lines: [0, 1] }] });
    const newer = plan(2, [line(1, 7n), line(2, 7n)]);
    const built = sent('built', [1, 10n], [2, 20n]);
    const results = reconcile([older, newer], [built, sent('hand', [1, 7n], [2, 7n], [3, 10n])]);
    expect([statesOf(results.get(1)), statesOf(results.get(2))]).toEqual([
      ['paid', 'paid', 'paid'],
      ['paid', 'paid'],
    ]);
    expect(results.get(2)?.strays).toEqual([]);
  });

  test('an amount that two payouts await counts for the one of which the transaction pays more lines', () => {
    const results = reconcile(
      [plan(1, [line(1, 10n), line(2, 5n)]), plan(2, lines)],
      [sent('hand', [1, 10n], [2, 20n])],
    );
    expect([statesOf(results.get(1)), statesOf(results.get(2))]).toEqual([
      ['open', 'open'],
      ['paid', 'paid', 'open'],
    ]);
  });

  test('a swap or the like pays only exact line amounts: no other amount, no copy, no stray', () => {
    const of = plan(1, lines, { batches: [{ digest: 'never sent', lines: [1] }] });
    const swap = (digest: string, ...to: Parameters<typeof sent>[1][]) => ({
      ...sent(digest, ...to),
      isTransfer: false,
    });
    const results = (...history: Sent[]) => reconcile([of], history).get(1);
    const paid = results(swap('a', [1, 10n], [2, 19n], [77, 5n]));
    expect([statesOf(paid), paid?.strays]).toEqual([['paid', 'open', 'open'], []]);
    expect(statesOf(results(swap('b', [1, 9n], [2, 19n])))).toEqual(['open', 'open', 'open']);
    expect(statesOf(results(swap('c', [77, 20n])))).toEqual(['open', 'open', 'open']);
    expect(statesOf(results(sent('d', [1, 10n]), swap('e', [1, 10n], [2, 20n])))).toEqual([
      'paid-twice',
      'paid',
      'open',
    ]);
  });

  test('in 1,000 random payouts every planted deviation is named, and nothing else', () => {
    const deviation = record({
      at: integer({ min: 0, max: 29 }),
      kind: constantFrom('otherwise' as const, 'address' as const, 'twice' as const, 'open' as const),
    });
    // Each half keeps one line as planned: a transaction in which nothing agrees with the plan is not recognized.
    const world = record({ count: integer({ min: 6, max: 30 }), planted: array(deviation, { maxLength: 2 }) });
    assert(
      property(world, ({ count, planted }) => {
        const ofWorld = Array.from({ length: count }, (_line, index) => line(index, BigInt(1_000 + index)));
        const kindAt = new Map(planted.map(({ at, kind }) => [at % count, kind]));
        const half = Math.floor(count / 2);
        const halves = [ofWorld.slice(0, half), ofWorld.slice(half)].map((part, which) =>
          part.map(({ raw }, place) => ({ index: which * half + place, raw: BigInt(raw) })),
        );
        const history = halves.map((part, which) =>
          sent(
            `batch ${which}`,
            ...part.flatMap(({ index, raw }): [number, bigint][] => {
              const kind = kindAt.get(index);
              if (kind === 'open') return [];
              if (kind === 'address') return [[500 + index, raw]];
              return [[index, kind === 'otherwise' ? raw + 5_000n : raw]];
            }),
          ),
        );
        for (const [index, kind] of kindAt)
          if (kind === 'twice') history.push(sent(`again ${index}`, [index, BigInt(1_000 + index)]));
        const expected = ofWorld.map((_line, index) => {
          const kind = kindAt.get(index);
          if (kind === undefined) return 'paid';
          return kind === 'twice' ? 'paid-twice' : kind === 'open' ? 'open' : 'paid-otherwise';
        });
        expect(statesOf(reconcile([plan(1, ofWorld)], history).get(1))).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
