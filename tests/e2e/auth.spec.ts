import { admin, expect, logInByForm, test, toast } from './support/admin.ts';
import { addUser } from '../support/user-command.ts';
import { translate } from './support/translation.ts';

test.describe('specification 2: the login page', () => {
  test('has hero text, a form and the list of what admins do', async ({ page }) => {
    await page.goto('/auth');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The back of the cave');
    await expect(page.getByText('Elders only: say your name and the secret grunt.')).toBeVisible();
    await expect(page.getByLabel('Username')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    for (const feature of [
      'Manage the Discord bot configuration',
      'Control NFT verification settings',
      'View server statistics',
      'Authorize specific wallets',
    ]) {
      await expect(page.getByRole('listitem').filter({ hasText: feature })).toBeVisible();
    }
  });

  test('shows a spinner while the session is checked', async ({ page }) => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/auth/check', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/auth');
    await expect(page.getByRole('status').filter({ hasText: 'Checking who you are' })).toBeVisible();
    await expect(page.getByLabel('Username')).toHaveCount(0);
    answer();
    await expect(page.getByLabel('Username')).toBeVisible();
  });

  test('tells password managers what the fields are, and shows the password on demand', async ({ page }) => {
    await page.goto('/auth');
    const password = page.getByLabel('Password', { exact: true });
    await expect(page.getByLabel('Username')).toHaveAttribute('autocomplete', 'username');
    await expect(password).toHaveAttribute('autocomplete', 'current-password');
    await expect(password).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(password).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    await expect(password).toHaveAttribute('type', 'password');
  });
});

test.describe('specification 5: validation of the login form', () => {
  test('says what is wrong, sends nothing and focuses the first invalid field', async ({ page }) => {
    const logins: string[] = [];
    page.on('request', (request) => request.url().endsWith('/login') && logins.push(request.url()));
    await page.goto('/auth');
    await logInByForm(page, { username: 'o', password: 'abc' });
    await expect(page.getByText('Username must be at least 2 characters.', { exact: true })).toBeVisible();
    await expect(page.getByText('Password must be at least 4 characters.', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Username')).toBeFocused();
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username must be at least 2 characters.');
    await page.getByLabel('Username').fill('og');
    await expect(page.getByText('Username must be at least 2 characters.')).toHaveCount(0);
    expect(logins).toEqual([]);
  });
});

test.describe('specification 4 and 8: logging in', () => {
  test("welcomes the admin, leads to /admin and does not say 'Already logged in'", async ({ page }) => {
    await page.goto('/auth');
    await logInByForm(page, admin);
    await expect(page).toHaveURL(/\/admin$/);
    await expect(toast(page)).toContainText('Login successful');
    await expect(toast(page)).toContainText(`Welcome, ${admin.username}!`);
    await expect(page.getByText(`Logged in as ${admin.username}`)).toBeVisible();
    await expect(page.getByText('Already logged in')).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(`Logged in as ${admin.username}`)).toBeVisible();
  });

  test('works with the keyboard alone, and two presses of Enter are one login', async ({ page }) => {
    let logins = 0;
    page.on('request', (request) => (logins += Number(request.url().endsWith('/api/auth/login'))));
    await page.goto('/auth');
    await page.getByLabel('Username').fill(admin.username);
    await page.keyboard.press('Tab');
    await page.keyboard.insertText(admin.password);
    await page.getByLabel('Password', { exact: true }).evaluate((field: HTMLInputElement) => {
      field.form?.requestSubmit();
      field.form?.requestSubmit();
    });
    await expect(page).toHaveURL(/\/admin$/);
    expect(logins).toBe(1);
  });

  test("a wrong password shows 'Login failed' and the server's message, and focuses the password", async ({ page }) => {
    await page.goto('/auth');
    const answered = page.waitForResponse('**/api/auth/login');
    await logInByForm(page, { ...admin, password: 'not-the-password' });
    const { message } = (await (await answered).json()) as { message: string };
    await expect(toast(page)).toContainText('Login failed');
    await expect(toast(page)).toContainText(message);
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await expect(page.getByLabel('Username')).toHaveValue(admin.username);
    await expect(page).toHaveURL(/\/auth$/);
  });

  test('a page that the browser translates stays whole while the button is busy', async ({ page }) => {
    await page.goto('/auth');
    await expect(page.getByLabel('Username')).toBeVisible();
    await translate(page);
    await logInByForm(page, { ...admin, password: 'not-the-password' });
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The back of the cave');
  });

  test("when the server does not answer it says 'Login failed', the reason stays visible, and the next try works", async ({
    page,
    complaints,
  }) => {
    await page.goto('/auth');
    await expect(page.getByLabel('Username')).toBeVisible();
    await page.context().setOffline(true);
    await logInByForm(page, admin);
    await expect(page.getByRole('alert')).toContainText('The server did not answer.');
    await page.context().setOffline(false);
    await expect(toast(page)).toContainText('Login failed');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/admin$/);
    // The browser reports the failed request by itself.
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('ERR_INTERNET')));
  });

  test("a visit that begins signed in shows 'Already logged in' and leads on to /admin", async ({ page, signIn }) => {
    await signIn('/admin');
    await page.goto('/auth');
    await expect(page).toHaveURL(/\/admin$/);
    await expect(toast(page)).toContainText('Already logged in');
    await expect(toast(page)).toContainText('You are already logged in');
    await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  });
});

test.describe('specification 4: logging out', () => {
  test('says so, ends at /auth, and /admin leads back there', async ({ page }) => {
    await page.goto('/auth');
    await logInByForm(page, admin);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/auth$/);
    await expect(toast(page)).toContainText('Logout successful');
    await expect(toast(page)).toContainText('You have been logged out.');
    await expect(page.getByText('Your session has ended')).toHaveCount(0);
    await page.goto('/admin?tab=activity');
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByLabel('Username')).toBeVisible();
  });

  test("when it fails it says 'Logout failed', and the admin stays", async ({ page, signIn, complaints }) => {
    await signIn();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect.poll(() => complaints.some((text) => text.includes('ERR_INTERNET'))).toBe(true);
    await page.context().setOffline(false);
    await expect(toast(page)).toContainText('Logout failed');
    await expect(page.getByText(`Logged in as ${admin.username}`)).toBeVisible();
    complaints.length = 0;
  });
});

test.describe('rulings R2: a signed-in user without isAdmin', () => {
  // A name that is markup must stay text wherever it is shown.
  const user = { username: '<b>ugga</b>', password: 'no-elder-yet' } as const;

  test.beforeAll(async ({ product: _running, dataDir }) => {
    await addUser({ DATA_DIR: dataDir }, user);
  });

  test('ends at /auth, which says so and offers Logout, and is never sent back and forth', async ({ page }) => {
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
    await page.goto('/admin');
    await expect(page).toHaveURL(/\/auth$/);
    await logInByForm(page, user);
    await expect(toast(page)).toContainText(`Welcome, ${user.username}!`);
    const sentence = page.getByText(`Signed in as ${user.username}. This account has no admin access.`);
    await expect(sentence).toBeVisible();
    await page.goto('/admin');
    await expect(sentence).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
    await page.reload();
    await expect(sentence).toBeVisible();
    expect(visited).toEqual(['/admin', '/auth', '/admin', '/auth', '/auth']);
    await expect(page.getByText('Already logged in')).toHaveCount(0);

    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(toast(page)).toContainText('Logout successful');
    await expect(page.getByLabel('Username')).toBeVisible();
  });

  test('is shown as text in the activity log', async ({ page, signIn }) => {
    await signIn(`/admin?tab=activity&subject=${encodeURIComponent(user.username)}`);
    const added = page.getByRole('listitem').filter({ hasText: 'User added' });
    await expect(added).toContainText(user.username);
    await expect(added).toContainText('Command line');
  });
});
