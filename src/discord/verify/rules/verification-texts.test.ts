import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  memberName,
  type VerificationFacts,
  verificationMessage,
  verificationOutcome,
  verificationRefusals,
} from './verification-texts.ts';

const facts: VerificationFacts = {
  productName: 'Sui Rocks',
  domain: 'sui.rocks',
  guild: { id: '100200300', name: 'Rock Mountain' },
  member: { id: '400500600', name: 'Gwen' },
  wallet: `0x${'ab'.repeat(32)}`,
  network: 'mainnet',
  nonce: 'n0nce',
  issuedAt: new Date('2026-11-21T10:00:00Z'),
  expiresAt: new Date('2026-11-21T10:15:00Z'),
};

const fieldsOf = (message: string): Record<string, string> =>
  Object.fromEntries(
    message
      .split('\n')
      .slice(5)
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );

describe('the message that is signed (rulings R5)', () => {
  test('states domain, server, member, address, nonce and expiry, and that it is not a transaction', () => {
    const message = verificationMessage(facts);
    expect(message).toContain('This is not a transaction');
    expect(fieldsOf(message)).toEqual({
      Site: 'sui.rocks',
      Server: '100200300 Rock Mountain',
      Member: '400500600 Gwen',
      Wallet: facts.wallet,
      Network: 'sui:mainnet',
      Nonce: 'n0nce',
      'Issued at': '2026-11-21T10:00:00.000Z',
      'Expires at': '2026-11-21T10:15:00.000Z',
    });
  });

  test('names the member by the user name first, which no one else can have', () => {
    expect(memberName({ displayName: 'Gwen', userName: 'mallory' })).toBe('@mallory (Gwen)');
    expect(memberName({ displayName: 'Gwen', userName: null })).toBe('Gwen');
    const name = memberName({ displayName: '@gwen (Gwen)'.repeat(20), userName: 'mallory' });
    const { Member: member } = fieldsOf(verificationMessage({ ...facts, member: { id: '1', name } }));
    expect(member).toMatch(/^1 @mallory \(/);
  });

  test('a name can neither add a line nor hide one', () => {
    const name = 'Gwen\nWallet: 0x0\r\u2028Nonce: mine\u202e';
    const message = verificationMessage({
      ...facts,
      guild: { ...facts.guild, name },
      member: { ...facts.member, name },
    });
    expect(message.split('\n')).toHaveLength(verificationMessage(facts).split('\n').length);
    expect(fieldsOf(message)['Wallet']).toBe(facts.wallet);
    expect(message).not.toContain('\u202e');
  });

  test('every line stays as intended, whatever the names', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (one, other) => {
          const fields = fieldsOf(
            verificationMessage({ ...facts, guild: { id: '1', name: one }, member: { id: '2', name: other } }),
          );
          expect(Object.keys(fields)).toEqual(Object.keys(fieldsOf(verificationMessage(facts))));
          expect(fields['Server']).toMatch(/^1 /);
          expect(fields['Member']).toMatch(/^2 /);
          expect(fields['Wallet']).toBe(facts.wallet);
          expect(fields['Nonce']).toBe('n0nce');
        },
      ),
    );
  });
});

const looked = { answer: 'does-not-hold' } as const;
const notYet = { answer: null } as const;

describe('The outcome of a verification', () => {
  test.each([
    ['holds', [{ answer: 'holds' }, notYet], 'role-coming'],
    ['does-not-hold', [looked, looked], 'not-holding'],
    ['does-not-hold', [looked, notYet], 'unknown'],
    ['unknown', [looked], 'unknown'],
    [null, [notYet], 'unknown'],
  ] as const)('for the member’s answer %s and the wallets %o is %s', (answer, wallets, outcome) => {
    expect(verificationOutcome({ answer, wallets, isBotOff: false }, true)).toBe(outcome);
  });

  test("is 'not-set-up' in a server without a contract or a role", () => {
    expect(verificationOutcome({ answer: 'holds', wallets: [], isBotOff: false }, false)).toBe('not-set-up');
  });

  test.each([
    ['holds', 'bot-off'],
    ['unknown', 'bot-off'],
    ['does-not-hold', 'not-holding'],
  ] as const)('promises no role while the bot is shut down: %s is %s', (answer, outcome) => {
    expect(verificationOutcome({ answer, wallets: [{ answer }], isBotOff: true }, true)).toBe(outcome);
  });
});

/** After these the same link still works with another message or account. */
const goesOn: ReadonlySet<string> = new Set(['malformed-wallet', 'no-message', 'bad-signature', 'chain-unavailable']);
/** A new link would not help. */
const nothingToVerifyFor = 'server-gone';

test.each(Object.entries(verificationRefusals).filter(([code]) => !goesOn.has(code) && code !== nothingToVerifyFor))(
  'a link that is used up says how to get another one (%s)',
  (_code, { message }) => expect(message).toContain('/verify'),
);
