import { createHash } from 'node:crypto';

import { assert, asyncProperty, constantFrom, integer, nat, record, pre } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { planOf, smallPlan as small, treasury, world } from '../../../../tests/support/checked-plans.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { PayoutPlan } from '../../payouts-contract.ts';
import { examinePlan } from './check-plan.ts';

const sha256 = async (text: string): Promise<string> => createHash('sha256').update(text).digest('hex');
const examined = async (plan: PayoutPlan, publishedSha256: string | null = null) => {
  const found = await examinePlan({ file: canonicalJson(plan), publishedSha256, sha256 });
  return 'problem' in found ? [found.problem] : found.problems;
};
const withLines = (change: (lines: PayoutPlan['lines']) => PayoutPlan['lines']): PayoutPlan => ({
  ...small,
  lines: change(small.lines),
});

describe('rulings R9: checking a plan recalculates it', () => {
  test('1,000 random plans have no problem, and a change to any byte is found', async () => {
    await assert(
      asyncProperty(
        record({ ...world, at: nat(), other: integer({ min: 1, max: 90 }) }),
        async ({ at, other, ...of }) => {
          const plan = planOf(of);
          pre(plan !== null);
          const file = canonicalJson(plan);
          const published = await sha256(file);
          expect(await examined(plan, published)).toEqual([]);
          const place = at % file.length;
          const letter = String.fromCharCode(((file.charCodeAt(place) - 32 + other) % 95) + 32);
          const changed = `${file.slice(0, place)}${letter}${file.slice(place + 1)}`;
          pre(changed !== file);
          const found = await examinePlan({ file: changed, publishedSha256: published, sha256 });
          if ('problem' in found) expect(found.problem).toMatch(/^This is not the plan of a payout/);
          else
            expect(found.problems[0]).toMatch(
              /^The SHA-256 of the plan is [0-9a-f]{64}, but [0-9a-f]{64} was published\.$/,
            );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('in 1,000 random plans the sums alone reveal a changed amount or line, and nothing that is right is reported', async () => {
    const kinds = constantFrom('amount', 'remainder', 'share', 'line-gone', 'line-twice', 'rock-twice', 'rock-gone');
    await assert(
      asyncProperty(record({ ...world, at: nat(), kind: kinds }), async ({ at, kind, ...of }) => {
        const plan = planOf(of);
        pre(plan !== null);
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
        // With another share every line differs.
        for (const problem of problems) expect(problem).toMatch(about);
        if (kind === 'amount') expect(problems.filter((each) => each.startsWith('0x'))).toHaveLength(1);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['addresses out of order', withLines((lines) => lines.toReversed()), ['The addresses are not sorted.']],
    [
      'the treasury pays itself',
      { ...small, lines: [{ ...small.lines[0]!, address: treasury }, small.lines[1]!], leftOut: [] },
      ['At the snapshot there were 4 rocks, but the plan names 3.', 'The treasury pays itself.'],
    ],
    [
      'an address that is left out is paid',
      { ...small, leftOut: [{ ...small.leftOut[0]!, address: small.lines[0]!.address }] },
      [`${small.lines[0]!.address} is both paid and left out.`],
    ],
    [
      'a rock that is left out by its number is paid anyway, or left out twice',
      {
        ...small,
        leftOut: [
          ...small.leftOut,
          { address: null, reason: 'frozen', rocks: [2, 5] },
          { address: null, reason: 'burned', rocks: [6, 5] },
        ],
      },
      [
        'Rock 2 is named 2 times.',
        'Rock 5 is named 2 times.',
        'Without a known owner: the rocks are not in the order of their numbers.',
        'At the snapshot there were 4 rocks, but the plan names 6.',
      ],
    ],
    [
      'a line gets one unit more',
      withLines(([first, ...rest]) => [{ ...first!, raw: '667' }, ...rest]),
      [
        `${small.lines[0]!.address}: the share times 2 is 0.000000666 SUI, but the plan says 0.000000667 SUI.`,
        'The sum of the lines is 0.000001 SUI, but the plan says 0.000000999 SUI.',
        'What is left of the amount is 0 SUI, but the plan says 0.000000001 SUI.',
      ],
    ],
  ])('%s: reported in a sentence', async (_name, plan, sentences) => {
    expect(await examined(plan)).toEqual(sentences);
  });

  test('white space in the file is reported, because the hash is of the canonical form', async () => {
    const found = await examinePlan({ file: `${canonicalJson(small)}\n`, publishedSha256: null, sha256: null });
    expect(found).toMatchObject({ problems: ['The plan is not in canonical form, which the hash is made of.'] });
  });
});
