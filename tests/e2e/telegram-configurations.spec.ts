import type { Page } from '@playwright/test';
import { expect, test } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { configuration } from './support/telegram-answers.ts';
import { setUpGroup } from './support/telegram-groups.ts';

const open = '/admin?tab=telegram&view=configurations';
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

test.describe('specification 2: the configurations table', () => {
  test('shows a group that was set up in Telegram', async ({ page, signIn, product }) => {
    await signIn(open);
    const { chatId, configuration: real } = await setUpGroup(page, product, 'Cave of the table');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('columnheader')).toHaveText([
      'Chat ID',
      'Collection',
      'Tracking',
      'Progress',
      'Actions',
    ]);
    const cells = row(page, 'Cave of the table').getByRole('cell');
    const head = row(page, 'Cave of the table').getByRole('rowheader');
    await expect(head).toContainText(`${String(chatId).slice(0, 12)}…`);
    await expect(head).not.toContainText(String(chatId));
    await expect(cells.nth(0)).toContainText('Sui Rocks');
    await expect(cells.nth(0).locator('code')).toHaveText(real.collectionId.slice(0, 10));
    await expect(cells.nth(1).getByRole('listitem')).toHaveText(['Mints', 'Sales', 'Listings', 'Bids']);
    await expect(cells.nth(2)).toContainText(`${real.mintStats.mintedCount} / 555`);
  });

  test('Refresh also reloads the deleted ones, so that none is missing from both lists', async ({ page, signIn }) => {
    await answering(page, '/api/telegram/configs', [configuration()]);
    await answering(page, '/api/telegram/deleted-configs', []);
    await signIn(open);
    await page.getByText('Recently deleted').click();
    await expect(page.getByText('Nothing was deleted in the last 30 days.')).toBeVisible();
    await answering(page, '/api/telegram/configs', []);
    await answering(page, '/api/telegram/deleted-configs', [configuration({ deletedAt: '2026-11-20T10:00:00.000Z' })]);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText('No configurations found.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Recently deleted' })).toContainText('Cave of Ogg');
  });

  test("progress: percentage and bar, 'FULLY MINTED', 'No supply set'; an optional 'Hex ID' line", async ({
    page,
    signIn,
  }) => {
    await answering(page, '/api/telegram/configs', [
      configuration({
        id: '1',
        chatTitle: 'half',
        mintStats: { mintedCount: 278 },
        hexCollectionId: '0xabcdef0123456789',
      }),
      configuration({
        id: '2',
        chatTitle: 'full',
        mintStats: { mintedCount: 556 },
        trackMint: false,
        trackBids: false,
      }),
      configuration({ id: '3', chatTitle: 'endless', maxSupply: null }),
    ]);
    await signIn(open);
    await expect(row(page, 'half')).toContainText('278 / 555');
    await expect(row(page, 'half')).toContainText('50%');
    await expect(row(page, 'half').getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
    await expect(row(page, 'half')).toContainText('Hex ID: 0xabcdef01');
    await expect(row(page, 'full')).toContainText('100%');
    await expect(row(page, 'full').getByText('FULLY MINTED', { exact: true })).toBeVisible();
    await expect(row(page, 'full').getByRole('listitem')).toHaveText(['Sales', 'Listings']);
    await expect(row(page, 'endless')).toContainText('No supply set');
    await expect(row(page, 'endless').getByRole('progressbar')).toHaveCount(0);
    await expect(page.getByText('FULLY MINTED')).toHaveCount(1);
    await expect(page.getByText('Hex ID:')).toHaveCount(1);
  });

  test('the empty text', async ({ page, signIn }) => {
    await answering(page, '/api/telegram/configs', []);
    await signIn(open);
    const words = 'No configurations found. Add the bot to a Telegram chat and use /setup to create a configuration.';
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  });

  test("the error text 'Failed to load configurations', never an empty list", async ({ page, signIn, complaints }) => {
    await answering(page, '/api/telegram/configs', { message: 'Come back later.', code: 'away' }, 503);
    await signIn(open);
    await expect(page.getByRole('alert')).toContainText('Failed to load configurations');
    await expect(page.getByText('No configurations found.')).toHaveCount(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    forgiveStatus(complaints, 503);
  });

  test('ten thousand configurations are paged by 50 and found by any word', async ({ page, signIn }) => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      configuration({ id: String(index + 1), chatId: `-${index + 1}`, chatTitle: `Hole ${index + 1}.` }),
    );
    await answering(page, '/api/telegram/configs', many);
    await signIn(open);
    await expect(page.getByText('Showing 1 to 50 of 10,000')).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(51);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(row(page, 'Hole 51.')).toBeVisible();
    await page.getByLabel('Search').fill('rocks hole 9876.');
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(row(page, 'Hole 9876.')).toBeVisible();
    await page.getByLabel('Search').fill('lava');
    await expect(page.getByText('No configuration matches this search.')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Showing' })).toHaveText('Showing none');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(page.getByText('Showing 1 to 50 of 10,000')).toBeVisible();
  });

  test('foreign names stay text: no markup, no change of direction, cut off, with the whole name in the title', async ({
    page,
    signIn,
  }) => {
    const collectionName = `\u202Egnp.exe <img src=x onerror=alert(1)> ${'long '.repeat(60)}`;
    await answering(page, '/api/telegram/configs', [configuration({ collectionName, chatTitle: '<b>Cave</b>' })]);
    await signIn(open);
    await expect(row(page, '<b>Cave</b>')).toContainText('gnp.exe <img src=x');
    const name = page.locator('bdi', { hasText: 'gnp.exe' });
    expect((await name.innerText()).length).toBeLessThanOrEqual(60);
    expect(await name.innerText()).not.toContain('\u202E');
    await expect(name).toHaveAttribute('title', /long long/);
    await expect(page.locator('main img')).toHaveCount(0);
  });
});
