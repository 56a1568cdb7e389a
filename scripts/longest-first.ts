import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** It waits for processes but is a short file: without recorded times Vitest sorts by size and would run it last. */
const longest = '/two-copies.test.ts';
/** Its 6,000 servers need a whole processor: next to the two-copies test it would delay the takeovers measured there. */
const heaviest = '/discord-shards.test.ts';

/** Starts the longest file first, so the run does not end waiting for it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(longest);
    const isHeaviest = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(heaviest);
    const sorted = await super.sort(files);
    const others = sorted.filter((file) => !isLongest(file) && !isHeaviest(file));
    const middle = Math.floor(others.length / 2);
    return [
      ...sorted.filter(isLongest),
      ...others.slice(0, middle),
      ...sorted.filter(isHeaviest),
      ...others.slice(middle),
    ];
  }
}
