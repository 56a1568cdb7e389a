import { describe, expect, test } from 'vitest';
import { isTryingInVain, stateInWords, waitingInWords } from './status-words.ts';
import type { TelegramStatus } from './telegram-calls.ts';

const status = (more: Partial<TelegramStatus> = {}): TelegramStatus => ({
  active: true,
  configCount: 1,
  state: 'active',
  wanted: 'active',
  username: 'rocks_bot',
  since: null,
  lastError: null,
  mode: 'polling',
  pendingCount: 0,
  oldestPendingSeconds: null,
  marketOutage: null,
  ...more,
});

describe('rulings R4: the wanted and the real state', () => {
  test.each([
    ['active as wanted', {}, null],
    ['inactive as wanted', { active: false, state: 'inactive', wanted: 'inactive' }, null],
    ['no token', { active: false, state: 'not-configured', wanted: 'inactive' }, 'Not configured'],
    ['starting', { active: false, state: 'starting' }, 'Starting'],
    ['failing', { active: false, state: 'failing' }, 'Failing'],
    ['wanted, not yet begun', { active: false, state: 'inactive' }, 'Waiting to start'],
    ['no longer wanted, still running', { wanted: 'inactive' }, 'Shutting down'],
  ] as const)('%s', (_, more, badge) => {
    expect(stateInWords(status(more)).badge).toBe(badge);
  });

  test('a start that is wanted and does not succeed can be called off', () => {
    expect(isTryingInVain(status({ active: false, state: 'failing' }))).toBe(true);
    expect(isTryingInVain(status({ active: false, state: 'inactive', wanted: 'inactive' }))).toBe(false);
    expect(isTryingInVain(status())).toBe(false);
  });

  test('so can one whose token was taken away: until then it counts as wanted, and its alarm rings', () => {
    const withoutToken = status({ active: false, state: 'not-configured' });
    expect(isTryingInVain(withoutToken)).toBe(true);
    expect(stateInWords(withoutToken).text).toContain('no longer has a token');
    expect(stateInWords({ ...withoutToken, wanted: 'inactive' }).text).toBeNull();
    expect(isTryingInVain({ ...withoutToken, wanted: 'inactive' })).toBe(false);
  });
});

test('waiting messages are told with the age of the oldest', () => {
  expect(waitingInWords(status())).toBe('None');
  expect(waitingInWords(status({ pendingCount: 3, oldestPendingSeconds: 725 }))).toBe('3, the oldest for 12 min');
});
