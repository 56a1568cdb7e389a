import type { ConsoleMessage, Cookie, Page } from '@playwright/test';
import { type Product, startProduct, untilTreasuryIsRead } from '../../support/product.ts';
import { temporaryDataDir } from '../../support/temporary-data-dir.ts';
import { expect, test as base } from './browser.ts';

export { expect };

/** The admin that the product creates at its start (rulings R1). */
export const admin = { username: 'ogg', password: 'rock-solid-password' } as const;

interface AdminFixtures {
  /** Opens a page of the admin area as an admin. */
  readonly signIn: (path?: string) => Promise<void>;
}

interface AdminWorkerFixtures {
  /** More environment for the product: `test.use({ productEnv: { … } })`. */
  readonly productEnv: Record<string, string>;
  readonly dataDir: string;
  readonly product: Product;
  /** One session for the whole worker: logins are throttled, and only tests of the login need their own. */
  readonly sessionCookies: readonly Cookie[];
}

/**
 * Errors that the browser reports for answers with a meaning in specification 7: 401 from the check of a visitor who is
 * not signed in; an error of invite-url, which means that the community-server bot is offline.
 */
const isSpecified = (message: ConsoleMessage): boolean =>
  /Failed to load resource: .* status of 401/.test(message.text()) ||
  (message.text().includes('status of 409') && message.location().url.endsWith('/api/discord/invite-url'));

export const test = base.extend<AdminFixtures, AdminWorkerFixtures>({
  productEnv: [{}, { scope: 'worker', option: true }],
  dataDir: [
    async ({ playwright: _unused }, use) => {
      const folder = await temporaryDataDir();
      await use(folder.path);
      await folder.remove();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ productEnv, dataDir }, use) => {
      const product = await startProduct({
        env: {
          DATA_DIR: dataDir,
          ADMIN_USERNAME: admin.username,
          ADMIN_PASSWORD: admin.password,
          ...productEnv,
        },
      });
      await untilTreasuryIsRead(product.url);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  sessionCookies: [
    async ({ product, playwright }, use) => {
      const client = await playwright.request.newContext({ baseURL: product.url });
      const answer = await client.post('/api/auth/login', { data: admin });
      expect(answer.status(), await answer.text()).toBe(200);
      const { cookies } = await client.storageState();
      await client.dispose();
      await use(cookies);
    },
    { scope: 'worker' },
  ],
  signIn: async ({ page, sessionCookies }, use) => {
    await use(async (path = '/admin') => {
      await page.context().addCookies([...sessionCookies]);
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
    });
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !isSpecified(message)) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await use(complaints);
    expect(complaints, 'the browser complained').toEqual([]);
  },
});

/** Fills in the login form of /auth and sends it. For tests of the login itself; every other test has `signIn`. */
export const logInByForm = async (page: Page, { username, password }: { username: string; password: string }) => {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
};

/** The one toast that can be visible. */
export const toast = (page: Page) => page.getByRole('region', { name: /notifications/i }).getByRole('listitem');
