import { expect, test } from 'vitest';

import { startChild } from '../support/child.ts';

test('an unknown bench fails, and the existing ones are listed', async () => {
  const bench = startChild('bench/main.ts', ['visitor', '--quick'], {});
  expect(await bench.exited).toBe(1);
  expect(bench.output()).toContain('No such bench: visitor.');
  expect(bench.output()).toContain('  visitors: visitors-at-once, public-urls');
});

test('an unknown picture fails before anything is started, and the existing ones are listed', async () => {
  const screenshots = startChild('scripts/screenshots.ts', ['home', 'cave'], {});
  expect(await screenshots.exited).toBe(1);
  expect(screenshots.output()).toMatch(/^No picture is called cave\. There are: home, .*payout, .*status-line\.\n$/);
});
