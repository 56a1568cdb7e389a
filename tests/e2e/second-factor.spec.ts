import {
  addAppTo,
  all,
  asking,
  codeOf,
  dialog,
  logIn,
  newAccount,
  own,
  password,
  tenMinutesLater,
  withAuthenticator,
} from './support/accounts.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, logInByForm, test, toast } from './support/admin.ts';

test.describe('a second factor', () => {
  test('a passkey is added, shown with ten recovery codes once, and asked for after the password', async ({
    page,
    product: _running,
    dataDir,
    complaints,
  }) => {
    const authenticator = await withAuthenticator(page);
    const user = await newAccount(dataDir, 'treasurer');
    await logIn(page, user);
    await expect(page).toHaveURL(/\/admin$/);
    await page.goto(own);
    await expect(page.getByText('Adding the first one ends all your other sessions.')).toBeVisible();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
    await expect(dialog(page).getByText('Give it a name.')).toBeVisible();
    await expect(dialog(page).getByText('Type your password.')).toBeVisible();
    await dialog(page).getByLabel('Name').fill('My phone');
    await dialog(page).getByLabel('Your password').fill(password);
    expect(await problemsOf(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
    await expect(asking(page).getByRole('listitem')).toHaveCount(10);
    expect(await problemsOf(page)).toEqual([]);
    await asking(page).getByRole('button', { name: 'I have saved them' }).click();
    await expect(page.getByRole('list', { name: 'Second factor' })).toContainText('My phone, Passkey');
    await expect(page.getByText('10 of 10 are left.')).toBeVisible();

    await page.getByRole('button', { name: 'Logout' }).click();
    await logInByForm(page, user);
    await expect(page.getByRole('heading', { name: 'Second step' })).toBeFocused();
    await expect(page.getByLabel('Code')).toHaveCount(0);
    expect(await problemsOf(page)).toEqual([]);
    await authenticator.isRefused(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('alert')).toHaveText('The passkey was not used. Try again, or use another method.');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.getByLabel('Recovery code').fill('none of them');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toHaveText('That did not match. Try again: each code works once.');
    complaints.length = 0;
    await authenticator.isRefused(false);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page).toHaveURL(/\/admin$/);
    await expect(toast(page)).toContainText(`Welcome, ${user.username}!`);
  });

  test('an authenticator app is added by its QR code or its secret, and its code is asked for', async ({
    page,
    product: _running,
    dataDir,
    complaints,
  }) => {
    const user = await newAccount(dataDir, 'operator');
    await logIn(page, user);
    await expect(page).toHaveURL(/\/admin$/);
    await page.goto(own);
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await dialog(page).getByLabel('Your password').fill(password);
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    await expect(dialog(page).getByRole('img', { name: 'QR code of the secret below' })).toBeVisible();
    const shown = (await dialog(page).getByText('Secret:').textContent()) ?? '';
    expect(shown).toMatch(/^Secret: (?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    const secret = shown.replace('Secret:', '').replaceAll(' ', '');
    expect(await problemsOf(page)).toEqual([]);
    await dialog(page).getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await dialog(page).getByRole('button', { name: 'Add app' }).click();
    await expect(asking(page).getByRole('listitem')).toHaveCount(10);
    const codes = await asking(page).getByRole('listitem').allInnerTexts();
    await asking(page).getByRole('button', { name: 'I have saved them' }).click();

    await page.getByRole('button', { name: 'Logout' }).click();
    await logInByForm(page, user);
    await page.getByLabel('Code').fill('12');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByText('A code has six digits.')).toBeVisible();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(toast(page)).toContainText('Login failed');
    await expect(page.getByRole('alert')).toHaveText('That did not match. Try again: each code works once.');
    await page.getByLabel('Code').fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/admin$/);

    await page.getByRole('button', { name: 'Logout' }).click();
    await logInByForm(page, user);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[4] ?? '');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/admin$/);
    await page.goto(own);
    await expect(page.getByText('9 of 10 are left.')).toBeVisible();
    complaints.length = 0;
  });

  test('is asked for again in a dialog, and after too many tries once more; then the action continues', async ({
    page,
    product: _running,
    dataDir,
    complaints,
  }) => {
    const user = await newAccount(dataDir, 'admin');
    const other = await newAccount(dataDir, 'operator');
    await logIn(page, user);
    await expect(page).toHaveURL(/\/admin$/);
    const { recoveryCodes } = await addAppTo(page);
    await tenMinutesLater(page, 'PUT', '**/rights');
    await page.goto(all);
    await page.getByRole('button', { name: `Change rights of ${other.username}` }).click();
    await dialog(page).getByLabel('Rights').selectOption('Treasurer (payouts, notes, names and amounts)');
    await dialog(page).getByRole('button', { name: 'Save rights' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await expect(again).toBeVisible();
    expect(await problemsOf(page)).toEqual([]);
    await again.getByLabel('Code').fill('000000');
    await again.getByRole('button', { name: 'Confirm' }).click();
    await expect(again.getByRole('alert')).toContainText('That did not match.');
    await again.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('This needs your second factor again');

    await dialog(page).getByRole('button', { name: 'Save rights' }).click();
    for (let tried = 0; tried < 6; tried += 1) {
      const refused = page.waitForResponse('**/api/auth/confirm');
      await again.getByLabel('Code').fill('000000');
      await again.getByRole('button', { name: 'Confirm' }).click();
      await refused;
    }
    await expect(again.getByRole('alert')).toContainText('This is no longer open');
    // The dialog has a new challenge by now: the right code works without opening it again.
    await again.getByRole('button', { name: 'Use a recovery code' }).click();
    await again.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await again.getByRole('button', { name: 'Confirm' }).click();
    await expect(toast(page)).toContainText('Rights changed');
    const list = page.getByRole('list', { name: 'All accounts' });
    const line = list.getByRole('listitem').filter({ hasText: other.username });
    await expect(line).toContainText('Rights: Treasurer');
    expect(complaints.filter((text) => !/status of (403|409)/.test(text))).toEqual([]);
    complaints.length = 0;
  });
});
