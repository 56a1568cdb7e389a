import { attack } from '../tests/attack/attack.ts';
import { startAttackWorld } from '../tests/attack/attack-world.ts';
import { makeEveryCall } from '../tests/attack/every-call.ts';
import { deadlocksOf } from '../tests/support/deadlocks.ts';
import { startBenchDatabase } from './bench-database.ts';
import { atLeast, atMost, type Row } from './row.ts';

/** `npm run bench attack`: generated requests against every call of the whole product: valid, nearly valid and hostile. */
const count = 100_000;
const atOnce = 16;
const shownMax = 50;

/** Figures: no answer of 500 or above, each answer as described in openapi.json, each call successful at least once. */
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
        atLeast(
          'attack: calls answered successfully',
          answered.size,
          world.calls.length,
          '',
          `of ${world.calls.length}`,
        ),
        atLeast('attack: generated requests', sent, count, '', `seed ${seed}, ${perSecond}/s, ${statuses(byStatus)}`),
        atMost(
          'attack: answers of 500 and above',
          failed.reduce((sum, [, each]) => sum + each, 0),
          0,
        ),
        atMost('attack: answers that differ from their description or contain a secret', complaints.length, 0),
        atMost('attack: deadlocks', await deadlocksOf(database.pool), 0),
      ];
    } finally {
      await world.stop();
    }
  } finally {
    await database.drop();
  }
};

/** 200: 12, 400: 30, …; 0 stands for connections that were closed during a body that was too large. */
const statuses = (byStatus: Readonly<Record<number, number>>): string =>
  Object.entries(byStatus)
    .map(([status, each]) => `${status}: ${each}`)
    .join(', ');
