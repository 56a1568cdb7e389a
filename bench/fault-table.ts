import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { outcomes } from '../tests/support/faults/feature.ts';
import { matrix } from '../tests/support/faults/matrix.ts';
import type { Cell } from '../tests/support/faults/run-fault.ts';
import { type Kind, kinds, type Upstream, upstreams } from '../tests/support/faults/upstreams.ts';

const page = join(import.meta.dirname, '..', 'docs', 'faults.md');
const begin = '<!-- made by: npm run faults -->';
const end = '<!-- end -->';

/** Replaces the measured part of docs/faults.md. */
export async function writeFaultTable(cells: readonly Cell[], tookMs: number): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  const written = `${before}${begin}\n\n${seenIn(cells, tookMs)}\n\n${end}${after}`;
  await writeFile(page, await format(written, { ...(await resolveConfig(page)), parser: 'markdown' }));
}

/** One line for each feature of each upstream, with the kinds grouped by outcome. */
function seenIn(cells: readonly Cell[], tookMs: number): string {
  const okCount = cells.filter(({ ok }) => ok).length;
  const day = new Date().toISOString().slice(0, 10);
  const minutes = Math.ceil(tookMs / 60_000);
  return [
    `Measured on ${day} with \`npm run faults\`, in ${minutes} minutes: ${okCount} of ${cells.length} cells as expected ` +
      `(${upstreams.length} upstreams, ${kinds.length} kinds).`,
    '',
    '| fails | who uses what | what they see | recovered after, at most |',
    '| --- | --- | --- | --- |',
    ...upstreams.flatMap((upstream) => linesOf(upstream, cells)),
    '',
    ...Object.entries(outcomes).map(([outcome, words]) => `- **${outcome}**: ${words}.`),
  ].join('\n');
}

const linesOf = (upstream: Upstream, cells: readonly Cell[]): readonly string[] =>
  matrix[upstream].map(({ feature: { name, seenBy } }) => {
    const own = cells.filter((cell) => cell.upstream === upstream && cell.feature === name);
    const slowestMs = Math.max(0, ...own.map(({ recoveredMs }) => recoveredMs ?? 0));
    return `| ${upstream} | ${seenBy}: ${name} | ${seenWords(own)} | ${(slowestMs / 1_000).toFixed(1)} s |`;
  });

function seenWords(cells: readonly Cell[]): string {
  const byOutcome = new Map<string, Kind[]>();
  for (const { seen, kind } of cells) byOutcome.set(seen, [...(byOutcome.get(seen) ?? []), kind]);
  const groups = [...byOutcome].toSorted(([, one], [, other]) => other.length - one.length);
  return groups.map(([seen, of], at) => (at === 0 ? `**${seen}**` : `**${seen}** (${of.join(', ')})`)).join('; ');
}
