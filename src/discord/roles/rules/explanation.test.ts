import { describe, expect, it } from 'vitest';

import { explain, type ExplainedMember, foundText, nounsFor, undeliveredNotice } from './explanation.ts';
import { forDiscord, removalNotice } from '../../bot-texts.ts';

const rocks = nounsFor('Sui Rocks', true);
const pieces = { inWallet: 0, inKiosks: 0, kiosks: 0, atMarketplace: 0, listed: 0 };
const wallet = `0x${'ab'.repeat(32)}`;
const finding = { wallet, answer: 'does-not-hold', pieces: null, kioskCount: 2, reason: null } as const;
const member: ExplainedMember = {
  guildId: '1',
  guild: { nftName: 'Sui Rocks', roleName: 'Rock Holder', roleId: '5' },
  nouns: rocks,
  isInGuild: true,
  roleState: 'holder',
  hasRole: true,
  answer: 'holds',
  wallets: [
    { wallet, finding: { ...finding, answer: 'holds', pieces: { ...pieces, inWallet: 1 } }, authorizedUntil: null },
  ],
  firstNoAt: null,
  removalDueAt: null,
  roleChange: null,
  roleFailure: null,
  checkDueAt: null,
  now: new Date('2026-11-20T12:05:00Z'),
  recheckIntervalMs: 3_600_000,
  isBotOff: false,
};

describe('What was found, in words', () => {
  it.each([
    [{ inWallet: 1, inKiosks: 2, kiosks: 2, listed: 1 }, '3 rocks: 1 in your wallet, 2 in kiosks, 1 of them listed'],
    [{ inKiosks: 2, kiosks: 1 }, '2 rocks: 2 in a kiosk'],
    [{ inKiosks: 1, kiosks: 1, listed: 1 }, '1 rock: 1 in a kiosk, listed'],
    [{ atMarketplace: 1, listed: 1 }, '1 rock: 1 handed to a marketplace, listed'],
  ])('%o', (counts, text) => {
    expect(foundText({ ...pieces, ...counts }, rocks)).toBe(text);
  });

  it('calls the items of any other collection pieces', () => {
    const text = foundText({ ...pieces, inWallet: 2 }, nounsFor('Pebbles', false));
    expect(text).toBe('2 pieces of Pebbles: 2 in your wallet');
  });
});

describe('Why a member has the role or not: the rule, what was found, what follows', () => {
  it('a holder', () => {
    expect(explain(member)).toEqual([
      'The role "Rock Holder" is for those who hold at least 1 rock in any linked wallet; one in a kiosk or for sale counts too.',
      '0xabab…abab: 1 rock: 1 in your wallet.',
      'The role is given.',
    ]);
  });

  it.each([
    [{ hasRole: false, roleChange: 'being-given' }, 'The role is on its way.'],
    [
      { hasRole: false, roleChange: 'given' },
      'removed the role by hand: the bot gives it back with the next check, in an hour at the latest.',
    ],
    [
      { hasRole: false, roleChange: 'given', checkDueAt: new Date('2026-11-20T12:10:00Z') },
      'next check, at 2026-11-20 12:10 UTC.',
    ],
    [
      { hasRole: null, roleChange: null, checkDueAt: new Date('2026-11-20T11:00:00Z') },
      'The role is given with the next check, any moment now.',
    ],
    [{ hasRole: false, roleFailure: 'Give the bot Manage Roles.' }, 'role change failed: Give the bot Manage Roles.'],
    [
      { roleState: 'doubt', firstNoAt: new Date('2026-11-20T12:00:00Z') },
      'a second check (2026-11-20 12:10 UTC) finds',
    ],
    [{ roleState: 'doubt', firstNoAt: new Date('2026-11-20T11:50:00Z') }, 'a second check (any moment now) finds'],
    [{ roleState: 'grace', removalDueAt: new Date('2026-11-20T13:00:00Z') }, 'ends at 2026-11-20 13:00 UTC'],
    [{ roleState: 'braked' }, 'an admin decides first'],
    [{ roleState: 'kept' }, 'An admin decided that the role stays'],
    [{ roleState: 'none', answer: 'does-not-hold', hasRole: false }, 'with your first rock'],
    [{ roleState: 'none', answer: 'does-not-hold', hasRole: true }, 'leaves it alone'],
    [{ roleState: 'kept', answer: 'does-not-hold', hasRole: false }, 'You get the role with your first rock'],
    [{ isInGuild: false }, 'not in the server'],
    [
      { isBotOff: true, hasRole: false, roleChange: 'being-given' },
      'The bot is shut down: the role comes when it runs again.',
    ],
    [{ isBotOff: true }, 'The bot is shut down: no role is given or removed until it runs again.'],
    [{ isBotOff: true, roleState: 'none', answer: 'does-not-hold', hasRole: false }, 'until it runs again.'],
    [{ isBotOff: true, roleFailure: 'Give the bot Manage Roles.' }, 'Give the bot Manage Roles.'],
    [{ roleFailure: 'Give the bot Manage Roles.' }, 'Give the bot Manage Roles.'],
  ] as const)('%o', (given, words) => {
    expect(explain({ ...member, ...given }).at(-1)).toContain(words);
  });

  it('never says that the role is given to a member without a linked wallet', () => {
    const sentences = explain({ ...member, wallets: [] });
    expect(sentences.join(' ')).not.toContain('The role is given');
    expect(sentences.at(-1)).toContain('It ends unless you link a wallet with a piece');
    expect(explain({ ...member, wallets: [], hasRole: false })).toHaveLength(2);
  });

  it('promises no role to a member without a linked wallet', () => {
    const sentences = explain({ ...member, roleState: 'none', answer: 'does-not-hold', hasRole: false, wallets: [] });
    expect(sentences.slice(1)).toEqual(['You have not linked a wallet yet: use /verify.']);
  });

  it('says what was checked, what could not be read, and until when a wallet is authorized', () => {
    const sentences = explain({
      ...member,
      wallets: [
        { wallet, finding, authorizedUntil: null },
        { wallet, finding: { ...finding, answer: 'unknown', kioskCount: null }, authorizedUntil: 'always' },
        { wallet, finding: null, authorizedUntil: new Date('2026-12-01T00:00:00Z') },
      ],
    });
    expect(sentences.slice(1, 4)).toEqual([
      '0xabab…abab: no rocks found; checked in your wallet, in its 2 kiosks and at the marketplace.',
      '0xabab…abab: could not be read now, so nothing was changed; it is checked again automatically. The team authorized it: that counts as holding.',
      '0xabab…abab: not checked yet. The team authorized it until 2026-12-01 00:00 UTC: that counts as holding.',
    ]);
  });

  it.each([
    [0, 'in kiosks (you have none)'],
    [1, 'in its kiosk'],
    [null, 'in kiosks'],
  ])('says that kiosks were checked when their number is %s', (kioskCount, place) => {
    const wallets = [{ wallet, finding: { ...finding, kioskCount }, authorizedUntil: null }];
    const words = `checked in your wallet, ${place} and at the marketplace.`;
    expect(explain({ ...member, wallets })[1]).toContain(words);
  });

  it('promises no time of a check while the wallets cannot be read', () => {
    const last = (given: Partial<ExplainedMember>) => explain({ ...member, answer: 'unknown', ...given }).at(-1);
    expect(last({ roleState: 'doubt', firstNoAt: new Date('2026-11-20T12:00:00Z') })).toBe(
      'The role stays for now. It ends only if a second check, as soon as the wallets can be read again and not before 2026-11-20 12:10 UTC, finds nothing either.',
    );
    expect(last({ roleState: 'doubt', firstNoAt: new Date('2026-11-20T11:00:00Z') })).toBe(
      'The role stays for now. It ends only if a second check, as soon as the wallets can be read again, finds nothing either.',
    );
    expect(last({ roleState: 'grace', removalDueAt: new Date('2026-11-20T12:00:00Z') })).toBe(
      'Two checks found nothing, but now the wallets cannot be read: the role stays until they can be, and ends only if another check finds nothing either.',
    );
  });

  it('names no end of the role that has passed: the removal waits, for Discord or for a last check', () => {
    const grace = { ...member, roleState: 'grace', answer: 'does-not-hold' } as const;
    const removalDueAt = new Date(grace.now.getTime() - 60_000);
    expect(explain({ ...grace, removalDueAt }).at(-1)).toBe(
      'Two checks found nothing, so the role ends soon, unless a piece is found first.',
    );
  });

  it.each([
    [3_600_000, 'within an hour;'],
    [21_600_000, 'within 6 hours;'],
    [1_800_000, 'within 30 minutes;'],
    [60_000, 'within a minute;'],
    [2_000, 'within 2 seconds;'],
  ])('says that everyone is checked every %i ms', (recheckIntervalMs, words) => {
    const given = { roleState: 'none', answer: 'does-not-hold', hasRole: false, recheckIntervalMs } as const;
    expect(explain({ ...member, ...given }).at(-1)).toContain(words);
  });

  it('says that a role deleted in Discord is gone and that another one must be chosen', () => {
    const gone = {
      ...member,
      guild: { ...member.guild, roleName: null },
      hasRole: false,
      roleFailure: 'The role is gone.',
    };
    expect(explain(gone)).toEqual([
      'The role for holders of Sui Rocks is gone: it was deleted in Discord, so nobody has it. Someone with Manage Server must choose another with /setup.',
      '0xabab…abab: 1 rock: 1 in your wallet.',
      'You get the new role as soon as one is chosen.',
    ]);
    for (const roleState of ['doubt', 'grace', 'braked', 'kept', 'none'] as const)
      expect(explain({ ...gone, roleState })).toHaveLength(2);
  });

  it.each([
    [
      'marketplace-key-missing',
      'could not be checked completely, because the team has to finish the setup first; nothing was changed.',
    ],
    ['too-many-kiosks', 'is still found, and the team can authorize the wallet.'],
    ['too-many-objects', 'is still found, and the team can authorize the wallet.'],
  ])('does not promise an automatic retry for a wallet with %s', (reason, words) => {
    const unread = { ...finding, answer: 'unknown', kioskCount: null, reason } as const;
    const said = explain({ ...member, wallets: [{ wallet, finding: unread, authorizedUntil: null }] })[1];
    expect(said).toContain(words);
    expect(said).not.toContain('again automatically');
  });

  it('says when a server has no contract or no role', () => {
    expect(explain({ ...member, guild: { ...member.guild, nftName: null } })).toEqual([
      expect.stringContaining('not set up yet'),
    ]);
    expect(explain({ ...member, guild: { ...member.guild, roleName: null, roleId: '' } })[0]).toContain(
      'no role is chosen yet',
    );
  });
});

describe('The direct message before a role ends', () => {
  it('says what happened, until when, and what to do; foreign names are not formatted and ping no one', () => {
    const text = removalNotice({
      guildName: '@everyone **free** https://evil.example',
      roleName: '<@&5>',
      nouns: rocks,
      endsAt: new Date('2026-11-20T13:00:00Z'),
    });
    expect(text).toContain('ends at 2026-11-20 13:00 UTC');
    expect(text).toContain('/why');
    expect(text).toContain('/verify');
    expect(text).not.toMatch(/(?<!\\)@everyone|\*\*free|https:\/\/|(?<!\\)<@&/);
    expect(forDiscord('a_b')).toBe('a\\_b');
  });

  it('fits into one message of Discord with the longest names', () => {
    const name = '*'.repeat(100);
    const nouns = nounsFor(name, false);
    const text = removalNotice({ guildName: name, roleName: name, nouns, endsAt: new Date(0) });
    expect(text.length).toBeLessThanOrEqual(2_000);
  });
});

const leaving = { roleState: 'grace', answer: 'does-not-hold' } as const;

it.each([
  ['direct-message-failed', 'did not reach you: Discord could not deliver it'],
  ['direct-messages-closed', 'did not reach you: your Discord does not accept it'],
] as const)(
  'rulings R5: a member reads that the message before the end of the role did not arrive (%s)',
  (failure, words) => {
    expect(undeliveredNotice({ ...leaving, noticeFailure: failure }).join()).toContain(words);
  },
);

it.each([
  ['it arrived', { ...leaving, noticeFailure: null }],
  ['the role stays', { roleState: 'holder', answer: 'holds', noticeFailure: 'direct-messages-closed' } as const],
])('nothing is said when %s', (_why, member) => {
  expect(undeliveredNotice(member)).toEqual([]);
});
