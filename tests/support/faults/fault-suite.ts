import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testDatabase } from '../database.ts';
import { matrix } from './matrix.ts';
import { type Cell, runFault } from './run-fault.ts';
import { type Kind, kinds, type Upstream } from './upstreams.ts';
import { type FaultWorld, startFaultWorld } from './world.ts';

/** The suite runs every second kind of an upstream; `npm run faults` runs them all. */
export const someKinds = kinds.filter((_, at) => at % 2 === 0);
export const otherKinds = kinds.filter((_, at) => at % 2 === 1);

/** A part of the fault matrix as tests: its cheap features. Several upstreams fail at once where no feature depends on two of them. */
export function testFaults(upstreams: readonly Upstream[], chosen: readonly Kind[]): void {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld(await testDatabase());
  });
  afterAll(() => world.end());
  const broken = upstreams.map((upstream) => ({
    upstream,
    expectations: matrix[upstream].filter(({ isCheap }) => isCheap === true),
  }));
  describe(`${upstreams.join(' and ')} failing`, () => {
    test.each(chosen)('%s', async (kind) => {
      const cells = await runFault(world, kind, broken);
      const named = ({ upstream, feature }: Cell, word: string) => `${upstream}, ${feature}: ${word}`;
      // Where several outcomes are acceptable, the seen one counts as expected.
      expect(cells.map((cell) => named(cell, cell.seen))).toEqual(
        cells.map((cell) => named(cell, cell.ok ? cell.seen : cell.expected)),
      );
    });
  });
}
