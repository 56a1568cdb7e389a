import { createHash } from 'node:crypto';

import { array, assert, asyncProperty, bigInt, boolean, constantFrom, integer, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { PayoutPlan } from '../../payouts-contract.ts';
import { makePlan } from '../make-plan.ts';
import { checkPayments, type Transfer } from './check-payments.ts';
import { examinePlan, listProblems, transfersOf } from './examine-plan.ts';
import { type CheckedPlan, readPlan } from './read-plan.ts';

const sha256 = async (text: string): Promise<string> => createHash('sha256').update(text).digest('hex');
const addressOf = (index: number): string => `0x${(index + 1).toString(16).padStart(64, '0')}`;
const treasury = addressOf(0);
const coin = { type: `${addressOf(1)}::sui::SUI`, symbol: 'SUI', decimals: 9 };

interface World {
  readonly owners: readonly number[];
  readonly amountRaw: bigint;
  readonly mode: 'total' | 'per-rock';
  readonly leavesOut: boolean;
}
const world = {
  owners: array(integer({ min: 0, max: 30 }), { minLength: 3, maxLength: 200 }),
  amountRaw: bigInt({ min: 10n ** 6n, max: 10n ** 20n }),
  mode: constantFrom('total' as const, 'per-rock' as const),
  leavesOut: boolean(),
};

/** null: nobody is left to pay. */
function planOf({ owners, amountRaw, mode, leavesOut }: World, payout = 1): PayoutPlan | null {
  const made = makePlan(
    {
      payout,
      network: 'mainnet',
      treasury,
      collection: `${addressOf(90)}::rock::Rock`,
      title: 'October',
      reason: 'Revenue of October',
      coin,
      mode,
      amountRaw,
      leftOut: leavesOut ? [{ address: addressOf(owners[0] ?? 0), reason: 'asked to' }] : [],
    },
    {
      checkpoint: 100n,
      chainId: 'chain',
      at: new Date('2026-11-01T00:00:00Z'),
      rocks: owners.map((owner, index) => ({ number: index + 1, owner: addressOf(owner) })),
    },
    null,
  );
  return made.kind === 'plan' ? made.plan : null;
}

const examined = async (plan: PayoutPlan, publishedSha256: string | null = null) => {
  const found = await examinePlan({ file: canonicalJson(plan), publishedSha256, sha256 });
  return 'problem' in found ? [found.problem] : found.problems;
};
const read = (plan: PayoutPlan): CheckedPlan => {
  const found = readPlan(canonicalJson(plan));
  if ('problem' in found) throw new Error(found.problem);
  return found.plan;
};
const transfer = (digest: string, checkpoint: number, to: Transfer['to']): Transfer => ({
  digest,
  checkpoint: BigInt(checkpoint),
  coinType: coin.type,
  to,
});
const paysAll = ({ lines }: PayoutPlan, digest = 'paid', checkpoint = 101): Transfer =>
  transfer(
    digest,
    checkpoint,
    lines.map(({ address, raw }) => ({ address, raw: BigInt(raw) })),
  );

const small = planOf({ owners: [1, 2, 1, 0], amountRaw: 1_000n, mode: 'total', leavesOut: false })!;
const withLines = (change: (lines: PayoutPlan['lines']) => PayoutPlan['lines']): PayoutPlan => ({
  ...small,
  lines: change(small.lines),
});

describe('rulings R9: whoever checks a plan calculates it anew', () => {
  test('of 1,000 random plans nothing is said; of a changed byte it is, whichever it is', async () => {
    await assert(
      asyncProperty(
        record({ ...world, at: nat(), other: integer({ min: 1, max: 90 }) }),
        async ({ at, other, ...of }) => {
          const plan = planOf(of);
          if (plan === null) return;
          const file = canonicalJson(plan);
          const published = await sha256(file);
          expect(await examined(plan, published)).toEqual([]);
          const place = at % file.length;
          const letter = String.fromCharCode(((file.charCodeAt(place) - 32 + other) % 95) + 32);
          const changed = `${file.slice(0, place)}${letter}${file.slice(place + 1)}`;
          if (changed === file) return;
          const found = await examinePlan({ file: changed, publishedSha256: published, sha256 });
          if ('problem' in found) expect(found.problem).toMatch(/^This is no plan of a payout/);
          else
            expect(found.problems[0]).toMatch(
              /^The SHA-256 of the plan is [0-9a-f]{64}, and [0-9a-f]{64} was published\.$/,
            );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('of 1,000 random plans a changed amount or line is told by the sums alone, and nothing that is right', async () => {
    const kinds = constantFrom('amount', 'remainder', 'share', 'line-gone', 'line-twice', 'rock-twice', 'rock-gone');
    await assert(
      asyncProperty(record({ ...world, at: nat(), kind: kinds }), async ({ at, kind, ...of }) => {
        const plan = planOf(of);
        if (plan === null) return;
        const index = at % plan.lines.length;
        const line = plan.lines[index]!;
        const raised = (raw: string): string => String(BigInt(raw) + 1n);
        const put = (changed: PayoutPlan['lines']): PayoutPlan => ({
          ...plan,
          lines: [...plan.lines.slice(0, index), ...changed, ...plan.lines.slice(index + 1)],
        });
        const { changed, about } = {
          amount: {
            changed: put([{ ...line, raw: raised(line.raw) }]),
            about: /^0x|sum of the lines|left of the amount/,
          },
          remainder: {
            changed: { ...plan, remainderRaw: raised(plan.remainderRaw) },
            about: /^What is left of the amount/,
          },
          share: { changed: { ...plan, shareRaw: raised(plan.shareRaw) }, about: /rounded down|The amount per rock/ },
          'line-gone': { changed: put([]), about: /plan names|divided|^0x|sum of|left of|Nobody is paid/ },
          'line-twice': { changed: put([line, line]), about: /times|has 2 lines|divided|^0x|sum of|left of/ },
          'rock-twice': {
            changed: put([{ ...line, rocks: [...line.rocks, line.rocks.at(-1)!] }]),
            about: /named 2 times|^0x|divided/,
          },
          'rock-gone': {
            changed: put([{ ...line, rocks: line.rocks.slice(1) }]),
            about: /plan names|^0x|divided|Nobody/,
          },
        }[kind];
        const problems = await examined(changed);
        expect(problems.length).toBeGreaterThan(0);
        // A share that is another one is another one for each line.
        for (const problem of problems) expect(problem).toMatch(about);
        if (kind === 'amount') expect(problems.filter((each) => each.startsWith('0x'))).toHaveLength(1);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['another order', withLines((lines) => lines.toReversed()), ['The addresses are not in their order.']],
    [
      'the treasury pays itself',
      { ...small, lines: [{ ...small.lines[0]!, address: treasury }, small.lines[1]!], leftOut: [] },
      ['At the snapshot there were 4 rocks, and the plan names 3.', 'The treasury pays itself.'],
    ],
    [
      'who is left out is paid',
      { ...small, leftOut: [{ ...small.leftOut[0]!, address: small.lines[0]!.address }] },
      [`${small.lines[0]!.address} is paid, and it is left out.`],
    ],
    [
      'a line gets one unit more',
      withLines(([first, ...rest]) => [{ ...first!, raw: '667' }, ...rest]),
      [
        `${small.lines[0]!.address}: the share times 2 is 0.000000666 SUI, and the plan says 0.000000667 SUI.`,
        'The sum of the lines is 0.000001 SUI, and the plan says 0.000000999 SUI.',
        'What is left of the amount is 0 SUI, and the plan says 0.000000001 SUI.',
      ],
    ],
  ])('%s: told in a sentence', async (_name, plan, sentences) => {
    expect(await examined(plan)).toEqual(sentences);
  });

  test('white space in the file is told, as the hash is of the canonical form', async () => {
    const found = await examinePlan({ file: `${canonicalJson(small)}\n`, publishedSha256: null, sha256: null });
    expect(found).toMatchObject({ problems: ['The plan is not written in the canonical form, of which the hash is.'] });
  });
});

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
      `${first!.address}: the line on this page is not the one of the plan.`,
    ]);
    expect(listProblems(read(small), [...small.lines, { ...first!, address: addressOf(77) }])).toEqual([
      `${addressOf(77)} is listed, and the plan has no such line.`,
    ]);
  });
});
