import { expect, test } from 'vitest';
import { setupProcess, usageCommands, waitingInWords } from './telegram-tab.tsx';
import { telegramStatus } from './telegram-calls.ts';

test('waiting messages are shown with the age of the oldest', () => {
  const status = telegramStatus.parse({ active: true });
  expect(waitingInWords({ ...status, pendingCount: 0 })).toBe('None');
  expect(waitingInWords({ ...status, pendingCount: 3, oldestPendingSeconds: 725 })).toBe('3, the oldest for 12 min');
});

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

test('the usage instructions describe each command as the menu in Telegram does', () => {
  const texts = new Map(usageCommands.map(({ name, text }) => [name, text]));
  expect(texts.get('/floor')).toBe('The floor price right now');
  expect(texts.get('/tracking')).toBe('Choose what gets posted (group admins)');
});
