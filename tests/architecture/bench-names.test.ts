import { expect, test } from 'vitest';

import { startChild } from '../support/child.ts';

test('an unknown bench fails, and the existing ones are listed', async () => {
  const bench = startChild('bench/main.ts', ['visitor', '--quick'], {});
  expect(await bench.exited).toBe(1);
  expect(bench.output()).toContain('No such bench: visitor.');
  expect(bench.output()).toContain('  visitors: visitors-at-once, public-urls');
});

test('--help lists the benches and refuses nothing', async () => {
  const bench = startChild('bench/main.ts', ['--help'], {});
  expect(await bench.exited).toBe(0);
  expect(bench.output()).toMatch(/^The benches and their parts/);
});

test('an unknown picture fails before anything is started, and the existing ones are listed', async () => {
  const screenshots = startChild('scripts/screenshots.ts', ['home', 'cave'], {});
  expect(await screenshots.exited).toBe(1);
  expect(screenshots.output()).toMatch(/^No picture is called cave\. There are: home, .*payout, .*status-line\.\n$/);
});
