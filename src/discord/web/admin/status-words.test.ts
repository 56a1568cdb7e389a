import { describe, expect, test } from 'vitest';
import type { DiscordStatus } from './discord-answers.ts';
import { isTryingInVain, stateInWords } from './status-words.ts';

const status = (more: Partial<DiscordStatus> = {}): DiscordStatus => ({
  online: true,
  state: 'active',
  wanted: 'active',
  username: 'sui-rocks',
  id: '1',
  since: null,
  lastError: null,
  guildCount: 0,
  ...more,
});

describe('the state beyond online and offline', () => {
  test.each([
    [{}, null],
    [{ online: false, state: 'inactive', wanted: 'inactive' }, null],
    [{ online: false, state: 'not-configured', wanted: 'inactive' }, 'Not configured'],
    [{ online: false, state: 'starting' }, 'Starting'],
    [{ online: false, state: 'failing' }, 'Failing'],
    [{ online: true, state: 'failing' }, 'Failing'],
    [{ online: false, state: 'inactive' }, 'Waiting to start'],
    [{ wanted: 'inactive' }, 'Shutting down'],
  ] as const)('%j is %s', (more, badge) => {
    expect(stateInWords(status(more)).badge).toBe(badge);
  });

  test('a stopped bot says what is shown and what ‘Start’ does', () => {
    const { badge, text } = stateInWords(status({ online: false, state: 'inactive', wanted: 'inactive' }));
    expect(badge).toBeNull();
    expect(text).toContain('‘Start’ brings it online');
    expect(text).toContain('from its last run');
  });

  test('a failing bot says whether it is online all the same', () => {
    expect(stateInWords(status({ state: 'failing' })).text).toContain('is online, but');
    expect(stateInWords(status({ state: 'failing', online: false })).text).toContain('should be online but cannot');
  });
});

test('a start can be called off only while it was asked for and did not come to anything', () => {
  expect(isTryingInVain(status({ online: false, state: 'failing' }))).toBe(true);
  expect(isTryingInVain(status())).toBe(false);
  expect(isTryingInVain(status({ online: false, wanted: 'inactive', state: 'inactive' }))).toBe(false);
});

test('so can the start of a bot whose token was taken away: until then it counts as wanted, and its alarm rings', () => {
  const withoutToken = status({ online: false, state: 'not-configured' });
  expect(isTryingInVain(withoutToken)).toBe(true);
  expect(stateInWords(withoutToken).text).toContain('no longer has a token');
  expect(stateInWords({ ...withoutToken, wanted: 'inactive' }).text).toBeNull();
  expect(isTryingInVain({ ...withoutToken, wanted: 'inactive' })).toBe(false);
});
