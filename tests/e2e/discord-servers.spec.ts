import type { Page } from '@playwright/test';
import { expect, test } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { config, guild, offline, online, statistics, status, unconfigured } from './support/discord-answers.ts';

const open = '/admin?view=servers';
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test.describe('specification 2: Servers', () => {
  test('is a table of name, members, collection, status and actions', async ({ page, signIn }) => {
    await online(page, [guild(), unconfigured()]);
    await signIn(open);
    const heads = ['Server Name', 'Members', 'NFT Collection', 'Status', 'Actions'];
    await expect(page.getByRole('columnheader')).toHaveText(heads);
    const configured = row(page, 'Cave of Ogg').getByRole('cell');
    await expect(configured.nth(0)).toHaveText('1,204');
    await expect(configured.nth(1)).toHaveText('Cave Rocks');
    await expect(configured.nth(2).locator('.badge')).toHaveText('Configured');
    await expect(configured.nth(3).getByRole('button', { name: 'Configure' })).toBeVisible();
    const bare = row(page, 'Bare Rock').getByRole('cell');
    await expect(bare.nth(0)).toHaveText('1');
    await expect(bare.nth(1)).toHaveText('Not configured');
    await expect(bare.nth(2).locator('.badge')).toHaveText('Not Configured');
  });

  test("online without servers: 'No servers found. Invite the bot to a server first.'", async ({ page, signIn }) => {
    await online(page, []);
    await signIn(open);
    await expect(page.getByText('No servers found. Invite the bot to a server first.', { exact: true })).toBeVisible();
  });

  test('while Discord still lists the servers of a bot that has just come online, the page does not say that there are none', async ({
    page,
    signIn,
  }) => {
    await page.clock.install();
    await online(page, []);
    const justNow = { since: new Date().toISOString(), guildCount: 0 };
    await answering(page, '/api/discord/status', status(justNow));
    await signIn(open);
    await expect(page.getByText('Discord is still listing the servers the bot is in.')).toBeVisible();
    await expect(page.getByText('No servers found')).toHaveCount(0);
    await page.clock.runFor(20_000);
    await expect(page.getByText('No servers found. Invite the bot to a server first.')).toBeVisible();
    await online(page, [guild()]);
    await expect(async () => {
      await page.clock.runFor(5_000);
      await expect(row(page, 'Cave of Ogg')).toBeVisible({ timeout: 200 });
    }).toPass();
  });

  test("offline: 'Bot is offline. Start the bot to view connected servers.', and the list is not requested", async ({
    page,
    signIn,
  }) => {
    await offline(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signIn(open);
    await expect(
      page.getByText('Bot is offline. Start the bot to view connected servers.', { exact: true }),
    ).toBeVisible();
    expect(asked).not.toContain('/api/discord/guilds');
  });

  test('an outage is offline (specification 7), the page says that it is an outage, and a press tries again', async ({
    page,
    signIn,
    complaints,
  }) => {
    await online(page, [guild()]);
    const away = { message: 'Come back later.', code: 'away' };
    for (const call of ['status', 'invite-url']) await answering(page, `/api/discord/${call}`, away, 503);
    await signIn(open);
    const trouble = page.getByRole('alert').filter({ hasText: 'Could not find out whether the bot is online.' });
    await expect(trouble).toContainText('Come back later.');
    await online(page, [guild()]);
    await trouble.getByRole('button', { name: 'Try again' }).click();
    await expect(row(page, 'Cave of Ogg')).toBeVisible();
    forgiveStatus(complaints, 503);
  });

  test('the page says when the list cannot be read, and never calls it empty', async ({ page, signIn, complaints }) => {
    await online(page, []);
    await answering(page, '/api/discord/guilds', { message: 'Come back later.', code: 'away' }, 503);
    await signIn(open);
    const trouble = page.getByRole('alert').filter({ hasText: 'Failed to load servers.' });
    await expect(trouble).toContainText('Come back later.');
    await expect(page.getByText('No servers found')).toHaveCount(0);
    await answering(page, '/api/discord/guilds', [guild()]);
    await trouble.getByRole('button', { name: 'Try again' }).click();
    await expect(row(page, 'Cave of Ogg')).toBeVisible();
    await answering(page, '/api/discord/guilds', { message: 'Come back later.', code: 'away' }, 503);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(trouble).toContainText('Showing what was read');
    await expect(row(page, 'Cave of Ogg')).toBeVisible();
    forgiveStatus(complaints, 503);
  });

  test('many servers are searched and paged', async ({ page, signIn }) => {
    const many = Array.from({ length: 60 }, (_, at) => guild({ id: `3000${1000 + at}`, name: `Cave ${at}` }));
    await online(page, many);
    await signIn(open);
    await expect(page.getByText('Showing 1 to 50 of 60')).toBeVisible();
    const next = page.getByRole('button', { name: 'Next' });
    await next.press('Enter');
    await expect(row(page, 'Cave 59')).toBeVisible();
    // The focus moves to the start of the new page; on the last one the button goes no further.
    await expect(page.getByRole('search')).toBeFocused();
    await expect(next).toBeDisabled();
    await next.press('Enter');
    await expect(page.getByText('Showing 51 to 60 of 60')).toBeVisible();
    await page.getByRole('searchbox').fill('cave 17');
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('searchbox').fill('nothing of the kind');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(page.getByText('Showing 1 to 50 of 60')).toBeVisible();
  });
});

test.describe('rulings R5: problems of a server', () => {
  const problems = [
    {
      code: 'role-too-high',
      message: 'The role "Rock Holder" is above the bot\'s.',
      fix: "Drag the bot's role above it.",
    },
  ];

  test('are beside the server with the exact fix, unfolded by keyboard', async ({ page, signIn }) => {
    await online(page, [guild({ problems, hasWaitingRemoval: true })]);
    await signIn(open);
    await expect(row(page, 'Cave of Ogg')).toContainText('1 problem');
    await expect(row(page, 'Cave of Ogg')).toContainText('Approval needed');
    const details = page.getByRole('button', { name: 'Details of Cave of Ogg' });
    await expect(details).toHaveAttribute('aria-expanded', 'false');
    await details.press('Enter');
    const problem = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
    await expect(problem).toContainText('The role "Rock Holder" is above the bot\'s.');
    await expect(problem).toContainText("Drag the bot's role above it.");
    await page.getByRole('button', { name: 'Hide details of Cave of Ogg' }).press('Enter');
    await expect(problem).toHaveCount(0);
  });

  const places = [
    ['are shown by name', {}, 'Rock Holder', '#verify'],
    ['are marked as deleted', { roles: [], channels: [] }, 'Deleted (ID 40000001)', 'Deleted (ID'],
    ['are marked as missing', { config: { ...config(), roleId: '', channelId: '' } }, 'None yet.', 'None yet.'],
  ] as const;
  for (const [what, more, role, channel] of places) {
    test(`role and channel ${what}`, async ({ page, signIn }) => {
      await online(page, [guild({ ...more } as Parameters<typeof guild>[0])]);
      await signIn(open);
      await page.getByRole('button', { name: 'Details' }).click();
      const fact = (name: string) => page.locator('dl > div', { has: page.getByText(name, { exact: true }) });
      await expect(fact('Role')).toContainText(role);
      await expect(fact('Channel')).toContainText(channel);
      await expect(fact('Grace period')).toContainText('1 hour 30 minutes');
    });
  }
});

test('the views of a server are in the address; going back focuses the button', async ({ page, signIn }) => {
  await online(page, [guild(), unconfigured()]);
  await answering(page, '/api/discord/guilds/30000001/statistics', statistics());
  await answering(page, '/api/discord/guilds/30000001/members', { members: [], nextAfter: null });
  await answering(page, '/api/discord/guilds/30000001/wallets', []);
  await signIn(open);
  await page.getByRole('button', { name: 'Statistics of Cave of Ogg' }).click();
  await expect(page.getByRole('heading', { name: 'Statistics of Cave of Ogg' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Statistics of Cave of Ogg' })).toBeVisible();
  await page.getByRole('button', { name: 'All servers' }).click();
  await page.getByRole('button', { name: 'Wallets of Cave of Ogg' }).click();
  await expect(page.getByRole('heading', { name: 'Authorized wallets of Cave of Ogg' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Wallets of Cave of Ogg' })).toBeFocused();
  await signIn(`${open}&statistics=99999999`);
  await expect(row(page, 'Bare Rock')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'The bot is not in a server 99999999' })).toBeVisible();
});
