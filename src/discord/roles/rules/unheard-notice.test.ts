import { expect, test } from 'vitest';
import { unheardNotice } from './explanation.ts';

const leaving = { roleState: 'grace', answer: 'does-not-hold' } as const;

test.each([
  ['direct-message-failed', 'member', 'did not reach you: Discord could not deliver it'],
  ['direct-message-failed', 'admin', 'did not reach the member: Discord could not deliver it'],
  ['direct-messages-closed', 'member', 'did not reach you: your Discord does not accept it'],
  ['direct-messages-closed', 'admin', 'did not reach the member, whose Discord does not accept it'],
] as const)(
  'rulings R5: a message before the end of a role that did not arrive (%s) is told to the %s',
  (failure, audience, words) => {
    expect(unheardNotice({ ...leaving, noticeFailure: failure }, audience).join()).toContain(words);
  },
);

test.each([
  ['it arrived', { ...leaving, noticeFailure: null }],
  ['the role stays', { roleState: 'holder', answer: 'holds', noticeFailure: 'direct-messages-closed' } as const],
])('nothing is told where %s', (_why, member) => {
  expect(unheardNotice(member, 'member')).toEqual([]);
});
