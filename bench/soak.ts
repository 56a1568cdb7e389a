import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { numberOption } from './number-option.ts';
import type { Row } from './row.ts';
import { soakRows } from './soak-rows.ts';
import { chartOf, countRows, csvOf, type SoakSample, takeSample } from './soak-samples.ts';
import { startSoakWorld } from './soak-world.ts';

/** `npm run bench soak [-- --minutes N]`: everything at once for half an hour; does anything grow that should not? */
const minutes = numberOption('minutes', 30);
const sampleEveryMs = 5_000;
/** Until compiled code, caches and pools are filled; a quarter of a short run, which proves little. */
const warmUpMs = Math.min(3, minutes / 4) * 60_000;

export const benchSoak = async (): Promise<Row[]> => {
  const world = await startSoakWorld();
  const samples: SoakSample[] = [];
  try {
    const startedMs = performance.now();
    const elapsedMs = (): number => performance.now() - startedMs;
    await delay(warmUpMs);
    const before = await countRows(world.pool);
    while (elapsedMs() < minutes * 60_000) {
      const dueMs = elapsedMs() + sampleEveryMs;
      samples.push(await takeSample(world, Math.round(elapsedMs() / 1_000)));
      await delay(Math.max(0, dueMs - elapsedMs()));
    }
    const doings = await world.settle();
    const after = await countRows(world.pool);
    const purged = await world.purged();
    const folder = await mkdtemp(join(tmpdir(), 'sui-rocks-soak-'));
    await writeFile(join(folder, 'samples.csv'), csvOf(samples));
    console.error(`${samples.length} samples in ${join(folder, 'samples.csv')}`);
    for (const line of chartOf(samples)) console.log(line);
    return soakRows({ minutes, samples, before, after, ...purged, doings });
  } finally {
    await world.stop();
  }
};
