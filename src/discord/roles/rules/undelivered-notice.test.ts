import { expect, test } from 'vitest';
import { undeliveredNotice } from './explanation.ts';

const leaving = { roleState: 'grace', answer: 'does-not-hold' } as const;

test.each([
  ['direct-message-failed', 'did not reach you: Discord could not deliver it'],
  ['direct-messages-closed', 'did not reach you: your Discord does not accept it'],
] as const)(
  'rulings R5: a member reads that the message before the end of the role did not arrive (%s)',
  (failure, words) => {
    expect(undeliveredNotice({ ...leaving, noticeFailure: failure }).join()).toContain(words);
  },
);

test.each([
  ['it arrived', { ...leaving, noticeFailure: null }],
  ['the role stays', { roleState: 'holder', answer: 'holds', noticeFailure: 'direct-messages-closed' } as const],
])('nothing is said when %s', (_why, member) => {
  expect(undeliveredNotice(member)).toEqual([]);
});
