import { describe, expect, it } from 'vitest';
import { verificationOutcome } from './verification-texts.ts';

const looked = { answer: 'does-not-hold' } as const;
const notYet = { answer: null } as const;

describe('What a verification has come to', () => {
  it.each([
    ['holds', [{ answer: 'holds' }, notYet], 'role-coming'],
    ['does-not-hold', [looked, looked], 'not-holding'],
    ['does-not-hold', [looked, notYet], 'unknown'],
    ['unknown', [looked], 'unknown'],
    [null, [notYet], 'unknown'],
  ] as const)('is, when the member %s and the wallets are %o: %s', (answer, wallets, outcome) => {
    expect(verificationOutcome({ answer, wallets }, true)).toBe(outcome);
  });

  it('is nothing yet in a server without a contract or a role', () => {
    expect(verificationOutcome({ answer: 'holds', wallets: [{ answer: 'holds' }] }, false)).toBe('not-set-up');
  });
});
