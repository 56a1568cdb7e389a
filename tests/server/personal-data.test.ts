import { isValidElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { createTokens } from '../../src/accounts/tokens.ts';
import { confirmDeletionText, deletedText, helpText } from '../../src/discord/bot-texts.ts';
import type { cookiePlace } from '../../src/http/client.ts';
import { retention } from '../../src/retention/retention.ts';
import { privacySections } from '../../src/site/web/privacy-page.tsx';
import { nameOf } from '../../src/telegram/commands/answering.ts';
import { testDatabase } from '../support/database.ts';

/** The text of a part of the policy, in one line. */
const textOf = (node: ReactNode): string => {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
};
const policy = textOf(privacySections.map(({ body }) => body)).replaceAll(/\s+/g, ' ');

/** Columns that identify a person, by the words of the policy about them. A new column needs words there too. */
const personal: Readonly<Record<string, readonly string[]>> = {
  'our administrators, whose passwords are stored as hashes': [
    'users.username',
    'users.username_key',
    'sessions.user_id',
  ],
  'For administrators we also keep the passkeys and authenticator apps that prove who they are, recovery codes as hashes':
    ['second_factors.user_id', 'recovery_codes.user_id', 'factor_challenges.user_id'],
  'with the time and the ID on that platform, and in a community server the display name': [
    'audit_entries.actor_id',
    'audit_entries.actor_name',
  ],
  'your member ID and display name on that server, the public wallet addresses you sign with': [
    'discord_members.user_id',
    'discord_members.display_name',
    'discord_wallets.user_id',
    'discord_wallets.wallet',
  ],
  'A verification link lasts 15 minutes and is deleted about a day later, with the platform user name': [
    'discord_verifications.user_id',
    'discord_verifications.display_name',
    'discord_verifications.user_name',
    'discord_verifications.wallet',
  ],
  'the role the bot gave them until the bot has removed it': ['discord_member_roles.user_id'],
  'The note of when the bot wrote to a member': ['discord_direct_messages.user_id'],
  'a wallet that they put on a server’s list': ['discord_authorized_wallets.wallet'],
  'Public blockchain data': [
    'activity_events.buyer',
    'activity_events.seller',
    'ledger_recipients.address',
    'rocks.owner',
  ],
  'the public names of them': ['owner_names.address'],
  'The team may name whose an address is that the treasury deals with': ['treasury_ledger_names.address'],
  'Who changes a group’s settings is noted by messenger user ID, never by name': [
    'telegram_configurations.created_by',
    'telegram_configurations.deleted_by',
  ],
};

/** Columns about the product itself: counts and kinds, names of copies and of bots, the treasury, and administrators who decided something. */
const ofTheProduct =
  /_count$|_kind$|\.(?:\w*claimed_by|bot_\w+|holder|treasury_address|added_by|removed_by|decided_by|asked_by|published_by|withdrawn_by|built_by|updated_by)$/;
const ofPersons = /user|owner|wallet|display_name|actor|(?:^|_)by$|buyer|seller|holder|address|email|phone/;

test('every column that names a person is covered by the privacy policy', async () => {
  const database = await testDatabase();
  const columns = await database.rows<{ table_name: string; column_name: string }>(
    "select table_name, column_name from information_schema.columns where table_schema = 'public'",
  );
  await database.drop();
  const found = columns
    .map(({ table_name: table, column_name: name }) => `${table}.${name}`)
    .filter((name) => ofPersons.test(name.replace(/^.*\./, '')) && !ofTheProduct.test(name));
  expect(found.sort()).toEqual(Object.values(personal).flat().sort());
});

test.each(Object.keys(personal))('the privacy policy says: %s', (words) => {
  expect(policy).toContain(words);
});

/** The words about each cookie. A new one needs words too. */
const cookies: Readonly<Record<Parameters<typeof cookiePlace>[0], string>> = {
  challenge: 'one for the steps of a sign-in',
  session: 'one for the session',
  device: 'one by which a browser that has signed in is recognized for 180 days',
};

test('the privacy policy names every cookie, and how long a browser is recognized', () => {
  for (const words of Object.values(cookies)) expect(policy).toContain(words);
  const at = new Date('2026-11-01T12:00:00Z');
  const account = { id: '1', passwordHash: 'hash' };
  const { expiresAt } = createTokens('s'.repeat(32)).deviceCookie(null, account, 'password', at);
  expect(expiresAt.getTime() - at.getTime()).toBe(180 * 86_400_000);
});

test('the log names a group admin only by the messenger user ID, as the policy says', () => {
  const ada = { id: 500_000_001, first_name: 'Ada', username: 'ada_stone' };
  expect(nameOf(ada)).toBe('Telegram user 500000001');
});

test('answers and commands are handled as the policy says', () => {
  expect(policy).toContain(
    'what the group-chat bot answered, and what is left of a command, after about an hour, or after a day if it was never answered',
  );
  expect(policy).toContain(
    'The note of when the bot wrote to a member is deleted after 90 days. It says which payout it was about, or that a role would be taken.',
  );
  expect(retention.discord_direct_messages.days).toBe(90);
  expect(policy).not.toContain('notes of who was told');
});

test('members are told what is kept and what their deletion leaves, as the policy says', () => {
  expect(helpText('https://rocks.example', [])).toContain('your Discord id and name, the wallets you link');
  expect(confirmDeletionText).toMatch(/log of changes.*but not who or which.*team authorized itself stay/s);
  expect(deletedText).toContain('no longer names you or your wallets');
  for (const text of [confirmDeletionText, deletedText])
    expect(text).toContain('what you did as an admin of this server');
  expect(policy).toContain('stay: what you did as an admin of that server');
  expect(policy).toContain('your ID beside the role while the community server does not let the bot take it');
  expect(policy).toContain('the note of which payouts you were told of');
  expect(policy).toContain('neither your name nor your ID nor a wallet');
});
