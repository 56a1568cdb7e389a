import { readFileSync, readdirSync } from 'node:fs';
import { startProduct } from '../tests/support/product.ts';
import { atMost, median, type Row } from './row.ts';

/** Resident memory of a process and all its descendants, in MB; shared pages counted once each (PSS). */
export const treeMemoryMb = (rootPid: number): number => {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // Ended while we were looking.
    }
  }
  const inTree = (pid: number): boolean =>
    pid === rootPid || (parents.has(pid) && parents.get(pid) !== 0 && inTree(parents.get(pid) ?? 0));
  let kb = 0;
  for (const pid of parents.keys()) {
    if (!inTree(pid)) continue;
    kb += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  }
  return kb / 1024;
};

/** Issue figure: from start to ready at most 2 s on an initialised embedded database, idle memory at most 200 MB. */
export const benchStartUp = async (): Promise<Row[]> => {
  const product = await startProduct({ env: { TREASURY_REFRESH_MS: '60000' }, dataIn: 'disk' });
  try {
    const startMs: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      startMs.push((await product.restart()).startMs);
    }
    return [
      atMost('start to ready on an initialised database', median(startMs) / 1000, 2, ' s'),
      atMost('memory idle, product and database', treeMemoryMb(product.process.pid), 200, ' MB'),
    ];
  } finally {
    await product.stop();
  }
};
