import { setTimeout as delay } from 'node:timers/promises';
import { startProduct } from '../tests/support/product.ts';
import { processorSeconds, treeMemoryMb, treeOf } from './process-usage.ts';
import { atMost, median, type Row } from './row.ts';

const idleMs = 15_000;

/** Share of one processor that the process and its descendants use while idle. */
const idleShare = async (rootPid: number): Promise<number> => {
  const used = (): number => treeOf(rootPid).reduce((sum, pid) => sum + processorSeconds(pid), 0);
  await delay(idleMs);
  const before = used();
  await delay(idleMs);
  return (used() - before) / (idleMs / 1_000);
};

/** Issue figure: from start to ready at most 2 s on an initialised embedded database, idle memory at most 200 MB. */
export const benchStartUp = async (): Promise<Row[]> => {
  const product = await startProduct({ env: { TREASURY_REFRESH_MS: '60000' }, dataIn: 'disk' });
  try {
    const startMs: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      startMs.push((await product.restart()).startMs);
    }
    const share = await idleShare(product.process.pid);
    return [
      atMost('start to ready on an initialised database', median(startMs) / 1000, 2, ' s'),
      atMost('memory idle, product and database', treeMemoryMb(product.process.pid), 200, ' MB'),
      atMost('processor time idle, product and database', share * 100, 12, ' %'),
    ];
  } finally {
    await product.stop();
  }
};
