import {
  addAppTo,
  all,
  asking,
  dialog,
  logIn,
  newAccount,
  own,
  password,
  tenMinutesLater,
  withAuthenticator,
} from './support/accounts.ts';
import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { callAs } from './support/telegram-groups.ts';

test.describe('a second factor, when something comes between', () => {
  test('is listed although the answer of the server was lost, with what to do about the recovery codes', async ({
    page,
    product: _running,
    dataDir,
    complaints,
  }) => {
    await withAuthenticator(page);
    await logIn(page, await newAccount(dataDir, 'operator'));
    await expect(page).toHaveURL(/\/admin$/);
    await page.goto(own);
    await page.route('**/api/auth/passkeys', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog(page).getByLabel('Name').fill('My phone');
    await dialog(page).getByLabel('Your password').fill(password);
    await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('The server did not answer.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('list', { name: 'Second factor' })).toContainText('My phone, Passkey');
    await expect(page.getByText('If you do not have them, make new ones.')).toBeVisible();
    complaints.length = 0;
  });

  test('is asked for by its newest question: a passkey works although another tab asked later', async ({
    page,
    product: _running,
    dataDir,
    complaints,
  }) => {
    await withAuthenticator(page);
    await logIn(page, await newAccount(dataDir, 'operator'));
    await expect(page).toHaveURL(/\/admin$/);
    await page.goto(own);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog(page).getByLabel('Name').fill('My phone');
    await dialog(page).getByLabel('Your password').fill(password);
    await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
    await asking(page).getByRole('button', { name: 'I have saved them' }).click();
    await tenMinutesLater(page, 'POST', '**/recovery-codes');
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await asking(page).getByRole('button', { name: 'Make new codes' }).click();
    const use = page.getByRole('button', { name: 'Use a passkey' });
    await expect(use).toBeVisible();
    await callAs(page, 'POST', '/api/auth/confirm/begin');
    await use.click();
    await expect(asking(page).getByRole('listitem')).toHaveCount(10);
    forgiveStatus(complaints, 403);
  });

  test('is no longer asked for at another address: after Back nothing is changed', async ({
    page,
    product: _running,
    dataDir,
    complaints,
  }) => {
    const other = await newAccount(dataDir, 'operator');
    await logIn(page, await newAccount(dataDir, 'admin'));
    await expect(page).toHaveURL(/\/admin$/);
    await addAppTo(page);
    await tenMinutesLater(page, 'PUT', '**/rights');
    await page.goto(own);
    await page.evaluate((to) => history.pushState(null, '', to), all);
    await page.getByRole('button', { name: `Change rights of ${other.username}` }).click();
    await dialog(page).getByLabel('Rights').selectOption('None (no access)');
    await dialog(page).getByRole('button', { name: 'Save rights' }).click();
    await expect(page.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible();
    page.once('dialog', (asked) => asked.accept());
    await page.goBack();
    await expect(page).toHaveURL(/tab=accounts$/);
    await expect(dialog(page)).toHaveCount(0);
    await expect(toast(page)).toContainText('This needs your second factor again');
    forgiveStatus(complaints, 403);
  });

  test('is no longer asked for once somebody has removed it: the action continues', async ({
    page,
    browser,
    product,
    dataDir,
    complaints,
  }) => {
    const user = await newAccount(dataDir, 'operator');
    await logIn(page, user);
    await expect(page).toHaveURL(/\/admin$/);
    await addAppTo(page);
    const elsewhere = await (await browser.newContext({ baseURL: product.url })).newPage();
    await logIn(elsewhere, await newAccount(dataDir, 'admin'));
    await expect(elsewhere).toHaveURL(/\/admin$/);
    const refusal = { message: 'This needs your second factor again.', code: 'second-factor-required' };
    await page.route('**/begin', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
    await page.goto(own);
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await dialog(page).getByLabel('Your password').fill(password);
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await again.getByLabel('Code').fill('000000');
    await elsewhere.goto(all);
    await elsewhere.getByRole('button', { name: `Remove My phone of ${user.username}` }).click();
    // Two factors may have the same name.
    await expect(asking(elsewhere)).toContainText('Authenticator app. Added');
    await asking(elsewhere).getByRole('button', { name: 'Remove' }).click();
    await expect(toast(elsewhere)).toContainText('Second factor removed');
    await again.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog(page).getByRole('img', { name: 'QR code of the secret below' })).toBeVisible();
    await elsewhere.context().close();
    complaints.length = 0;
  });

  test('that has become the last one is removed with the password, which the open dialog then asks for', async ({
    page,
    product: _running,
    dataDir,
    complaints,
  }) => {
    await logIn(page, await newAccount(dataDir, 'operator'));
    await expect(page).toHaveURL(/\/admin$/);
    await addAppTo(page);
    await addAppTo(page);
    await page.goto(own);
    await page.getByRole('button', { name: 'Remove My phone' }).first().click();
    const { factors } = (await callAs(page, 'GET', '/api/auth/account')) as { factors: readonly { id: string }[] };
    await callAs(page, 'DELETE', `/api/auth/factors/${factors[1]?.id}`, { password: null });
    const remove = dialog(page).getByRole('button', { name: 'Remove' });
    await remove.click();
    await expect(dialog(page).getByRole('alert')).toHaveText('Removing the last second factor needs your password.');
    await dialog(page).getByLabel('Your password').fill(password);
    await remove.click();
    await expect(toast(page)).toContainText('Second factor removed');
    forgiveStatus(complaints, 403);
  });

  test('that the server can no longer read is said to be dead, and not asked for', async ({ page }) => {
    const secondFactor = { passkey: null, code: false, hasDeadApp: true, expiresAt: new Date().toISOString() };
    await page.route('**/api/auth/login', (route) => route.fulfill({ json: { user: null, secondFactor } }));
    await logIn(page, { username: 'Bone', password });
    await expect(page.getByText('SESSION_SECRET was changed after it was added')).toBeVisible();
    await expect(page.getByLabel('Code')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Use a recovery code' })).toBeVisible();
  });
});
