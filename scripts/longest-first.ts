import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** It waits for processes, and is short to read: by size, as Vitest goes where nothing was measured, it comes last. */
const longest = '/two-copies.test.ts';
/** Its 6,000 servers take the processor to themselves: beside two copies, whose takeover is timed, it would make them late. */
const heaviest = '/discord-shards.test.ts';

/** What takes longest begins first, so that nobody waits for a single file in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const is =
      (ending: string) =>
      ({ moduleId }: TestSpecification): boolean =>
        moduleId.endsWith(ending);
    const sorted = await super.sort(files);
    const others = sorted.filter((file) => !is(longest)(file) && !is(heaviest)(file));
    const middle = Math.floor(others.length / 2);
    return [
      ...sorted.filter(is(longest)),
      ...others.slice(0, middle),
      ...sorted.filter(is(heaviest)),
      ...others.slice(middle),
    ];
  }
}
