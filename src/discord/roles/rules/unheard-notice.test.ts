import { expect, test } from 'vitest';
import { unheardNotice } from './explanation.ts';

const leaving = { roleState: 'grace', answer: 'does-not-hold' } as const;
const dropped = (failure: string) => ({ kind: 'direct-message', cause: 'role-ends', state: 'dropped', failure });

test.each([
  ['direct-message-failed', 'did not reach you: Discord could not deliver it'],
  ['direct-messages-closed', 'did not reach you: your Discord does not accept it'],
] as const)('rulings R5: a message before the end of a role that did not arrive (%s) is told', (failure, words) => {
  expect(unheardNotice(leaving, [dropped(failure)]).join()).toContain(words);
});

test.each([
  ['it arrived', leaving, { ...dropped(''), state: 'done', failure: null }],
  ['the role stays', { roleState: 'holder', answer: 'holds' } as const, dropped('direct-messages-closed')],
  ['it was about a payout', leaving, { ...dropped('direct-messages-closed'), cause: 'payout-paid' }],
  ['it is something else that failed', leaving, { ...dropped('direct-messages-closed'), kind: 'remove-role' }],
])('nothing is told where %s', (_why, member, action) => {
  expect(unheardNotice(member, [action])).toEqual([]);
});
