import { addAppTo, all, dialog, logIn, newAccount, own, password, sessions } from './support/accounts.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';

test.describe('rights', () => {
  test('show a treasurer and an operator only their own tabs, and one sentence at the address of another tab', async ({
    page,
    product: _running,
    dataDir,
  }) => {
    const list = page.getByRole('tablist', { name: 'Admin area' });
    for (const [rights, tabs, foreign, sentence] of [
      [
        'treasurer',
        ['Activity', 'Treasury', 'Payouts', 'Accounts'],
        '/admin?tab=telegram',
        'The tab ‘Telegram Bot’ needs the right ‘operator’.',
      ],
      [
        'operator',
        ['Discord Bot', 'Telegram Bot', 'Activity', 'Accounts'],
        '/admin?tab=treasury',
        'The tab ‘Treasury’ needs the right ‘treasurer’.',
      ],
    ] as const) {
      await page.context().clearCookies();
      await logIn(page, await newAccount(dataDir, rights));
      await expect(list.getByRole('tab')).toHaveText([...tabs]);
      await expect(list.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true');
      await page.goto(foreign);
      await expect(page.getByText(sentence)).toBeVisible();
      expect(await problemsOf(page)).toEqual([]);
      await page.goto(all);
      await expect(page.getByRole('tab', { name: 'All accounts' })).toHaveCount(0);
      await list.getByRole('tab', { name: 'Activity' }).click();
      await expect(page.getByRole('list', { name: 'Changes' })).toBeVisible();
    }
  });

  test('of the last admin cannot be taken away', async ({ page, signIn, complaints }) => {
    await signIn(all);
    await page.getByRole('button', { name: 'Change rights of ogg' }).click();
    await dialog(page).getByLabel('Rights').selectOption('None (no access)');
    const list = page.getByRole('list', { name: 'All accounts' });
    for (const line of await list.getByRole('listitem').filter({ hasText: 'Rights: Admin' }).all()) {
      await expect(line).toContainText('ogg');
    }
    await dialog(page).getByRole('button', { name: 'Save rights' }).click();
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'ogg is the last admin: make somebody else an admin first.',
    );
    forgiveStatus(complaints, 403);
  });
});

test('the dashboard names who is signed in by now when it is opened again', async ({
  page,
  product: _running,
  dataDir,
}) => {
  await logIn(page, await newAccount(dataDir, 'admin'));
  await page.getByRole('banner').getByRole('link', { name: 'NFTs' }).click();
  await expect(page).toHaveURL(/\/nft$/);
  const another = await newAccount(dataDir, 'operator');
  expect((await page.request.post('/api/auth/login', { data: another })).ok()).toBe(true);
  await page.goBack();
  await expect(page.getByText(`Logged in as ${another.username}`)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Payouts' })).toHaveCount(0);
});

test('ASVS 7.5.2: users see their sessions and can end them', async ({ page, browser, product, dataDir }) => {
  const user = await newAccount(dataDir, 'operator');
  const elsewhere = await browser.newContext({ baseURL: product.url });
  const other = await elsewhere.newPage();
  await logIn(other, user);
  await expect(other).toHaveURL(/\/admin$/);
  await logIn(page, user);
  await expect(page).toHaveURL(/\/admin$/);
  await page.goto(sessions);
  const list = page.getByRole('list', { name: 'Your sessions' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('Chrome on Linux');
  await expect(list.getByRole('listitem').first()).toContainText('This one');
  await list.getByRole('button', { name: 'End' }).click();
  await expect(toast(page)).toContainText('Session ended');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await other.reload();
  await expect(other).toHaveURL(/\/auth$/);
  await elsewhere.close();
});

for (const width of [360, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, hasTouch: width < 400 });

    test('every control can be pressed and nothing is off the screen', async ({ page, product: _running, dataDir }) => {
      const user = await newAccount(dataDir, 'admin');
      await logIn(page, user);
      await expect(page).toHaveURL(/\/admin$/);
      await addAppTo(page);
      for (const [place, list] of [
        [own, 'Second factor'],
        [sessions, 'Your sessions'],
        [all, 'All accounts'],
      ] as const) {
        await page.goto(place);
        await expect(page.getByRole('list', { name: list }).getByRole('listitem').first()).toBeVisible();
        expect(await problemsOf(page), place).toEqual([]);
        if (width < 400) expect(await smallTargets(page), place).toEqual([]);
        expect(await textsOffScreen(page), place).toEqual([]);
      }
      await page.goto(own);
      await page.getByRole('button', { name: 'Add an authenticator app' }).click();
      await dialog(page).getByLabel('Your password').fill(password);
      await dialog(page).getByRole('button', { name: 'Continue' }).click();
      await expect(dialog(page).getByRole('img', { name: 'QR code of the secret below' })).toBeVisible();
      if (width < 400) await expect.poll(() => smallTargets(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.context().clearCookies();
      await logIn(page, user);
      await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
      if (width < 400) expect(await smallTargets(page)).toEqual([]);
      expect(await textsOffScreen(page)).toEqual([]);
      expect(await problemsOf(page)).toEqual([]);
    });
  });
}
