import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { testDatabase } from '../support/database.ts';
import { roleStories } from '../support/role-stories.ts';
import { type RoleWorld, startRoleWorld } from '../support/role-world.ts';
import { until } from '../support/until.ts';

/** The site runs in the same process (docs/load.md). */
let world: RoleWorld;
const { settle, sweepNow, lastSweep } = roleStories(() => world);
beforeEach(async () => {
  world = await startRoleWorld(await testDatabase());
  await world.server();
});
afterEach(() => world.end());

/** How often a sweep of `members` members pauses when each pause takes `restMs`. */
async function stepsOfSweep(members: number, restMs: number): Promise<number> {
  let steps = 0;
  await settle(members);
  const roles = world.copy({
    yieldToRequests: async () => {
      steps += 1;
      await delay(restMs);
    },
  });
  await sweepNow();
  roles.start();
  await until('all are swept', async () => (await lastSweep())?.['checked'] === members);
  return steps;
}

it('a sweep pauses for visitors after each batch of members', async () => {
  expect(await stepsOfSweep(60, 0)).toBe(3);
});

it('a sweep pauses for about a second per server at most: its members are locked meanwhile', async () => {
  expect(await stepsOfSweep(60, 1_050)).toBe(1);
});
