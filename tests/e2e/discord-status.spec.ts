import type { Page } from '@playwright/test';
import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { guild, inviteUrl, offline, online, status } from './support/discord-answers.ts';

const statusCard = (page: Page) => page.getByRole('region', { name: 'Bot Status' });
const fact = (page: Page, name: string) =>
  statusCard(page).locator('dl > div', { has: page.getByText(name, { exact: true }) });

/** Records the Discord calls that the page makes from now on. */
const askedFrom = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/discord/')) asked.push(`${request.method()} ${pathname}`);
  });
  return asked;
};

test.describe('specification 2: Bot Status', () => {
  test("has the sub-tabs 'Bot Status' and 'Servers', kept in the address", async ({ page, signIn }) => {
    await online(page, []);
    await signIn();
    const tabs = page.getByRole('tablist', { name: 'Discord Bot' }).getByRole('tab');
    await expect(tabs).toHaveText(['Bot Status', 'Servers']);
    await tabs.last().click();
    await page.reload();
    await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  });

  test('shows Online, username, id and a Shutdown button', async ({ page, signIn }) => {
    await online(page, [guild()]);
    await signIn();
    await expect(statusCard(page).locator('.badge', { hasText: 'Online' })).toBeVisible();
    await expect(fact(page, 'Username')).toContainText('sui-rocks');
    await expect(fact(page, 'ID')).toContainText('20000001');
    await expect(page.getByRole('button', { name: 'Shutdown' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toHaveCount(0);
  });

  test('shows Offline and a Start button, and no invite URL', async ({ page, signIn }) => {
    await offline(page);
    await signIn();
    await expect(statusCard(page).locator('.badge', { hasText: 'Offline' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Shutdown' })).toHaveCount(0);
    await expect(page.getByLabel('Invite URL')).toHaveCount(0);
    // An offline bot is connected to no server.
    await expect(fact(page, 'Servers')).toHaveCount(0);
  });

  test('the invite URL is read-only, and Copy copies it with its toast', async ({ page, signIn, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await online(page, []);
    await signIn();
    const field = page.getByLabel('Invite URL');
    await expect(field).toHaveValue(inviteUrl);
    await expect(field).toHaveAttribute('readonly');
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(toast(page)).toContainText('Copied!');
    await expect(toast(page)).toContainText('Invite URL copied to clipboard');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(inviteUrl);
  });

  test('where the browser does not allow copying, the page selects the URL and says so', async ({ page, signIn }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } });
    });
    await online(page, []);
    await signIn();
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(toast(page)).toContainText('Not copied');
    expect(await page.evaluate(() => String(document.getSelection()))).toBe(inviteUrl);
  });

  test("'Refresh Status' reloads both", async ({ page, signIn }) => {
    await online(page, []);
    await signIn();
    await expect(page.getByRole('button', { name: 'Shutdown' })).toBeVisible();
    const asked = askedFrom(page);
    await offline(page);
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
    expect(asked.slice(0, 2).toSorted()).toEqual(['GET /api/discord/invite-url', 'GET /api/discord/status']);
  });
});

test.describe('specification 4, 7 and 8: Start and Shutdown', () => {
  test('Start sends no payload, shows its toast, and fetches invite-url again', async ({ page, signIn }) => {
    await offline(page);
    await signIn();
    const asked = askedFrom(page);
    const started = page.waitForRequest('**/api/discord/init');
    await page.route('**/api/discord/init', async (route) => {
      await online(page, [guild()]);
      await route.fulfill({ json: { data: status() } });
    });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    expect((await started).postData()).toBeNull();
    await expect(toast(page)).toContainText('Bot initialized');
    await expect(toast(page)).toContainText('Discord bot is now online');
    await expect(page.getByRole('button', { name: 'Shutdown' })).toBeVisible();
    // Specification 5: the list of servers is requested only once the bot is online.
    await expect.poll(() => asked).toContain('GET /api/discord/guilds');
    const start = asked.indexOf('POST /api/discord/init');
    const inviteUrl = asked.indexOf('GET /api/discord/invite-url', start);
    expect(inviteUrl).toBeGreaterThan(start);
    expect(asked.indexOf('GET /api/discord/guilds')).toBeGreaterThan(inviteUrl);
  });

  test('Shutdown shows its toast, fetches invite-url again and removes the servers', async ({ page, signIn }) => {
    await online(page, [guild()]);
    const listed = page.waitForResponse('**/api/discord/guilds');
    await signIn();
    await listed;
    const asked = askedFrom(page);
    await page.route('**/api/discord/shutdown', async (route) => {
      await offline(page);
      await route.fulfill({ json: { data: status({ online: false }) } });
    });
    await page.getByRole('button', { name: 'Shutdown' }).click();
    await expect(toast(page)).toContainText('Bot shutdown');
    await expect(toast(page)).toContainText('Discord bot is now offline');
    await expect
      .poll(() => asked.lastIndexOf('GET /api/discord/invite-url'))
      .toBeGreaterThan(asked.indexOf('POST /api/discord/shutdown'));
    await page.getByRole('tab', { name: 'Servers' }).click();
    await expect(page.getByText('Bot is offline. Start the bot to view connected servers.')).toBeVisible();
    await expect(page.getByText('Cave of Ogg')).toHaveCount(0);
    expect(asked.filter((call) => call.endsWith('/guilds'))).toEqual([]);
  });

  test('pressed with the keyboard, the button keeps the focus while waiting, and the button that replaces it gets it', async ({
    page,
    signIn,
  }) => {
    await offline(page);
    await signIn();
    const answer = Promise.withResolvers<void>();
    let startCount = 0;
    await page.route('**/api/discord/init', async (route) => {
      startCount += 1;
      await answer.promise;
      await online(page, [guild()]);
      await route.fulfill({ json: { data: status() } });
    });
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await start.press('Enter');
    await expect(start).toHaveAttribute('aria-busy', 'true');
    await expect(start).toBeFocused();
    await start.press('Enter');
    answer.resolve();
    await expect(page.getByRole('button', { name: 'Shutdown' })).toBeFocused();
    expect(startCount).toBe(1);
  });

  const refusals = [
    ['Start', 'init', offline, 'Failed to initialize bot'],
    ['Shutdown', 'shutdown', (page: Page) => online(page, []), 'Failed to shutdown bot'],
  ] as const;
  for (const [button, path, prepare, title] of refusals) {
    test(`'${title}' carries the message of the server`, async ({ page, signIn, complaints }) => {
      await prepare(page);
      await answering(page, `/api/discord/${path}`, { message: 'The cave is flooded.', code: 'flooded' }, 503);
      await signIn();
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect(toast(page)).toContainText(title);
      await expect(toast(page)).toContainText('The cave is flooded.');
      forgiveStatus(complaints, 503);
    });
  }
});

test.describe('what the server knows beyond online and offline', () => {
  test('a bot that cannot start says why, and the attempt can be called off', async ({ page, signIn }) => {
    const lastError = { message: 'Discord refused the token.', at: '2026-11-20T10:00:00.000Z' };
    await offline(page, { state: 'failing', wanted: 'active', lastError });
    await signIn();
    await expect(statusCard(page).getByText('Failing', { exact: true })).toBeVisible();
    await expect(fact(page, 'Last error')).toContainText('Discord refused the token.');
    const calledOff = page.waitForRequest('**/api/discord/shutdown');
    await page.getByRole('button', { name: 'Stop trying' }).click();
    await calledOff;
  });

  test('the start of a bot whose token was removed can be called off', async ({ page, signIn }) => {
    await offline(page, { state: 'not-configured', wanted: 'active' });
    await signIn();
    await expect(statusCard(page)).toContainText('The bot should be running but no longer has a token');
    const calledOff = page.waitForRequest('**/api/discord/shutdown');
    await page.getByRole('button', { name: 'Cancel the start' }).click();
    await calledOff;
  });

  test('an error of a run that an admin ended, or that went on, is an earlier error', async ({ page, signIn }) => {
    const lastError = { message: 'Discord refused the token.', at: '2026-11-20T10:00:00.000Z' };
    await offline(page, { lastError });
    await signIn();
    await expect(fact(page, 'Earlier error')).toContainText('Discord refused the token.');
    await expect(fact(page, 'Last error')).toHaveCount(0);
    await answering(page, '/api/discord/status', status({ lastError }));
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await expect(fact(page, 'Wanted state')).toContainText('Online');
    await expect(fact(page, 'Earlier error')).toContainText('Discord refused the token.');
  });

  test('a bot that comes online by itself is shown online without a press', async ({ page, signIn }) => {
    await offline(page, { state: 'starting', wanted: 'active' });
    await signIn();
    await expect(statusCard(page).getByText('Starting', { exact: true })).toBeVisible();
    await online(page, []);
    await expect(statusCard(page).locator('.badge', { hasText: 'Online' })).toBeVisible();
    await expect(page.getByLabel('Invite URL')).toHaveValue(inviteUrl);
  });

  test('an outage is Offline (specification 7), and called an outage', async ({ page, signIn, complaints }) => {
    const away = { message: 'Come back later.', code: 'away' };
    await answering(page, '/api/discord/status', status());
    await answering(page, '/api/discord/invite-url', away, 503);
    await signIn();
    await expect(statusCard(page).locator('.badge', { hasText: 'Offline' })).toBeVisible();
    await expect(statusCard(page).getByRole('alert')).toContainText('Come back later.');
    await answering(page, '/api/discord/status', away, 503);
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await expect(statusCard(page).getByRole('alert')).toContainText('Failed to load bot status');
    forgiveStatus(complaints, 503);
  });
});
