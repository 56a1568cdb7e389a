import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type Page, chromium } from '@playwright/test';
import { startProduct } from '../tests/support/product.ts';
import { chromiumArgs, ensureChromium } from './chromium.ts';

/** `npm run screenshots`: every page, phone and desktop, both themes, into docs/screenshots (or the folder that is named). */
const pages = {
  home: '/',
  nft: '/nft',
  rockfolio: '/rockfolio',
  telegram: '/telegram',
  privacy: '/privacy',
  terms: '/terms',
  'not-found': '/no-such-cave',
  auth: '/auth',
} as const;
/** For an admin alone. */
const adminPages = {
  'admin-discord': '/admin',
  'admin-telegram': '/admin?tab=telegram',
  'admin-activity': '/admin?tab=activity',
} as const;
const admin = { username: 'ogg', password: 'rock-solid-password' } as const;
const widths = { phone: 375, desktop: 1280 } as const;
const themes = ['dark', 'light'] as const;
const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'screenshots');

/** Pictures further down load when they come into sight. */
const seeEverything = async (page: Page): Promise<void> => {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode())]);
  });
};

const photograph = async (browser: Browser, origin: string, theme: 'dark' | 'light'): Promise<void> => {
  for (const [device, width] of Object.entries(widths)) {
    const context = await browser.newContext({
      baseURL: origin,
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    const take = async (shown: Readonly<Record<string, string>>): Promise<void> => {
      for (const [name, path] of Object.entries(shown)) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await seeEverything(page);
        await page.screenshot({ path: join(folder, `${name}-${device}-${theme}.jpg`), fullPage: true, quality: 72 });
      }
    };
    await take(pages);
    await page.request.post('/api/auth/login', { data: admin });
    await take(adminPages);
    await context.close();
  }
};

await mkdir(folder, { recursive: true });
const product = await startProduct({
  env: { TREASURY_REFRESH_MS: '5000', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
});
const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumArgs] });
try {
  // The answer waits for the first snapshot, so every picture shows real figures.
  await fetch(`${product.url}/api/treasury/balance`);
  for (const theme of themes) await photograph(browser, product.url, theme);
} finally {
  await browser.close();
  await product.stop();
}
