import { verifyPersonalMessageSignature } from '@mysten/sui/verify';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from './support/browser.ts';
import { installWallet, walletAddress } from './support/sui-wallet.ts';
import {
  chooseWallet,
  forgive,
  found,
  link,
  message,
  open,
  outcome,
  refusal,
  sign,
  token,
} from './support/verify-scene.ts';

/** How the page handles every answer; the calls themselves are tested in tests/server/discord-verify.test.ts. */
test('the page says whom the link is for, until when it is valid, and what a thief would do', async ({ page }) => {
  await installWallet(page);
  await open(page);
  await expect(page.getByText('For Gwen in the Discord server Rock Mountain')).toContainText('expires in 12 min');
  await expect(page.getByText('Nobody here ever asks for your seed phrase')).toBeVisible();
  await expect(page).toHaveTitle(/Link your wallet/);
});

test('the page connects, shows the message, gets exactly that message signed, and shows what the server found', async ({
  page,
}) => {
  await installWallet(page);
  const { signed } = await open(page);
  await chooseWallet(page);
  await expect(page.getByText('Nonce: abc')).toBeVisible();
  await sign(page);
  await expect(page.getByRole('heading', { name: 'You have the role' })).toBeVisible();
  await expect(page.getByText(found)).toBeVisible();
  const [only] = signed;
  expect(signed).toHaveLength(1);
  await verifyPersonalMessageSignature(new TextEncoder().encode(message), only?.signature ?? '', {
    address: walletAddress(),
  });
});

test('with several accounts in the wallet, the member chooses one', async ({ page }) => {
  await installWallet(page, { accountCount: 2 });
  const { signed } = await open(page);
  await chooseWallet(page);
  await page.getByRole('button', { name: walletAddress(2).slice(0, 6) }).click();
  await sign(page);
  await expect(page.getByRole('heading', { name: 'You have the role' })).toBeVisible();
  expect(signed[0]?.wallet).toBe(walletAddress(2));
});

test('a link that expires while the page is open accepts no signature', async ({ page }) => {
  await page.clock.install();
  await installWallet(page);
  await open(page, { link: [200, { data: { ...link, expiresAt: new Date(Date.now() + 20_000).toISOString() } }] });
  await chooseWallet(page);
  await expect(page.getByRole('button', { name: 'Sign in wallet' })).toBeVisible();
  await page.clock.runFor(40_000);
  await expect(page.getByRole('alert')).toHaveText('This link has expired: use /verify in Discord to get a new one.');
  await expect(page.getByRole('button', { name: 'Sign in wallet' })).toHaveCount(0);
});

test('without a wallet the page says what to do; a wallet that registers later appears', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('heading', { name: 'No Sui wallet in this browser' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText(/^(Copied!|Not copied)$/)).toBeVisible();
  await page.evaluate(() => {
    const wallet = {
      version: '1.0.0',
      name: 'Late Wallet',
      icon: 'data:image/png;base64,',
      chains: ['sui:mainnet'],
      accounts: [],
      features: { 'standard:connect': {}, 'sui:signPersonalMessage': {} },
    };
    window.dispatchEvent(
      new CustomEvent('wallet-standard:register-wallet', {
        detail: ({ register }: { register: (given: object) => void }) => register(wallet),
      }),
    );
  });
  await expect(page.getByRole('button', { name: 'Late Wallet' })).toBeVisible();
});

test.describe('whatever the wallet does, there is a next step', () => {
  test('it rejects the connection', async ({ page }) => {
    await installWallet(page, { connect: 'reject' });
    await open(page);
    await chooseWallet(page);
    await expect(page.getByRole('alert')).toContainText('You did not let Cave Wallet connect');
    await expect(page.getByRole('button', { name: 'Cave Wallet' })).toBeEnabled();
  });

  test('it never answers', async ({ page }) => {
    await installWallet(page, { connect: 'never' });
    await open(page);
    await chooseWallet(page);
    await expect(page.getByText('Waiting for Cave Wallet to connect.')).toBeVisible();
    await page.getByRole('button', { name: 'Choose another wallet' }).click();
    await expect(page.getByRole('button', { name: 'Cave Wallet' })).toBeEnabled();
  });

  test('it rejects the signature: the same message can be signed again', async ({ page }) => {
    await installWallet(page, { sign: 'reject' });
    const { signed } = await open(page);
    await chooseWallet(page);
    await sign(page);
    await expect(page.getByRole('alert')).toContainText('You did not sign in Cave Wallet');
    await expect(page.getByRole('button', { name: 'Sign in wallet' })).toBeEnabled();
    expect(signed).toHaveLength(0);
  });

  test('its account is on another network', async ({ page }) => {
    await installWallet(page, { chain: 'sui:testnet' });
    await open(page);
    await chooseWallet(page);
    await expect(page.getByRole('alert')).toContainText('This account is not on Sui mainnet');
  });

  test('it removes the account', async ({ page }) => {
    await installWallet(page);
    await open(page);
    await chooseWallet(page);
    await expect(page.getByRole('button', { name: 'Sign in wallet' })).toBeVisible();
    await page.evaluate(() => (window as unknown as { loseAccounts: () => void }).loseAccounts());
    await expect(page.getByRole('alert')).toContainText('no longer shows the account');
  });
});

test.describe('whatever the server answers is shown on the page', () => {
  for (const [status, code, sentence] of [
    [404, 'no-such-link', 'We did not make this verification link.'],
    [410, 'link-expired', 'This link has expired: links last 15 minutes.'],
    [410, 'link-used', 'This link has been used.'],
  ] as const) {
    test(`about the link: ${code}`, async ({ page, complaints }) => {
      await open(page, { link: [status, refusal(code, sentence)] });
      await expect(page.getByRole('alert')).toHaveText(sentence);
      await expect(page.getByRole('link', { name: 'Back to Discord' })).toBeVisible();
      forgive(complaints);
    });
  }

  test('a link that was copied only in part is refused at once', async ({ page }) => {
    await page.goto('/verify/abc');
    await expect(page.getByRole('alert')).toContainText('not a whole verification link');
    await expect(page.getByRole('link', { name: 'Back to Discord' })).toBeVisible();
  });

  test('about the link: it cannot be read now, and can be tried again', async ({ page, complaints }) => {
    await open(page, { link: [503, refusal('database-unavailable', 'This is not available right now.')] });
    await expect(page.getByRole('alert')).toHaveText('This is not available right now.');
    await page.route(`**/api/verify/${token}`, (route) => route.fulfill({ json: { data: link } }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('For Gwen in the Discord server')).toBeVisible();
    forgive(complaints);
  });

  for (const [status, code, sentence] of [
    [400, 'bad-signature', 'The signature is not by this wallet.'],
    [503, 'chain-unavailable', 'The Sui network does not answer right now.'],
  ] as const) {
    test(`about the signature: ${code} leads back to the wallets`, async ({ page, complaints }) => {
      await installWallet(page, { sign: 'other-key' });
      await open(page, { signature: [status, refusal(code, sentence)] });
      await chooseWallet(page);
      await sign(page);
      await expect(page.getByRole('alert')).toHaveText(sentence);
      await expect(page.getByRole('button', { name: 'Cave Wallet' })).toBeEnabled();
      forgive(complaints);
    });
  }

  for (const [status, code, title] of [
    [409, 'wallet-taken', 'No wallet was linked'],
    [409, 'too-many-wallets', 'No wallet was linked'],
    [410, 'too-many-attempts', 'This link cannot be used'],
  ] as const) {
    test(`about the signature: ${code} ends the link`, async ({ page, complaints }) => {
      await installWallet(page);
      await open(page, { signature: [status, refusal(code, 'What the server says.')] });
      await chooseWallet(page);
      await sign(page);
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveText('What the server says.');
      forgive(complaints);
    });
  }

  for (const [kind, title] of [
    ['not-holding', 'Linked, but nothing found'],
    ['not-set-up', 'Linked; the server is not ready yet'],
    ['bot-off', 'Linked; the bot is shut down'],
  ] as const) {
    test(`about the holding: ${kind}`, async ({ page }) => {
      await installWallet(page);
      await open(page, { signature: [200, { data: { ...outcome, outcome: kind } }] });
      await chooseWallet(page);
      await sign(page);
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
    });
  }

  test('no answer at all: the connection is gone', async ({ page, complaints }) => {
    await installWallet(page);
    await open(page);
    await page.route('**/message', (route) => route.abort());
    await chooseWallet(page);
    await expect(page.getByRole('alert')).toContainText('The server did not answer');
    forgive(complaints);
  });
});

for (const width of [320, 390, 1280]) {
  test(`the page fits and is accessible at ${width} px, even with long names`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await installWallet(page);
    const longName = 'R'.repeat(100);
    await open(page, { link: [200, { data: { ...link, guildName: longName, memberName: `<b>${longName}</b>` } }] });
    await chooseWallet(page);
    await expect(page.getByText('Nonce: abc')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
}

test('with JavaScript off the page says that it needs JavaScript', async ({ browser, product }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
  const page = await context.newPage();
  await page.goto(`/verify/${token}`);
  await expect(page.getByRole('main').getByRole('paragraph')).toHaveText('Linking a wallet needs JavaScript.');
  await expect(page.getByText('Reading the link')).toBeHidden();
  await context.close();
});
