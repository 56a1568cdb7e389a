import { setTimeout as delay } from 'node:timers/promises';

import { startSandbox } from '../sandbox/start-sandbox.ts';
import { createRandom } from '../sandbox/world/random.ts';
import { type Aftermath, killPayer } from '../tests/support/killed-payer.ts';
import { startBenchDatabase } from './bench-database.ts';
import { numberOption } from './number-option.ts';
import { atLeast, atMost, type Row } from './row.ts';

/** Longer than a payout takes from the draft to the last payment. */
const withinMs = 1_500;

/** Issue figure: `kill -9` at random moments between draft and paid; another process goes on, and everyone is paid once. */
export async function benchPayoutKills(): Promise<Row[]> {
  const kills = numberOption('kills', 100);
  const seed = numberOption('seed', 22);
  const random = createRandom(seed);
  const sandbox = await startSandbox();
  const database = await startBenchDatabase();
  const ends: Aftermath[] = [];
  try {
    for (let number = 1; number <= kills; number += 1) {
      const afterMs = random.next() * withinMs;
      ends.push(
        await killPayer({ sandbox, database }, number, {
          kill: (child) => delay(afterMs).then(() => child.end('SIGKILL')),
        }),
      );
    }
  } finally {
    await database.drop();
    await sandbox.stop();
  }
  const problems = ends.flatMap((end) => end.problems);
  for (const problem of problems) console.error(problem);
  const count = Map.groupBy(ends, ({ left }) => left);
  const found = [...count].map(([left, of]) => `${left} ${of.length}`).join(', ');
  const killed = ends.filter(({ exitCode }) => exitCode === null).length;
  return [
    atMost(`${kills} random kills between draft and paid (seed ${seed}): problems`, problems.length, 0, '', found),
    atLeast('of these, kills before the payout was finished', killed, kills / 2),
  ];
}
