import { describe, expect, test } from 'vitest';
import { type BotService, canCancelStart, botStateInWords } from './bot-service.tsx';

const texts = { failingWhileRunning: 'running', failingToStart: 'not running', stopped: 'stopped' };
type State = Pick<BotService, 'state' | 'wanted' | 'since' | 'lastError'>;
const [noon, later] = ['2026-11-30T12:00:00.000Z', '2026-11-30T12:10:00.000Z'];
const never = { since: null, lastError: null };
const running: State = { state: 'active', wanted: 'active', since: noon, lastError: null };

describe('rulings R4: the wanted and the real state', () => {
  test.each([
    ['active as wanted', running, true, null],
    ['active after an error', { ...running, since: later, lastError: { message: 'x', at: noon } }, true, null],
    ['active, but without updates', { ...running, lastError: { message: 'x', at: later } }, true, 'Failing'],
    ['inactive as wanted', { ...never, state: 'inactive', wanted: 'inactive' }, false, null],
    ['no token', { ...never, state: 'not-configured', wanted: 'inactive' }, false, 'Not configured'],
    ['starting', { ...never, state: 'starting', wanted: 'active' }, false, 'Starting'],
    ['failing to start', { ...never, state: 'failing', wanted: 'active' }, false, 'Failing'],
    ['failing while it runs', { ...never, state: 'failing', wanted: 'active' }, true, 'Failing'],
    ['wanted, not yet started', { ...never, state: 'inactive', wanted: 'active' }, false, 'Waiting to start'],
    ['no longer wanted, still running', { ...never, state: 'active', wanted: 'inactive' }, true, 'Shutting down'],
  ] as const)('%s', (_, status, isRunning, badge) => {
    expect(botStateInWords(status, isRunning, texts).badge).toBe(badge);
  });

  test('a requested start that does not succeed can be called off', () => {
    expect(canCancelStart({ ...running, state: 'failing' }, false)).toBe(true);
    expect(canCancelStart(running, true)).toBe(false);
    expect(canCancelStart({ ...never, state: 'inactive', wanted: 'inactive' }, false)).toBe(false);
  });

  test('so can the start of a bot whose token was removed: until then it counts as wanted, and its alarm fires', () => {
    const withoutToken: State = { ...never, state: 'not-configured', wanted: 'active' };
    expect(canCancelStart(withoutToken, false)).toBe(true);
    expect(botStateInWords(withoutToken, false, texts).text).toContain('no longer has a token');
    const stopped: State = { ...withoutToken, wanted: 'inactive' };
    expect(botStateInWords(stopped, false, texts).text).toBeNull();
    expect(canCancelStart(stopped, false)).toBe(false);
  });
});
