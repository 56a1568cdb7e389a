import { expect, test } from 'vitest';
import { setupProcess, usageCommands } from './usage-instructions.tsx';

test('specification 2: the usage instructions list these commands and a setup process of 7 steps', () => {
  expect(usageCommands.map(({ name }) => name)).toEqual([
    '/start',
    '/setup',
    '/floor',
    '/summary',
    '/tracking',
    '/remove',
    '/help',
  ]);
  expect(setupProcess).toHaveLength(7);
});
