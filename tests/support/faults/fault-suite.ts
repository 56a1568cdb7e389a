import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testDatabase } from '../database.ts';
import { matrix } from './matrix.ts';
import { runFault } from './run-fault.ts';
import { kinds, type Upstream } from './upstreams.ts';
import { type FaultWorld, startFaultWorld } from './world.ts';

/** A part of the fault matrix as tests: those of its features that cost little. Several upstreams fail at once where nothing depends on two. */
export function testFaults(...together: readonly (readonly Upstream[])[]): void {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld(await testDatabase());
  });
  afterAll(() => world.end());
  for (const upstreams of together) {
    const broken = upstreams.map((upstream) => ({
      upstream,
      expectations: matrix[upstream].filter(({ isCheap }) => isCheap === true),
    }));
    describe(`${upstreams.join(' and ')} unwell`, () => {
      test.each(kinds)('%s', async (kind) => {
        const cells = await runFault(world, kind, broken);
        const told = (pick: 'expected' | 'seen') =>
          cells.map((cell) => `${cell.upstream}, ${cell.feature}: ${cell[pick]}`);
        expect(told('seen')).toEqual(told('expected'));
      });
    });
  }
}
