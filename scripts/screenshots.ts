import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { startProduct } from '../tests/support/product.ts';
import { chromiumArgs, ensureChromium } from './chromium.ts';
import { discordPictures, type Show, startDiscordLife, verifyPictures } from './discord-pictures.ts';
import { makePast, pastPictures } from './past-pictures.ts';
import { breakPrices, startTelegramLife, statusPictures, telegramPictures } from './telegram-pictures.ts';
import { until } from '../tests/support/until.ts';

/**
 * `npm run screenshots`: every page, phone and desktop, both themes, into docs/screenshots or a folder given as a path.
 * With names, such as `npm run screenshots -- verify-after home`, only those.
 */
const pages = {
  home: '/',
  nft: '/nft',
  rockfolio: '/rockfolio',
  telegram: '/telegram',
  'how-to-verify': '/verify',
  privacy: '/privacy',
  terms: '/terms',
  'not-found': '/no-such-cave',
  auth: '/auth',
} as const;
/** For admins only. */
const adminPages = {
  'admin-discord': '/admin',
  'admin-telegram': '/admin?tab=telegram',
  'admin-treasury': '/admin?tab=treasury',
  'admin-payouts': '/admin?tab=payouts',
  'admin-accounts': '/admin?tab=accounts',
  'admin-activity': '/admin?tab=activity',
} as const;
const admin = { username: 'ogg', password: 'rock-solid-password' } as const;
const quickTracker = { TRACKER_POLL_MIN_MS: '300', TRACKER_POLL_MAX_MS: '400' } as const;
const widths = { phone: 375, desktop: 1280 } as const;
const themes = ['dark', 'light'] as const;

const asked = process.argv.slice(2);
const folder = asked.find((text) => text.includes('/')) ?? join(import.meta.dirname, '..', 'docs', 'screenshots');
const names = asked.filter((text) => !text.includes('/'));

const atPaths = (paths: Readonly<Record<string, string>>): Readonly<Record<string, Show>> =>
  Object.fromEntries(
    Object.entries(paths).map(([name, path]): [string, Show] => [name, async (page) => void (await page.goto(path))]),
  );

const take = async (context: BrowserContext, look: string, pictures: Readonly<Record<string, Show>>): Promise<void> => {
  for (const [name, show] of Object.entries(pictures)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const page = await context.newPage();
    await show(page, product);
    await page.waitForLoadState('networkidle');
    await page.evaluate(async () => {
      // Otherwise sections and pictures below the fold are laid out and loaded only when scrolled to.
      const whole = new CSSStyleSheet();
      whole.replaceSync('* { content-visibility: visible !important }');
      document.adoptedStyleSheets.push(whole);
      for (const image of document.images) image.loading = 'eager';
      await Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode())]);
    });
    // A dialog or the line about a source covers only the visible part of the page.
    const overlays = page.getByRole('dialog').or(page.locator('.status-line').filter({ hasText: /\w/ }));
    const fullPage = (await overlays.count()) === 0;
    await page.screenshot({ path: join(folder, `${name}-${look}.jpg`), fullPage, quality: 72 });
    await page.close();
  }
};

const visitorPictures = { ...atPaths(pages), ...pastPictures, ...verifyPictures };
const adminPictures = { ...atPaths(adminPages), ...discordPictures, ...telegramPictures };
const known = Object.keys({ ...visitorPictures, ...adminPictures, ...statusPictures });
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No picture is called ${unknown.join(' or ')}. There are: ${known.join(', ')}.`);
  process.exit(1);
}

await mkdir(folder, { recursive: true });
const product = await startProduct({
  env: { TREASURY_REFRESH_MS: '5000', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, ...quickTracker },
});

const contextOf = (browser: Browser, theme: 'dark' | 'light', width: number): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: product.url,
    colorScheme: theme,
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
  });

const signedIn = async (context: BrowserContext, session: string): Promise<void> => {
  const [name = '', value = ''] = session.split('=');
  await context.addCookies([{ name, value, url: product.url }]);
};

/** For each width and theme, first as a visitor, then as an admin. */
const photograph = async (
  browser: Browser,
  session: string,
  visitor: Readonly<Record<string, Show>>,
  adminSees: Readonly<Record<string, Show>> = {},
): Promise<void> => {
  for (const theme of themes) {
    for (const [device, width] of Object.entries(widths)) {
      const context = await contextOf(browser, theme, width);
      const look = `${device}-${theme}`;
      await take(context, look, visitor);
      await signedIn(context, session);
      await take(context, look, adminSees);
      await context.close();
    }
  }
};

const trackSomething = async (browser: Browser, session: string): Promise<void> => {
  const context = await contextOf(browser, 'dark', widths.desktop);
  await signedIn(context, session);
  await startTelegramLife(product, await context.newPage());
  await context.close();
};

const signIn = async (): Promise<string> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${product.url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(admin) });
  if (!answer.ok) throw new Error(`login answered ${answer.status}: ${await answer.text()}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
};

const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumArgs] });
try {
  await until('the treasury was read', async () => (await fetch(`${product.url}/api/treasury/balance`)).ok, 60_000);
  await makePast(product, admin);
  const session = await signIn();
  await startDiscordLife(product, session);
  await trackSomething(browser, session);
  await photograph(browser, session, visitorPictures, adminPictures);
  await breakPrices(product);
  await photograph(browser, session, statusPictures);
} finally {
  await browser.close();
  await product.stop();
}
