import { expect, test } from 'vitest';

import { startChild } from '../support/child.ts';

test('an unknown bench fails, and the existing ones are listed', async () => {
  const bench = startChild('bench/main.ts', ['visitor', '--quick'], {});
  expect(await bench.exited).toBe(1);
  expect(bench.output()).toContain('No such bench: visitor.');
  expect(bench.output()).toContain('  visitors: visitors-at-once, public-urls');
});
