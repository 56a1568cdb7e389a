import { describe, expect, it } from 'vitest';
import { verificationOutcome } from './verification-texts.ts';

const looked = { answer: 'does-not-hold' } as const;
const notYet = { answer: null } as const;

describe('The outcome of a verification', () => {
  it.each([
    ['holds', [{ answer: 'holds' }, notYet], 'role-coming'],
    ['does-not-hold', [looked, looked], 'not-holding'],
    ['does-not-hold', [looked, notYet], 'unknown'],
    ['unknown', [looked], 'unknown'],
    [null, [notYet], 'unknown'],
  ] as const)('for the member’s answer %s and the wallets %o is %s', (answer, wallets, outcome) => {
    expect(verificationOutcome({ answer, wallets, isBotOff: false }, true)).toBe(outcome);
  });

  it("is 'not-set-up' in a server without a contract or a role", () => {
    expect(verificationOutcome({ answer: 'holds', wallets: [], isBotOff: false }, false)).toBe('not-set-up');
  });

  it.each([
    ['holds', 'bot-off'],
    ['unknown', 'bot-off'],
    ['does-not-hold', 'not-holding'],
  ] as const)('promises no role while the bot is shut down: %s is %s', (answer, outcome) => {
    expect(verificationOutcome({ answer, wallets: [{ answer }], isBotOff: true }, true)).toBe(outcome);
  });
});
