import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** It waits for processes and leases, and is short to read: by size, as Vitest goes where nothing was measured, it comes last. */
const longest = '/two-copies.test.ts';

/** What takes longest begins first, so that nobody waits for a single file in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(longest);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}
