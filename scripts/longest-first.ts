import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for leases, limits and processes, and are short to read: by size, as Vitest goes where nothing was measured, they come last. */
const long = ['faults-chain-and-platforms', 'two-copies', 'telegram-crash', 'backup-product', 'attack'];

/** What takes longest begins first, so that nobody waits for a single file in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      long.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
