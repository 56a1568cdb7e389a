import { describe, expect, test } from 'vitest';

import type { MemberExplanation } from './members-contract.ts';
import {
  auditReason,
  confirmDeletionText,
  deletedText,
  helpText,
  linesWithin,
  plainForDiscord,
  statsText,
  unlinkedText,
  verifyText,
  walletsText,
  whyText,
} from './bot-texts.ts';
import { verificationRefusals } from './verify/rules/verification-texts.ts';
import { walletsMax } from './roles/rules/findings.ts';
import { commands } from './commands/commands.ts';

const hostile = '@everyone **[free](https://evil.example)** <@&1>';
const wallet = (at: number) => ({
  wallet: `0x${String(at).padStart(64, '0')}`,
  linkedAt: '2026-11-20T12:00:00.000Z',
  answer: 'holds' as const,
  found: `1 piece of ${hostile}`,
  authorizedUntil: null,
});

const explained: MemberExplanation = {
  member: { userId: '60000000000000001', displayName: 'Gwen' },
  isInGuild: true,
  roleState: 'grace',
  hasRole: true,
  answer: 'does-not-hold',
  answeredAt: null,
  nextCheckAt: null,
  wantsPayoutMessages: false,
  removalDueAt: null,
  isBotOff: false,
  sentences: [],
  wallets: [],
};

const figures = {
  memberCount: 1,
  verifiedCount: 0,
  roleHolderCount: 0,
  walletCount: 0,
  lastSweepAt: null,
  lastSweep: null,
};

describe('What the bot says in Discord', () => {
  test('shows foreign names without links, mentions or formatting', () => {
    const own = walletsText({ wallets: [wallet(1)], wantsPayoutMessages: true }, 'https://rocks.example').replaceAll(
      /\]\(https:\/\/rocks\.example\/holders\/0x[0-9a-f]+\)/g,
      '',
    );
    for (const text of [statsText(hostile, figures), own]) {
      expect(text).not.toMatch(/\]\(|<@&|https:\/\//);
    }
  });

  test('shows the figures of a server under its collection’s name, or that it is not set up', () => {
    expect(statsText('Sui Rocks', figures)).toMatch(/^\*\*Sui Rocks\*\*\nMembers: /);
    expect(statsText(null, figures)).toContain('not set up');
    expect(statsText('Sui Rocks', { ...figures, memberCount: null })).toContain('\nMembers: not known\n');
    const statsAfter = (lastSweep: { checked: number; failure: string | null }) =>
      statsText('Sui Rocks', { ...figures, lastSweepAt: new Date(0), lastSweep });
    expect(statsAfter({ checked: 5, failure: 'marketplace-key-missing' })).toContain('All members last checked: <t:0');
    expect(statsAfter({ checked: 0, failure: null })).toContain('All members last checked: <t:0');
    expect(statsAfter({ checked: 0, failure: 'node-unavailable' })).toContain('No member could be checked <t:0');
  });

  test('names every command in /help, and where verification happens', () => {
    const text = helpText('https://rocks.example', commands);
    for (const { name, description } of commands) {
      expect(text).toContain(`**/${name}** ${description}`);
      expect(description.length).toBeLessThanOrEqual(100);
    }
    expect(text).toContain('only at https://rocks.example');
  });

  test('says when a link expires and how it must begin', () => {
    const text = verifyText('https://rocks.example', new Date('2026-11-20T12:15:00.000Z'), true);
    expect(text).toContain('<t:1795176900:R>');
    expect(text).toContain('https://rocks.example/verify/');
    expect(text).toContain('not a transaction');
  });

  test('links each wallet of /wallets to its rocks', () => {
    const linked = wallet(1);
    expect(walletsText({ wallets: [linked], wantsPayoutMessages: false }, 'https://rocks.example')).toContain(
      `](https://rocks.example/holders/${linked.wallet})`,
    );
  });

  test('names the team, not the admins of the server, as those who see, authorize and unlink wallets', () => {
    const wallets = [{ ...wallet(1), authorizedUntil: 'always' as const }];
    const text = walletsText({ wallets, wantsPayoutMessages: false }, 'https://rocks.example');
    expect(text).toContain('Authorized by the team.');
    expect(text).toContain('The team and this bot can see these addresses; other members cannot.');
    expect(verificationRefusals['wallet-taken'].message).toContain('if not, ask the team.');
  });

  test('shows every wallet in /wallets, up to the most a member may link', () => {
    const found = '12 rocks: 2 in your wallet, 10 in kiosks, 3 of them listed';
    const wallets = Array.from({ length: walletsMax }, (_, at) => ({ ...wallet(at), found }));
    const text = walletsText({ wallets, wantsPayoutMessages: true }, 'https://rocks.example');
    expect(text.match(/`0x[^\n]*: 12 rocks: /g)).toHaveLength(walletsMax);
  });

  test('fits into one message, in whole lines', () => {
    const wallets = Array.from({ length: 200 }, (_, at) => wallet(at));
    const text = walletsText({ wallets, wantsPayoutMessages: true }, 'https://rocks.example');
    expect(text).toContain('when a payout pays one of them: on');
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/\n…\n\nThe pieces in an unlinked [^\n]* other members cannot\.$/);
    const afterOne = walletsText({ wallets, wantsPayoutMessages: true }, 'https://rocks.example', [
      unlinkedText(wallets[0]!.wallet, { roleState: 'braked', hasRole: true, wallets }),
      '',
    ]);
    expect(afterOne).toMatch(/^Unlinked `0x/);
    expect(afterOne.length).toBeLessThanOrEqual(2_000);
    expect(linesWithin(['a', 'b'])).toBe('a\nb');
  });

  test.each([
    ['holder', 0, /you lose the role after a second check/],
    ['kept', 0, /you lose the role after a second check/],
    ['kept', 1, /counts\. An admin decided that the role stays\.$/],
    [
      'braked',
      0,
      /counts\. Many roles would have ended at once, so an admin decides first\. The role stays until then\.$/,
    ],
    ['none', 0, /it no longer counts\.$/],
  ] as const)('says what follows from unlinking a wallet: %s with %i left', (roleState, count, effect) => {
    const wallets = Array.from({ length: count }, (_, at) => wallet(at));
    expect(unlinkedText(wallet(9).wallet, { roleState, hasRole: roleState !== 'none', wallets })).toMatch(effect);
  });

  test('says that a deletion ends a role that a member has as a holder, not one that somebody else gave them', () => {
    expect(confirmDeletionText).toContain('The bot removes any role that you have as a holder');
    expect(deletedText).toContain('the bot removes any role that you had as a holder, as soon as Discord lets it.');
  });

  test('leaves out some of many wallets in /why, but never the conclusion', () => {
    const wallets = Array.from({ length: 20 }, (_, at) => wallet(at));
    const found = wallets.map(
      (_, at) => `0x${at}: no rocks found; ${'looked everywhere, '.repeat(6)}and nowhere else.`,
    );
    const text = whyText({
      ...explained,
      wallets,
      sentences: ['The rule.', ...found, 'The role ends at 2026-11-20 12:34 UTC.'],
      answeredAt: '2026-11-20T12:00:00.000Z',
    });
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text.split('\n').at(0)).toBe('The rule.');
    expect(text.split('\n').slice(-3)).toEqual([
      '…',
      'The role ends at 2026\\-11\\-20 12:34 UTC.',
      'Last checked: <t:1795176000:R>.',
    ]);
  });
});

test.each([
  ['grant-role', 'verified', 'Holds the collection (verified)'],
  ['remove-role', 'sweep', 'No longer holds (sweep)'],
  ['remove-role', 'approved', 'No longer holds; approved by an admin'],
  ['remove-role', 'data-deleted', 'Asked to have their data deleted'],
] as const)("Discord's audit log gives the reason for %s by %s: %s", (kind, cause, reason) => {
  expect(auditReason(kind, cause)).toBe(reason);
});

test('plain text reads as it was written, and only an address that is a line by itself is a link', () => {
  const text = plainForDiscord(`Error: ${hostile}\nhttps://rocks.example/admin`);
  expect(text).not.toMatch(/(?<!\\)[*_[\]<@]/);
  expect(text.split('\n')).toEqual([expect.not.stringContaining('://'), 'https://rocks.example/admin']);
});
