import { expect, test } from 'vitest';
import { botStateInWords } from '../../../ui/bot-service.tsx';
import { stateTexts } from './discord-tab.tsx';

test('the text of a stopped bot says what is shown and what ‘Start’ does', () => {
  const { badge, text } = botStateInWords({ state: 'inactive', wanted: 'inactive' }, false, stateTexts);
  expect(badge).toBeNull();
  expect(text).toContain('‘Start’ brings it online');
  expect(text).toContain('Any details below are from its last run');
});

test('the text of a failing bot says whether it is still online', () => {
  const failing = { state: 'failing', wanted: 'active' } as const;
  expect(botStateInWords(failing, true, stateTexts).text).toContain('is online, but');
  expect(botStateInWords(failing, false, stateTexts).text).toContain('should be online but cannot');
});
