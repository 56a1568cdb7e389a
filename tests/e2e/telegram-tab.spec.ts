import type { Page } from '@playwright/test';
import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { everyAnswerRead, fetchedAtMs, noteWhatIsFetched } from './support/what-is-fetched.ts';
import { status } from './support/telegram-answers.ts';
import { callAs } from './support/telegram-groups.ts';

const statusCard = (page: Page) => page.getByRole('region', { name: 'Bot Status' });
const open = '/admin?tab=telegram';

test.describe('specification 2: the sub-tabs', () => {
  test("are 'Bot Status' and 'Configurations', kept in the address", async ({ page, signIn }) => {
    await signIn();
    await page.getByRole('tab', { name: 'Telegram Bot' }).click();
    const tabs = page.getByRole('tablist', { name: 'Telegram Bot' }).getByRole('tab');
    await expect(tabs).toHaveText(['Bot Status', 'Configurations']);
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
    await tabs.last().click();
    await page.reload();
    await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  });

  test('the usage instructions list the commands and a setup process of 7 steps', async ({ page, signIn }) => {
    await signIn(open);
    const card = page.getByRole('region', { name: 'Usage Instructions' });
    const commands = ['/start', '/setup', '/floor', '/summary', '/tracking', '/remove', '/help'];
    await expect(card.locator('dt')).toHaveText(commands);
    await expect(card.getByRole('list', { name: 'Setup process' }).getByRole('listitem')).toHaveCount(7);
  });
});

test.describe('specification 4: the service', () => {
  test('goes from inactive to active by Initialize Bot and back by Shutdown Bot, each with its toast', async ({
    page,
    signIn,
  }) => {
    await signIn(open);
    await callAs(page, 'POST', '/api/telegram/shutdown');
    await statusCard(page).getByRole('button', { name: 'Refresh' }).click();
    await expect(statusCard(page).getByText('Inactive', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Shutdown Bot' })).toHaveCount(0);

    const asked = page.waitForRequest('**/api/telegram/init');
    const configurationsAgain = page.waitForRequest('**/api/telegram/configs');
    await page.getByRole('button', { name: 'Initialize Bot' }).click();
    expect([(await asked).method(), (await asked).postData()]).toEqual(['POST', null]);
    await expect(toast(page)).toContainText('Telegram Bot Initialized');
    await expect(toast(page)).toContainText('Telegram bot has been started successfully.');
    await configurationsAgain;
    await expect(statusCard(page).locator('.status-pulsing')).toBeVisible();
    await expect(statusCard(page).getByText('Active', { exact: true }).first()).toBeVisible();
    await expect(statusCard(page)).toContainText('@');

    await page.getByRole('button', { name: 'Shutdown Bot' }).click();
    await expect(toast(page)).toContainText('Telegram Bot Shutdown');
    await expect(toast(page)).toContainText('Telegram bot has been shut down successfully.');
    await expect(page.getByRole('button', { name: 'Initialize Bot' })).toBeVisible();
    await expect(statusCard(page).locator('.status-pulsing')).toHaveCount(0);
  });

  const refusals = [
    ['Initialize Bot', 'init', false, 'Initialization Failed', 'Failed to initialize Telegram bot: '],
    ['Shutdown Bot', 'shutdown', true, 'Shutdown Failed', 'Failed to shut down Telegram bot: '],
  ] as const;
  for (const [button, path, active, title, text] of refusals) {
    test(`'${title}' carries the message of the server`, async ({ page, signIn, complaints }) => {
      await answering(page, '/api/telegram/status', status({ active, state: active ? 'active' : 'inactive' }));
      await answering(page, `/api/telegram/${path}`, { message: 'The cave is flooded.', code: 'flooded' }, 503);
      await signIn(open);
      await page.getByRole('button', { name: button }).click();
      await expect(toast(page)).toContainText(title);
      await expect(toast(page)).toContainText(`${text}The cave is flooded.`);
      forgiveStatus(complaints, 503);
    });
  }

  test('shows count, wanted state, name, age, mode, waiting messages and last error', async ({ page, signIn }) => {
    const lastError = { message: 'Telegram refused the token.', at: '2026-11-20T10:00:00.000Z' };
    await answering(
      page,
      '/api/telegram/status',
      status({ active: false, state: 'failing', lastError, pendingCount: 4, oldestPendingSeconds: 90 }),
    );
    await signIn(open);
    const card = statusCard(page);
    await expect(card.getByText('Inactive', { exact: true })).toBeVisible();
    await expect(card.getByText('Failing', { exact: true })).toBeVisible();
    const facts = {
      Configurations: '3',
      'Wanted state': 'Active',
      Username: '@sui_rocks_bot',
      'Updates by': 'Polling',
    };
    const more = { 'Waiting messages': '4, the oldest for 1 min', 'Last error': lastError.message };
    for (const [name, value] of Object.entries({ ...facts, ...more })) {
      await expect(card.locator('dl > div', { has: page.getByText(name, { exact: true }) })).toContainText(value);
    }
    const calledOff = page.waitForRequest('**/api/telegram/shutdown');
    await card.getByRole('button', { name: 'Stop trying' }).click();
    await calledOff;
  });

  test('the start of a bot whose token was removed can be called off', async ({ page, signIn }) => {
    await answering(page, '/api/telegram/status', status({ active: false, state: 'not-configured' }));
    await signIn(open);
    const card = statusCard(page);
    await expect(card).toContainText('The bot should be running but no longer has a token');
    const calledOff = page.waitForRequest('**/api/telegram/shutdown');
    await card.getByRole('button', { name: 'Cancel the start' }).click();
    await calledOff;
  });

  test('the pulsing dot stands still when the visitor prefers less motion', async ({ page, signIn }) => {
    await answering(page, '/api/telegram/status', status());
    const motion = () =>
      page.locator('.status-pulsing').evaluate((dot) => getComputedStyle(dot).getPropertyValue('animation-name'));
    await signIn(open);
    expect(await motion()).not.toBe('none');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await motion()).toBe('none');
  });
});

test.describe('specification 8 and 9: failures and polling', () => {
  test("'Failed to load bot status', and 'Try again' reloads it", async ({ page, signIn, complaints }) => {
    await answering(page, '/api/telegram/status', { message: 'Come back later.', code: 'away' }, 503);
    await signIn(open);
    const card = statusCard(page);
    await expect(card.getByRole('alert')).toContainText('Failed to load bot status');
    await expect(card.getByRole('alert')).toContainText('Come back later.');
    await page.unrouteAll();
    await card.getByRole('button', { name: 'Try again' }).click();
    await expect(card.getByText('Configurations', { exact: true })).toBeVisible();
    await expect(card.getByRole('alert')).toHaveCount(0);
    forgiveStatus(complaints, 503);
  });

  test('a failed refresh leaves the last answer in place and says so', async ({ page, signIn, complaints }) => {
    await answering(page, '/api/telegram/status', status());
    await signIn(open);
    await expect(statusCard(page).getByText('@sui_rocks_bot')).toBeVisible();
    await answering(page, '/api/telegram/status', { message: 'Come back later.', code: 'away' }, 503);
    await statusCard(page).getByRole('button', { name: 'Refresh' }).click();
    await expect(statusCard(page).getByRole('alert')).toContainText('Failed to load bot status');
    await expect(statusCard(page).getByText('@sui_rocks_bot')).toBeVisible();
    forgiveStatus(complaints, 503);
  });

  test('status and configurations are each polled every 30000 ms', async ({ page, signIn }) => {
    await page.clock.install({ time: new Date('2026-11-20T12:00:00Z') });
    await noteWhatIsFetched(page);
    await answering(page, '/api/telegram/status', status());
    await answering(page, '/api/telegram/configs', []);
    await signIn(open);
    await expect(statusCard(page).getByText('@sui_rocks_bot')).toBeVisible();
    await page.clock.pauseAt(new Date('2026-11-20T12:10:00Z'));
    await everyAnswerRead(page);
    const fromMs = await page.evaluate(() => Date.now());
    // Second by second, reading each answer before the next second: the 30 s count from the end of the last answer.
    for (let second = 0; second < 130; second += 1) {
      await page.clock.runFor(1_000);
      await everyAnswerRead(page);
    }
    for (const path of ['/api/telegram/status', '/api/telegram/configs']) {
      const gapsMs = (await fetchedAtMs(page, path, fromMs)).map((atMs, nth, all) => atMs - (all[nth - 1] ?? atMs));
      expect(gapsMs.length, path).toBeGreaterThanOrEqual(4);
      for (const gapMs of gapsMs.slice(1)) {
        expect(gapMs, path).toBeGreaterThanOrEqual(30_000);
        expect(gapMs, path).toBeLessThanOrEqual(32_000);
      }
    }
  });
});
