import { groupsOf } from '../tests/support/faults/matrix.ts';
import { type Cell, runFault } from '../tests/support/faults/run-fault.ts';
import { kinds, type Upstream, upstreams } from '../tests/support/faults/upstreams.ts';
import { startFaultWorld } from '../tests/support/faults/world.ts';
import { startBenchDatabase } from './bench-database.ts';
import { writeFaultTable } from './fault-table.ts';
import { atMost, type Row } from './row.ts';

/**
 * `npm run faults`: every upstream and the database × every kind of fault × every feature that depends on it, each checked where its
 * users see it. A full run rewrites the table of docs/faults.md; FAULTS_OF and FAULTS_KINDS (names, by commas) run only some.
 */
export async function benchFaultMatrix(): Promise<Row[]> {
  const broken = chosen('FAULTS_OF', upstreams);
  const isWhole = broken.length === upstreams.length && chosen('FAULTS_KINDS', kinds).length === kinds.length;
  const cells: Cell[] = [];
  const beganAtMs = performance.now();
  for (const upstream of broken) {
    const found = await runUpstream(upstream);
    console.error(`${upstream}: ${found.filter(({ ok }) => ok).length} of ${found.length} cells as expected`);
    cells.push(...found);
  }
  if (isWhole) await writeFaultTable(cells, performance.now() - beganAtMs);
  return rowsOf(broken, cells);
}

/** The names in an environment variable, separated by commas; all if it is unset. */
const chosen = <Name extends string>(variable: string, all: readonly Name[]): readonly Name[] => {
  const named = process.env[variable]?.split(',');
  return all.filter((name) => named === undefined || named.includes(name));
};

/** Each upstream gets a new world, so that nothing carries over. */
async function runUpstream(upstream: Upstream): Promise<readonly Cell[]> {
  const world = await startFaultWorld(await startBenchDatabase());
  const cells: Cell[] = [];
  try {
    for (const kind of chosen('FAULTS_KINDS', kinds)) {
      for (const expectations of groupsOf(upstream)) {
        const found = await runFault(world, kind, [{ upstream, expectations }]);
        report(found);
        cells.push(...found);
      }
    }
  } finally {
    await world.end();
  }
  return cells;
}

/** Printed as it goes, because a full run takes a while. */
function report(cells: readonly Cell[]): void {
  for (const { upstream, kind, feature, seen, expected, ok, recoveredMs } of cells) {
    const words = ok ? `${seen}, recovered after ${recoveredMs} ms` : `${seen} (expected: ${expected})`;
    console.error(`${ok ? 'ok  ' : 'MISS'}  ${upstream} × ${kind} × ${feature}: ${words}`);
  }
}

const rowsOf = (broken: readonly Upstream[], cells: readonly Cell[]): Row[] =>
  broken.map((upstream) => {
    const own = cells.filter((cell) => cell.upstream === upstream);
    const slowestMs = Math.max(0, ...own.map(({ recoveredMs }) => recoveredMs ?? 0));
    const wrongCount = own.filter(({ ok }) => !ok).length;
    return atMost(
      `faults: ${upstream}, ${kinds.length} kinds`,
      wrongCount,
      0,
      ' unexpected cells',
      `of ${own.length}, slowest recovery ${(slowestMs / 1_000).toFixed(1)} s`,
    );
  });
