import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { PayoutPlan } from '../../src/payouts/payouts-contract.ts';
import { canonicalJson } from '../../src/shared/canonical-json.ts';
import { startChild } from '../support/child.ts';
import { type Product, startProduct } from '../support/product.ts';
import { payLines, planFileOf, type Treasurer, treasurerOf, untilPaid } from '../support/published-payout.ts';
import { serveOnLoopback } from '../support/serve-on-loopback.ts';
import { temporaryDataDir } from '../support/temporary-data-dir.ts';

const admin = { username: 'ogg', password: 'rock-solid-password' } as const;
const stranger = `0x${'9'.repeat(64)}`;

let product: Product;
let treasurer: Treasurer;
let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
let october: PayoutPlan;
beforeAll(async () => {
  folder = await temporaryDataDir();
  product = await startProduct({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } });
  treasurer = await treasurerOf(product, admin);
  october = await treasurer.publish({ title: 'October', shareRaw: '10000007' });
  await payLines(product, october.lines);
  await untilPaid(product, october.payout);
}, 240_000);
afterAll(async () => {
  await product.stop();
  await folder.remove();
});

/** `npm run verify-payout -- …` with the sandbox as its node. */
async function verify(...args: readonly string[]) {
  const { sui, archive } = product.sandbox.urls;
  const child = startChild('scripts/verify-payout.ts', args, { SUI_GRPC_URL: sui, SUI_ARCHIVE_URL: archive });
  const code = await child.exited;
  return { code, said: child.output().trim().split('\n') };
}

async function fileOf(plan: PayoutPlan, text = canonicalJson(plan)): Promise<string> {
  const path = join(
    folder.path,
    `plan-${plan.payout}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`,
  );
  await writeFile(path, text);
  return path;
}

describe('npm run verify-payout', () => {
  test('a paid payout adds up, by its address on the site and by its file', async () => {
    const { lines, payout, treasury } = october;
    const bySite = await verify(`${product.url}/payouts/${payout}`);
    expect(bySite.said.at(-1)).toBe('It adds up.');
    expect(bySite.said.join('\n')).toContain(`It is paid by the treasury ${treasury}.`);
    expect(bySite.said).toContain('The coin SUI is 0x2::sui::SUI.');
    expect(bySite.said.join('\n')).toMatch(
      new RegExp(`${lines.length} lines, .* SUI in all. Paid once and to the last unit: ${lines.length},`),
    );
    expect(bySite.code).toBe(0);
    const file = await planFileOf(product, payout);
    const hash = createHash('sha256').update(file).digest('hex');
    const byFile = await verify(await fileOf(october, file), '--sha256', hash);
    expect(byFile.said[0]).toBe(`Payout ${payout}: October. SHA-256 ${hash}.`);
    expect(byFile.code).toBe(0);
  });

  test('a hash that a holder kept from the announcement counts for more than the one on the site today', async () => {
    const kept = 'b'.repeat(64);
    const { said, code } = await verify(`${product.url}/payouts/${october.payout}`, '--sha256', kept);
    expect(said.join('\n')).toContain(`but ${kept} was published.`);
    expect(code).toBe(1);
  });

  test('a plan with a line that was tampered with is reported, with the line, the sum and the hash', async () => {
    const [first, ...rest] = october.lines;
    const raw = String(BigInt(first!.raw) + 1n);
    const tampered = await fileOf({ ...october, lines: [{ ...first!, raw }, ...rest] });
    const hash = createHash('sha256').update(canonicalJson(october)).digest('hex');
    const { code, said } = await verify(tampered, '--sha256', hash);
    expect(code).toBe(1);
    const findings = said.filter((line) => line.startsWith('- '));
    expect(findings[0]).toMatch(/^- The SHA-256 of the plan is/);
    expect(findings[1]).toContain(`${first!.address}: the share times`);
    expect(findings.join('\n')).toContain('- The sum of the lines is');
    // The treasury sent what was planned, not what the tampered file says.
    expect(findings.at(-1)).toContain(`to ${first!.address}. The plan gives it`);
  });

  test('a replaced address in a plan is found by comparing it with the chain, without any hash', async () => {
    const lines = [...october.lines.slice(0, -1), { ...october.lines.at(-1)!, address: `0x${'f'.repeat(64)}` }];
    const { code, said } = await verify(await fileOf({ ...october, lines }));
    expect(code).toBe(1);
    expect(said.join('\n')).toContain(`to ${october.lines.at(-1)!.address}, which the plan does not name.`);
    expect(said.join('\n')).toContain(`- 0x${'f'.repeat(64)} has not received its`);
  });

  test('rocks that are left out because no owner is known are named with the reason', async () => {
    const leftOut = [...october.leftOut, { address: null, rocks: [7, 9], reason: 'frozen' }];
    const { said } = await verify(await fileOf({ ...october, leftOut }));
    expect(said).toContain('Left out, as no owner is known: 2 rocks, 7, 9 (frozen).');
  });

  test('for a half-paid payout each open line, wrong amount, second payment and stranger is reported', async () => {
    const november = await treasurer.publish({ title: 'November', shareRaw: '20000003' });
    const [, second, third, last] = november.lines;
    const nothing = await verify(`${product.url}/payouts/${november.payout}`);
    expect(nothing).toMatchObject({ code: 1 });
    expect(nothing.said).toContain('- None of it is paid.');
    await payLines(product, [
      ...november.lines.filter((line) => line !== second && line !== last),
      { ...second!, raw: String(BigInt(second!.raw) - 1n) },
      { address: stranger, raw: '5' },
    ]);
    await payLines(product, [third!]);
    const { code, said } = await verify(`${product.url}/payouts/${november.payout}`);
    expect(code).toBe(1);
    const findings = said.filter((line) => line.startsWith('- ')).toSorted();
    expect(findings).toHaveLength(4);
    expect(findings.join('\n')).toContain(`- ${last!.address} has not received its`);
    expect(findings.join('\n')).toContain(`to ${second!.address}. The plan gives it`);
    expect(findings.join('\n')).toMatch(new RegExp(`to ${third!.address}, which \\w+ had paid already`));
    expect(findings.join('\n')).toContain(`to ${stranger}, which the plan does not name.`);
    // The payout of the month before is unchanged.
    expect((await verify(`${product.url}/payouts/${october.payout}`)).code).toBe(0);
  });

  test('a payout that replaces a withdrawn one with the same lines is paid, and the withdrawn one is not', async () => {
    const mistaken = await treasurer.publish({ title: 'December', shareRaw: '30000001' });
    await treasurer.withdraw(mistaken.payout, 'A wrong title');
    const december = await treasurer.publish({ title: 'December again', shareRaw: '30000001' });
    await payLines(product, december.lines);
    await untilPaid(product, december.payout);
    expect((await verify(`${product.url}/payouts/${december.payout}`)).said.at(-1)).toBe('It adds up.');
    const { said, code } = await verify(`${product.url}/payouts/${mistaken.payout}`);
    expect(said.join('\n')).toMatch(/^Withdrawn on \d{4}-\d\d-\d\d: nobody is owed its open lines\.$/m);
    expect(said.at(-1)).toBe('It adds up.');
    expect(code).toBe(0);
  });

  test('a payout of the same share as an earlier one that is paid adds up, by its address and by its file', async () => {
    const again = await treasurer.publish({ title: 'October again', shareRaw: '10000007' });
    await payLines(product, again.lines);
    await untilPaid(product, again.payout);
    const bySite = await verify(`${product.url}/payouts/${again.payout}`);
    expect(bySite).toMatchObject({ code: 0 });
    expect(bySite.said.at(-1)).toBe('It adds up.');
    const byFile = await verify(await fileOf(again), await fileOf(october));
    expect(byFile.said.at(-1)).toBe('It adds up.');
  });

  test('an invalid plan, an unknown payout, a missing argument and another chain are one sentence each', async () => {
    const list = join(folder.path, 'list.json');
    await writeFile(list, '{"shopping":["flint"]}');
    expect((await verify(list)).said[0]).toMatch(/^- This is not the plan of a payout/);
    expect((await verify(`${product.url}/payouts/999`)).said).toEqual([
      `It could not be checked: ${product.url} has published no payout 999.`,
    ]);
    expect((await verify()).said[0]).toContain('npm run verify-payout -- <plan.json or address of the payout>');
    const elsewhere = await fileOf({ ...october, chainId: 'another chain' });
    expect((await verify(elsewhere)).said.join('\n')).toContain(
      '- The plan is for chain another chain, but the node is on chain',
    );
  });

  test.each([
    [['--help'], /^npm run verify-payout -- <plan\.json or address/],
    [
      ['no-such.json'],
      /^It could not be checked: There is no file no-such\.json\. An address begins with https:\/\/\.$/,
    ],
    [['docs'], /^It could not be checked: docs cannot be read \(EISDIR\)\.$/],
    [['plan.json', '--sha256', 'sha256:d17f'], /^It could not be checked: A SHA-256 is 64 hexadecimal digits\.$/],
    [['http://127.0.0.1:9/payouts/1'], /^It could not be checked: The site http:\/\/127\.0\.0\.1:9 does not answer\.$/],
  ])('%j is answered with one sentence and exit code 1', async (args, sentence) => {
    const { code, said } = await verify(...args);
    expect(said[0]).toMatch(sentence);
    expect(code).toBe(1);
  });

  test.each(['<!doctype html><p>Grocery</p>', '{"data":{"payouts":[{"flint":1}]}}'])(
    'the address of another site is one sentence: %s',
    async (body) => {
      const site = await serveOnLoopback((_request, response) => response.end(body));
      expect((await verify(`${site}/payouts/1`)).said).toEqual([
        `It could not be checked: ${site} does not answer like a Sui Rocks site.`,
      ]);
    },
  );

  test('checkpoints after the snapshot that the node has pruned are read from the archive', async () => {
    const checkpoint = Number(october.snapshot.checkpoint) + 2;
    await product.control('/control/prune', { checkpoint });
    expect((await verify(`${product.url}/payouts/${october.payout}`)).said.at(-1)).toBe('It adds up.');
  });
});
