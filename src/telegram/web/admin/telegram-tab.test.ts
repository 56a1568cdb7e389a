import { expect, test } from 'vitest';
import { waitingInWords } from './telegram-tab.tsx';
import { telegramStatus } from './telegram-calls.ts';

test('waiting messages are shown with the age of the oldest', () => {
  const status = telegramStatus.parse({ active: true });
  expect(waitingInWords({ ...status, pendingCount: 0 })).toBe('None');
  expect(waitingInWords({ ...status, pendingCount: 3, oldestPendingSeconds: 725 })).toBe('3, the oldest for 12 min');
});
