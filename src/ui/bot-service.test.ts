import { describe, expect, test } from 'vitest';
import { type BotService, canCancelStart, botStateInWords } from './bot-service.tsx';

const texts = { failingWhileRunning: 'running', failingToStart: 'not running', stopped: 'stopped' };
type State = Pick<BotService, 'state' | 'wanted'>;
const running: State = { state: 'active', wanted: 'active' };

describe('rulings R4: the wanted and the real state', () => {
  test.each([
    ['active as wanted', running, true, null],
    ['inactive as wanted', { state: 'inactive', wanted: 'inactive' }, false, null],
    ['no token', { state: 'not-configured', wanted: 'inactive' }, false, 'Not configured'],
    ['starting', { state: 'starting', wanted: 'active' }, false, 'Starting'],
    ['failing to start', { state: 'failing', wanted: 'active' }, false, 'Failing'],
    ['failing while it runs', { state: 'failing', wanted: 'active' }, true, 'Failing'],
    ['wanted, not yet started', { state: 'inactive', wanted: 'active' }, false, 'Waiting to start'],
    ['no longer wanted, still running', { state: 'active', wanted: 'inactive' }, true, 'Shutting down'],
  ] as const)('%s', (_, status, isRunning, badge) => {
    expect(botStateInWords(status, isRunning, texts).badge).toBe(badge);
  });

  test('a requested start that does not succeed can be called off', () => {
    expect(canCancelStart({ ...running, state: 'failing' }, false)).toBe(true);
    expect(canCancelStart(running, true)).toBe(false);
    expect(canCancelStart({ state: 'inactive', wanted: 'inactive' }, false)).toBe(false);
  });

  test('so can the start of a bot whose token was removed: until then it counts as wanted, and its alarm fires', () => {
    const withoutToken: State = { state: 'not-configured', wanted: 'active' };
    expect(canCancelStart(withoutToken, false)).toBe(true);
    expect(botStateInWords(withoutToken, false, texts).text).toContain('no longer has a token');
    const stopped: State = { ...withoutToken, wanted: 'inactive' };
    expect(botStateInWords(stopped, false, texts).text).toBeNull();
    expect(canCancelStart(stopped, false)).toBe(false);
  });
});
