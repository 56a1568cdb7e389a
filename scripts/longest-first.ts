import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * They wait for processes and leases, and are short to read: by size, as Vitest goes where nothing was measured, they come last.
 * No more than half of the workers at once, because whole products run in them.
 */
const long = ['faults-chain-and-platforms', 'two-copies'];

/** What takes longest begins first, so that nobody waits for a single file in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      long.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
