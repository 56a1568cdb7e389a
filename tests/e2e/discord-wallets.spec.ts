import type { Page } from '@playwright/test';
import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { authorized, guild, online, wallet } from './support/discord-answers.ts';

const open = '/admin?view=servers&wallets=30000001';
const path = '/api/discord/guilds/30000001/wallets';
const list = (page: Page) => page.getByRole('list', { name: 'Authorized wallets of Cave of Ogg' });

test.describe('rulings R5: authorized wallets', () => {
  test('are listed with who, why, until when, and whether they still count', async ({ page, signIn }) => {
    const at = '2026-11-20T10:00:00.000Z';
    await online(page, [guild()]);
    await answering(page, path, [
      authorized({ expiresAt: '2036-01-31T23:59:59.999Z', member: { userId: '60000001', displayName: 'Gwen' } }),
      authorized({ id: '4', reason: 'Guest', isActive: false, expiresAt: '2026-01-31T23:59:59.999Z' }),
      authorized({ id: '5', reason: 'Friend', isActive: false, removedAt: at, removedBy: 'ugga' }),
      authorized({ id: '6', reason: 'Elder' }),
    ]);
    await signIn(open);
    const lines = list(page).getByRole('listitem');
    await expect(lines.nth(0)).toContainText('Active');
    await expect(lines.nth(0)).toContainText('Painter of the cave');
    await expect(lines.nth(0)).toContainText(wallet);
    await expect(lines.nth(0)).toContainText('Until 31 Jan 2036, 23:59 UTC · added by ogg');
    await expect(lines.nth(0)).toContainText('linked by Gwen');
    await expect(lines.nth(1)).toContainText('Expired 31 Jan 2026, 23:59 UTC');
    await expect(lines.nth(2)).toContainText('Removed by ugga');
    await expect(lines.nth(3)).toContainText('No expiry');
    await expect(lines.getByRole('button', { name: 'Remove' })).toHaveCount(2);
  });

  test('an empty list and a list that cannot be read look different', async ({ page, signIn, complaints }) => {
    await online(page, [guild()]);
    await answering(page, path, []);
    await signIn(open);
    await expect(page.getByText('No wallets are authorized.')).toBeVisible();
    await answering(page, path, { message: 'Come back later.', code: 'away' }, 503);
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('Failed to load the authorized wallets');
    await expect(page.getByText('No wallets are authorized.')).toHaveCount(0);
    forgiveStatus(complaints, 503);
  });

  test('are added with an address, a reason and a last day', async ({ page, signIn }) => {
    await online(page, [guild()]);
    await answering(page, path, []);
    await signIn(open);
    await page.getByRole('button', { name: 'Authorize a wallet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Authorize a wallet' });
    await dialog.getByRole('button', { name: 'Authorize' }).click();
    await expect(dialog.getByText('Enter the wallet address.')).toBeVisible();
    await expect(dialog.getByText('Give a reason.')).toBeVisible();
    await dialog.getByLabel('Wallet address').fill('0x12');
    await dialog.getByLabel('Reason').fill('Painter of the cave');
    await dialog.getByLabel('Last day (optional)').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Authorize' }).click();
    await expect(dialog.getByText('A Sui address is 0x followed by 64 characters, each 0–9 or a–f.')).toBeVisible();
    await expect(dialog.getByText('This day is in the past. Choose a later one or leave it empty.')).toBeVisible();
    await dialog.getByLabel('Wallet address').fill(wallet);
    await dialog.getByLabel('Last day (optional)').fill('2036-01-31');
    await answering(page, path, [authorized()]);
    const asked = page.waitForRequest((request) => request.method() === 'POST');
    await dialog.getByRole('button', { name: 'Authorize' }).click();
    expect((await asked).postDataJSON()).toEqual({
      wallet,
      reason: 'Painter of the cave',
      expiresAt: '2036-01-31T23:59:59.999Z',
    });
    await expect(toast(page)).toContainText('Wallet authorized');
    await expect(dialog).toHaveCount(0);
    await expect(list(page)).toContainText('Painter of the cave');
  });

  test('a refusal keeps the dialog and what was typed', async ({ page, signIn, complaints }) => {
    await online(page, [guild()]);
    await page.route(`**${path}`, (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ json: { data: [] } })
        : route.fulfill({ status: 409, json: { message: 'It is authorized already.', code: 'twice' } }),
    );
    await signIn(open);
    await page.getByRole('button', { name: 'Authorize a wallet' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Wallet address').fill(wallet);
    await dialog.getByLabel('Reason').fill('Friend');
    await dialog.getByRole('button', { name: 'Authorize' }).click();
    await expect(toast(page)).toContainText('Failed to authorize wallet');
    await expect(dialog.getByRole('alert')).toHaveText('It is authorized already.');
    await expect(dialog.getByLabel('Reason')).toHaveValue('Friend');
    forgiveStatus(complaints, 409);
  });

  test('are removed only after a confirmation that says what will happen', async ({ page, signIn }) => {
    await online(page, [guild()]);
    await answering(page, path, [authorized({ member: { userId: '60000001', displayName: 'Gwen' } })]);
    await signIn(open);
    await list(page).getByRole('button', { name: 'Remove' }).click();
    const asking = page.getByRole('alertdialog', { name: 'Remove authorized wallet' });
    await expect(asking).toContainText('Gwen has linked it and will be checked again');
    await answering(page, `${path}/3`, authorized({ isActive: false }));
    await answering(page, path, []);
    const asked = page.waitForRequest((request) => request.method() === 'DELETE');
    await asking.getByRole('button', { name: 'Remove' }).click();
    expect(new URL((await asked).url()).pathname).toBe(`${path}/3`);
    await expect(toast(page)).toContainText('Wallet removed');
    await expect(page.getByText('No wallets are authorized.')).toBeVisible();
    await expect(page.getByRole('tabpanel', { name: 'Servers' })).toBeFocused();
  });
});
