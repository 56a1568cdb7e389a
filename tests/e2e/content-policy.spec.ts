import type { Page } from '@playwright/test';

import { admin, expect, logInByForm, test } from './support/admin.ts';
import { alive } from './support/alive.ts';
import { seeded, setUp } from './support/discord-life.ts';
import { publicPages } from './support/public-pages.ts';
import { installWallet } from './support/sui-wallet.ts';
import { callAs, setUpGroup } from './support/telegram-groups.ts';
import { chooseWallet, open, sign } from './support/verify-scene.ts';

/** Collects everything that the content policy of a page blocks, from the start of its loading. */
async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('tellViolation', (what: string) => violations.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { tellViolation } = window as unknown as { tellViolation: (what: string) => void };
      tellViolation(`${location.pathname}: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  return violations;
}

/** Unfolds everything on the current page. */
async function openEverything(page: Page): Promise<void> {
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
}

test('in the whole product, no page breaks its own content policy', async ({ page, product, signIn, complaints }) => {
  const violations = await watchViolations(page);
  await signIn('/admin');
  await callAs(page, 'POST', '/api/discord/init');
  await setUpGroup(page, product, 'Cave of rules');
  await setUp(product);
  const { guildId } = await seeded(product);
  const adminPages = [
    '/admin',
    '/admin?view=servers',
    `/admin?view=servers&statistics=${guildId}`,
    `/admin?view=servers&wallets=${guildId}`,
    '/admin?tab=telegram',
    '/admin?tab=telegram&view=configurations',
    '/admin?tab=activity',
    '/admin?tab=treasury',
    '/admin?tab=treasury&view=movements',
    '/admin?tab=treasury&view=names',
    '/admin?tab=payouts',
    '/admin?tab=payouts&draft=new',
  ];
  for (const address of [...publicPages, '/no-such-rock', ...adminPages]) {
    await page.goto(address);
    await openEverything(page);
  }
  await page.goto('/telegram');
  await alive(page.getByRole('tab', { name: 'Bot Commands' }));
  await page.getByRole('tab', { name: 'Bot Commands' }).click();
  await installWallet(page);
  await open(page);
  await chooseWallet(page);
  await sign(page);
  await expect(page.getByText('The role is given.')).toBeVisible();
  await page.context().clearCookies();
  await page.goto('/auth');
  await logInByForm(page, admin);
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  expect(violations).toEqual([]);
  // The browser reports the 404 of the page that does not exist.
  expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
  complaints.length = 0;
});

test('no page breaks its content policy when reached by navigation inside the site', async ({ page, complaints }) => {
  const violations = await watchViolations(page);
  await page.goto('/privacy');
  for (const to of ['/', '/nft', '/rockfolio', '/']) {
    const link = page.locator(`a[href="${to}"]:visible`).first();
    await alive(link);
    await link.click();
    await expect(page).toHaveURL(new RegExp(`${to}$`));
    await openEverything(page);
  }
  expect([violations, complaints]).toEqual([[], []]);
});

test('a script injected into a page does not run, and is reported', async ({ page, complaints }) => {
  const violations = await watchViolations(page);
  await page.goto('/rockfolio');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.append('document.title = "taken over"');
    const image = document.createElement('img');
    image.src = 'https://evil.example/rock.png';
    document.body.append(script, image);
  });
  await expect
    .poll(() => new Set(violations.map((line) => line.split(' ')[1])))
    .toEqual(new Set(['img-src', 'require-trusted-types-for']));
  await expect(page).not.toHaveTitle('taken over');
  complaints.length = 0;
});

test('on no page can a text become markup or a script, and each attempt is reported', async ({ page, complaints }) => {
  const violations = await watchViolations(page);
  for (const address of [...publicPages, '/auth', '/verify/none']) {
    await page.goto(address);
    const refused = await page.evaluate(() => {
      const tries = [
        () => (document.body.innerHTML = '<img src=x onerror="document.title=1">'),
        () => document.body.insertAdjacentHTML('beforeend', '<b>taken over</b>'),
        () => (document.createElement('script').text = 'document.title = "taken over"'),
      ];
      return tries.filter((attempt) => {
        try {
          attempt();
          return false;
        } catch (error) {
          return error instanceof TypeError;
        }
      }).length;
    });
    expect([address, refused]).toEqual([address, 3]);
  }
  expect(violations.filter((line) => line.includes('require-trusted-types-for'))).not.toEqual([]);
  complaints.length = 0;
});

test('no other site can frame a page of the product (clickjacking)', async ({ page, product, complaints }) => {
  await page.route('https://evil.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${product.url}/auth"></iframe>` }),
  );
  await page.goto('https://evil.example/');
  await expect.poll(() => page.frames()[1]?.url()).toContain('chrome-error:');
  complaints.length = 0;
});
