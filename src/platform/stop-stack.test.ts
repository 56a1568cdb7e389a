import { expect, it } from 'vitest';

import { createStopStack } from './stop-stack.ts';

it('stops in reverse, each once, also when one fails', async () => {
  const events: string[] = [];
  const stack = createStopStack({
    error: (details) => events.push(`failed ${'part' in details ? String(details.part) : ''}`),
  });
  stack.add('database', () => void events.push('database'));
  stack.add('treasury', () => Promise.reject(new Error('no')));
  stack.add('server', async () => void events.push('server'));
  await Promise.all([stack.stopAll(), stack.stopAll()]);
  expect(events).toEqual(['server', 'failed treasury', 'database']);
});
