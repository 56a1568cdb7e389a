import type { Page } from '@playwright/test';
import { newAccount } from './support/accounts.ts';
import { problemsOf } from './support/accessibility.ts';
import { admin, expect, logInByForm, test, toast } from './support/admin.ts';

const tabs = ['Discord Bot', 'Telegram Bot', 'Activity', 'Treasury', 'Payouts', 'Accounts'] as const;

/** As when someone comes back from another tab. */
const lookAgain = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));

test.describe('specification 2: the admin guard', () => {
  test('shows a spinner while the session is checked, and nothing of the dashboard', async ({ page, signIn }) => {
    await signIn();
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/auth/check', async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await expect(page.getByRole('status').filter({ hasText: 'Checking who you are' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toHaveCount(0);
    answer();
    await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  });

  test('sends a visitor without a session to /auth, and back to where they were headed after the login', async ({
    page,
  }) => {
    await page.goto('/admin?tab=activity');
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByText('Your session has ended')).toHaveCount(0);
    await logInByForm(page, admin);
    await expect(page).toHaveURL(/\/admin\?tab=activity$/);
    await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true');
  });

  // Specification 4: any failure of the check means no user.
  test('treats a failed check as no user', async ({ page, signIn, complaints }) => {
    await signIn();
    await page.route('**/api/auth/check', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await page.reload();
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByLabel('Username')).toBeVisible();
    // The browser reports the failed request by itself; the page does not mention it.
    expect(complaints.every((text) => text.includes('status of 503'))).toBe(true);
    complaints.length = 0;
  });

  test('keeps the admin when a wrong password is refused or a later check fails', async ({
    page,
    signIn,
    complaints,
  }) => {
    await signIn('/admin?tab=accounts');
    await page.route('**/api/auth/check', (route) => route.abort());
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await page.getByLabel('Your password').fill('not-the-password');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('alert')).toHaveText('The password is wrong.');
    const failed = page.waitForEvent('requestfailed');
    await lookAgain(page);
    await failed;
    await expect(page.getByLabel('Your password')).toHaveValue('not-the-password');
    await expect(page).toHaveURL(/\/admin\?tab=accounts$/);
    complaints.length = 0;
  });

  test('names who is signed in by now when the tab is looked at again, and shows what is theirs', async ({
    page,
    dataDir,
  }) => {
    const user = await newAccount(dataDir, 'admin');
    await page.goto('/admin?tab=accounts&view=all');
    await logInByForm(page, admin);
    await expect(page.getByText(`Logged in as ${admin.username}`)).toBeVisible();
    const theirs = page.getByRole('listitem').filter({ hasText: user.username });
    await expect(theirs).not.toContainText('You');
    expect((await page.request.post('/api/auth/login', { data: user })).ok()).toBe(true);
    await lookAgain(page);
    await expect(page.getByText(`Logged in as ${user.username}`)).toBeVisible();
    await expect(theirs).toContainText('You');
  });

  test('notices a session that ended meanwhile, says so and leads back after the login', async ({ page }) => {
    await page.goto('/admin?tab=activity');
    const refresh = (): Promise<unknown> => page.getByRole('button', { name: 'Refresh' }).click();
    for (const notice of [refresh, () => lookAgain(page)]) {
      await logInByForm(page, admin);
      await expect(page).toHaveURL(/\/admin\?tab=activity$/);
      await expect(page.getByRole('list', { name: 'Changes' })).toBeVisible();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.context().clearCookies();
      await notice();
      await expect(page).toHaveURL(/\/auth$/);
      await expect(
        page.getByText('Your session has ended. Log in again to continue where you left off.'),
      ).toBeVisible();
      await expect(toast(page)).toHaveCount(0);
    }
    await logInByForm(page, admin);
    await expect(page).toHaveURL(/\/admin\?tab=activity$/);
  });
});

test.describe('specification 2: the dashboard', () => {
  test("has the header 'Admin Dashboard', 'Logged in as …', a Logout button and the tabs", async ({ page, signIn }) => {
    await signIn();
    await expect(page.getByText(`Logged in as ${admin.username}`)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
    const list = page.getByRole('tablist', { name: 'Admin area' });
    await expect(list.getByRole('tab')).toHaveText([...tabs]);
    await expect(list.getByRole('tab', { name: 'Discord Bot' })).toHaveAttribute('aria-selected', 'true');
    await expect(page).toHaveTitle(/Admin Dashboard/);
  });

  test('keeps the tab in the address, so that a reload shows it again', async ({ page, signIn }) => {
    await signIn();
    for (const name of tabs) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.reload();
      await expect(page.getByRole('tab', { name, exact: true })).toHaveAttribute('aria-selected', 'true');
    }
  });

  test('can be used with the keyboard: arrows move between the tabs', async ({ page, signIn }) => {
    await signIn();
    await page.getByRole('tab', { name: 'Discord Bot' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Telegram Bot' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true');
  });
});

test.describe('specification 1: the public pages', () => {
  for (const path of ['/', '/nft', '/rockfolio', '/telegram']) {
    test(`${path} is the same for an admin, and makes no call of the admin area`, async ({ page, signIn }) => {
      const words = async (): Promise<string> => {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        // Parts that come only from API answers appear after the page.
        await page.waitForLoadState('networkidle');
        const parts = [page.getByRole('banner'), page.getByRole('contentinfo'), page.locator('h2')];
        return String(await Promise.all(parts.map((part) => part.allInnerTexts())));
      };
      const asAnybody = await words();
      await signIn();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      expect(await words()).toBe(asAnybody);
      await page.waitForLoadState('networkidle');
      expect(
        asked.filter((name) => /^\/api\/(auth|audit|admin|telegram|discord)|auth-page|admin-page/.test(name)),
      ).toEqual([]);
    });
  }

  test('the admin area is hidden from search engines', async ({ product }) => {
    const sitemap = await (await fetch(`${product.url}/sitemap.xml`)).text();
    for (const path of ['/auth', '/admin']) {
      expect(sitemap).not.toContain(path);
      const answer = await fetch(product.url + path);
      expect(await answer.text()).toContain('<meta name="robots" content="noindex">');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });
});

test.describe('the admin area for everybody', () => {
  const places = [
    '/auth',
    '/admin',
    '/admin?view=servers',
    '/admin?tab=activity',
    '/admin?tab=treasury',
    '/admin?tab=treasury&view=movements',
    '/admin?tab=treasury&view=names',
    '/admin?tab=accounts',
    '/admin?tab=accounts&view=sessions',
    '/admin?tab=accounts&view=all',
  ] as const;

  for (const colorScheme of ['dark', 'light'] as const) {
    test(`has no accessibility problem in ${colorScheme} (WCAG 2.2 AA)`, async ({ page, signIn }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const problems: string[] = [];
      for (const path of places) {
        await (path === '/auth' ? page.goto(path) : signIn(path));
        await expect(page.getByText('Loading...')).toHaveCount(0);
        await expect(page.getByText('Checking who you are')).toHaveCount(0);
        problems.push(...(await problemsOf(page)).map((problem) => `${path} ${problem}`));
      }
      expect(problems).toEqual([]);
    });
  }

  test('never scrolls sideways on a phone', async ({ page, signIn }) => {
    for (const width of [320, 375, 768]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of places) {
        await (path === '/auth' ? page.goto(path) : signIn(path));
        const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflowPx, `${path} at ${width} px`).toBeLessThanOrEqual(0);
      }
      await page.context().clearCookies();
    }
  });

  test('with forced colors, fields and buttons have an edge, and the current page and tab are marked', async ({
    page,
    signIn,
  }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    const edgeOf = (element: Element): string[] => {
      const { borderTopStyle, borderTopWidth, clipPath } = getComputedStyle(element, '::before');
      return [borderTopStyle, borderTopWidth, clipPath];
    };
    const edge = ['solid', '1px', 'none'];
    await page.goto('/nft');
    const linkLineOf = (link: string): Promise<string> =>
      page
        .locator(`header .nav-link${link}`)
        .first()
        .evaluate((found) => getComputedStyle(found).borderBottomColor);
    expect(await linkLineOf('[aria-current]')).not.toBe(await linkLineOf(':not([aria-current])'));
    await page.goto('/auth');
    const field = page.locator('.field-box').filter({ has: page.getByLabel('Username') });
    expect(await field.evaluate(edgeOf)).toEqual(edge);
    expect(await page.getByRole('button', { name: 'Log in' }).evaluate(edgeOf)).toEqual(edge);
    await signIn('/admin?tab=discord');
    const lineOf = (name: string): Promise<string> =>
      page.getByRole('tab', { name }).evaluate((tab) => getComputedStyle(tab).borderBottomColor);
    expect(await lineOf('Discord Bot')).not.toBe(await lineOf('Telegram Bot'));
  });

  test('with JavaScript off says that it needs JavaScript', async ({ browser, product }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
    const page = await context.newPage();
    for (const path of ['/auth', '/admin']) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('paragraph')).toHaveText('The admin area needs JavaScript.');
      await expect(page.getByRole('main').getByRole('paragraph')).toBeVisible();
      await expect(page.getByText('Checking who you are')).toBeHidden();
    }
    await context.close();
  });
});
