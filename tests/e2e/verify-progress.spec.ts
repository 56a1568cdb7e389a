import { expect, test } from './support/browser.ts';
import { installWallet, walletAddress } from './support/sui-wallet.ts';
import { translate } from './support/translation.ts';
import { chooseWallet, forgive, found, given, open, outcome, refusal, rule, sign } from './support/verify-scene.ts';

const onItsWay = { isGiven: false, outcome: 'role-coming', sentences: outcome.sentences };
const notKnown = { isGiven: false, outcome: 'unknown', sentences: ['Not known yet.'] };

test("the last screen begins with 'You have the role' and what was found, then the rest", async ({ page }) => {
  await installWallet(page);
  await open(page);
  await chooseWallet(page);
  await sign(page);
  const card = page.getByRole('main').locator('.slab');
  await expect(card.getByRole('heading')).toHaveText('You have the role');
  await expect(card).toHaveText(/^You have the role3 rocks/);
  await expect(card.getByRole('listitem')).toHaveText([found, 'The role is given.', rule]);
});

test.describe('after signing, the page', () => {
  test('polls the outcome until the role is given', async ({ page }) => {
    await page.clock.install();
    await installWallet(page);
    await open(page);
    const asked: unknown[] = [];
    await page.route('**/outcome', (route) => {
      asked.push(route.request().postDataJSON());
      const data = asked.length < 3 ? onItsWay : given;
      return route.fulfill({ json: { data } });
    });
    await chooseWallet(page);
    await sign(page);
    await expect(page.getByText('The role is on its way.')).toBeVisible();
    await expect(page.getByText('The role is given.')).toBeVisible();
    await expect(page.getByText('The role is on its way.')).toHaveCount(0);
    await page.clock.runFor(200_000);
    expect(asked).toEqual(Array.from({ length: 3 }, () => ({ receipt: outcome.receipt })));
  });

  test('also shows a role that is not known at first because the check takes long', async ({ page }) => {
    await page.clock.install();
    await installWallet(page);
    await open(page, { signature: [200, { data: { ...outcome, ...notKnown } }] });
    let isDone = false;
    await page.route('**/outcome', (route) => route.fulfill({ json: { data: isDone ? given : notKnown } }));
    await chooseWallet(page);
    await sign(page);
    await expect(page.getByRole('heading', { name: 'Your wallet is linked' })).toBeVisible();
    isDone = true;
    await page.clock.runFor(40_000);
    await expect(page.getByRole('heading', { name: 'You have the role' })).toBeVisible();
    await expect(page.getByText('The role is given.')).toBeVisible();
  });

  test('says that nothing was found, not that the role is late, after a long check', async ({ page }) => {
    await page.clock.install();
    await installWallet(page);
    await open(page, { signature: [200, { data: { ...outcome, ...notKnown } }] });
    let asked = 0;
    await page.route('**/outcome', (route) => {
      asked += 1;
      const found = { isGiven: false, outcome: 'not-holding', sentences: ['No rocks found.'] };
      return route.fulfill({ json: { data: asked < 2 ? notKnown : found } });
    });
    await chooseWallet(page);
    await sign(page);
    await page.clock.runFor(10_000);
    await expect(page.getByRole('heading', { name: 'Linked, but nothing found' })).toBeFocused();
    await expect(page.getByText('No rocks found.')).toBeVisible();
    await page.clock.runFor(200_000);
    expect(asked).toBe(2);
    await expect(page.getByText('This is taking longer than usual.')).toHaveCount(0);
  });

  test('stops polling when the role does not arrive for long, and says that it is late', async ({
    page,
    complaints,
  }) => {
    await page.clock.install();
    await installWallet(page);
    await open(page);
    let asked = 0;
    await page.route('**/outcome', (route) => {
      asked += 1;
      // A failed request is not a refusal.
      if (asked === 2) return route.fulfill({ status: 503, json: refusal('away', 'Not now.') });
      return route.fulfill({ json: { data: onItsWay } });
    });
    await chooseWallet(page);
    await sign(page);
    await expect(async () => {
      await page.clock.runFor(35_000);
      await expect(page.getByText('In Discord, /why says what is happening.')).toBeVisible({ timeout: 200 });
    }).toPass();
    await expect(async () => {
      await page.clock.runFor(35_000);
      expect(asked).toBe(9);
    }).toPass();
    await page.clock.runFor(600_000);
    expect(asked).toBe(9);
    forgive(complaints);
  });
});

test('the browser’s back button shows the outcome again, not the used link', async ({ page }) => {
  await installWallet(page);
  await open(page);
  await chooseWallet(page);
  await sign(page);
  await expect(page.getByRole('heading', { name: 'You have the role' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Sui Rocks' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'You have the role' })).toBeVisible();
  await expect(page.getByText('This link expires')).toHaveCount(0);
});

test('a page that the browser translates stays whole to the end, and the message to sign stays as it is', async ({
  page,
}) => {
  await installWallet(page);
  await open(page);
  let isDone = false;
  await page.route('**/outcome', (route) => route.fulfill({ json: { data: isDone ? given : onItsWay } }));
  await expect(page.getByRole('heading', { name: 'Choose your wallet' })).toBeVisible();
  await translate(page);
  await chooseWallet(page);
  await expect(page.getByText('Nonce: abc').locator('font')).toHaveCount(0);
  await sign(page);
  await expect(page.getByRole('heading', { name: 'The role is on its way' })).toBeVisible();
  isDone = true;
  await expect(page.getByText('Welcome to the tribe.')).toBeVisible();
  await expect(page.getByText('The role is given.')).toBeVisible();
});

test('when the answer to the signature is lost, the next message says that the link was used', async ({
  page,
  complaints,
}) => {
  await installWallet(page);
  await open(page);
  await page.route('**/signature', (route) => route.abort());
  await chooseWallet(page);
  await expect(page.getByText('Nonce: abc')).toBeVisible();
  await sign(page);
  await expect(page.getByRole('alert')).toContainText('The server did not answer. Check the connection');
  const used = { status: 410, json: refusal('link-used', 'This link has been used.') };
  await page.route('**/message', (route) => route.fulfill(used));
  await chooseWallet(page);
  await expect(page.getByRole('alert')).toHaveText('This link has been used.');
  forgive(complaints);
});

test('with the keyboard alone, the focus stays where the steps are', async ({ page }) => {
  await installWallet(page, { accountCount: 2 });
  await open(page);
  const steps = page.getByRole('main').locator('[aria-live]');
  for (const name of [
    'Cave Wallet',
    'Choose another wallet',
    'Cave Wallet',
    new RegExp(walletAddress(2).slice(0, 6)),
  ]) {
    await page.getByRole('button', { name }).press('Enter');
    await expect(steps).toBeFocused();
  }
  await expect(page.getByRole('button', { name: 'Sign in wallet' })).toBeVisible();
});
