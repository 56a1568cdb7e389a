import { attack } from '../tests/attack/attack.ts';
import { startAttackWorld } from '../tests/attack/attack-world.ts';
import { makeEveryCall } from '../tests/attack/every-call.ts';
import { deadlocksOf } from '../tests/support/deadlocks.ts';
import { startBenchDatabase } from './bench-database.ts';
import { atLeast, atMost, type Row } from './row.ts';

/** `npm run bench attack`: generated requests against every call of the whole product, good, nearly good and hostile. */
const count = 100_000;
const atOnce = 16;
const shownMax = 50;

/** Figures: no answer of 500 or above, each answer as the description has it, each call answered well at least once. */
export const benchAttack = async (): Promise<Row[]> => {
  const database = await startBenchDatabase();
  try {
    const world = await startAttackWorld(database);
    try {
      const { answered } = await makeEveryCall(world);
      const seed = Date.now() % 1_000_000;
      const startedAtMs = performance.now();
      const { sent, byStatus, complaints } = await attack(world, { count, seed, atOnce });
      const perSecond = Math.round((sent / (performance.now() - startedAtMs)) * 1_000);
      for (const complaint of complaints.slice(0, shownMax)) console.error(complaint);
      const failed = Object.entries(byStatus).filter(([status]) => Number(status) >= 500);
      return [
        atLeast('attack: calls answered well', answered.size, world.calls.length, '', `of ${world.calls.length}`),
        atLeast('attack: generated requests', sent, count, '', `seed ${seed}, ${perSecond}/s, ${statuses(byStatus)}`),
        atMost(
          'attack: answers of 500 and above',
          failed.reduce((sum, [, each]) => sum + each, 0),
          0,
        ),
        atMost('attack: answers unlike their description, or with a secret', complaints.length, 0),
        atMost('attack: transactions that waited for each other', await deadlocksOf(database.pool), 0),
      ];
    } finally {
      await world.stop();
    }
  } finally {
    await database.drop();
  }
};

/** 200: 12, 400: 30, …; 0 are connections that ended under a body which was too large. */
const statuses = (byStatus: Readonly<Record<number, number>>): string =>
  Object.entries(byStatus)
    .map(([status, each]) => `${status}: ${each}`)
    .join(', ');
