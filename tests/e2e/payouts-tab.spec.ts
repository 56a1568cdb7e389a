import type { Page } from '@playwright/test';
import type { PayoutAnswer } from '../../src/payouts/payouts-contract.ts';
import { addAppTo, asking, codeOf, dialog, logIn, newAccount, tenMinutesLater } from './support/accounts.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';
import { drafted, ownersAreKnown, payoutAt, payoutsTab, published, seen, withOwners } from './support/payouts.ts';

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const save = (page: Page) => page.getByRole('button', { name: 'Save draft' });

/** Checks that nothing is too small for touch, off the screen, or closed to a screen reader. */
async function isForEverybody(page: Page, what: string): Promise<void> {
  expect(await problemsOf(page), what).toEqual([]);
  if ((page.viewportSize()?.width ?? 0) < 400) await expect.poll(() => smallTargets(page), what).toEqual([]);
  expect(await textsOffScreen(page), what).toEqual([]);
}

for (const width of [390, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 }, hasTouch: width < 400 });

    test('a payout is drafted with a preview, its owners are read, and it is published with its hash and withdrawn', async ({
      page,
      signIn,
    }) => {
      await signIn(payoutsTab);
      await ownersAreKnown(page);
      // The tab may have been opened before the treasury was read for the first time.
      await page.getByRole('button', { name: 'Refresh' }).click();
      await isForEverybody(page, 'the list');
      await page.getByRole('button', { name: 'New payout' }).click();
      await expect(preview(page)).toContainText('Choose a coin and an amount');
      await page.getByLabel('Amount').fill('100.5');
      await expect(preview(page)).toContainText(/\d+ rocks of \d+ holders would get 0\.\d+ SUI each\./);
      await expect(preview(page)).toContainText('Coin0x2::sui::SUI');
      await expect(preview(page)).toContainText(/Remainder0\.\d+ SUI, stays in the treasury/);
      await expect(preview(page)).toContainText(/The treasury pays nothing to itself/);
      await page.getByLabel('Paid out').selectOption('for each rock');
      await expect(preview(page)).toContainText('Not possible: see the message at the field');
      await page.getByLabel('Amount').fill('0.25');
      await expect(preview(page)).toContainText('would get 0.25 SUI each.');
      await expect(preview(page)).toContainText('Remainder0 SUI');
      await page.getByLabel('Title').fill(`November at ${width}`);
      await page.getByLabel('Reason', { exact: true }).fill('Revenue of <November>');
      await isForEverybody(page, 'the draft');
      await save(page).click();
      await expect(toast(page)).toContainText('Draft saved');
      await expect(page.getByRole('heading', { name: `November at ${width}` })).toBeFocused();

      await page.getByRole('button', { name: 'Read the owners' }).click();
      await expect(page.getByText(/^Reading the owners, begun/)).toBeVisible();
      await expect(page.getByText(/As of checkpoint \d+/)).toBeVisible({ timeout: 60_000 });
      await expect(page.getByText('Revenue of <November>')).toBeVisible();
      const receivers = page.getByRole('region', { name: 'Who receives what' });
      await expect(receivers.getByRole('row').nth(1)).toContainText(/0x.*#\d+.*[1-9]\d*\.?\d* SUI/);
      await expect(page.getByRole('link', { name: 'Plan (JSON)' })).toHaveAttribute(
        'href',
        /^\/api\/admin\/payouts\/\d+\/plan\.json$/,
      );
      await isForEverybody(page, 'the plan');
      const id = Number(new URL(page.url()).searchParams.get('payout'));
      const { plan } = await seen(page, id);

      await page.getByRole('button', { name: 'Publish' }).click();
      await expect(asking(page)).toContainText(plan?.sha256 ?? 'no hash');
      await expect(asking(page)).toContainText('None of it can be changed any more.');
      await expect(asking(page)).toContainText(/OwnersAs of checkpoint \d+, .* ago/);
      await expect(asking(page)).toContainText('Coin0x2::sui::SUIEach rock gets0.25 SUI');
      await isForEverybody(page, 'the question before publishing');
      await asking(page).getByRole('button', { name: 'Publish' }).click();
      await expect(toast(page)).toContainText('Published');
      await expect(page.locator('.badge', { hasText: 'Published' })).toBeVisible();
      await expect(page.getByText('Here the team signs a transfer.')).toBeVisible();
      await page.getByRole('link', { name: 'as everybody sees it' }).click();
      await expect(page).toHaveURL(new RegExp(`/payouts/${id}$`));
      await expect(page.getByRole('heading', { name: 'Who gets how much' })).toBeVisible();
      await page.goBack();

      await page.getByRole('button', { name: 'Withdraw' }).click();
      await dialog(page).getByRole('button', { name: 'Withdraw' }).click();
      await expect(dialog(page).getByText('Say why. Everybody can read it.').last()).toBeVisible();
      await dialog(page).getByLabel('Reason').fill('Wrong month');
      await isForEverybody(page, 'the question before withdrawing');
      await dialog(page).getByRole('button', { name: 'Withdraw' }).click();
      await expect(toast(page)).toContainText('Withdrawn');
      await expect(page.getByText(/^Withdrawn .* by ogg: Wrong month$/)).toBeVisible();
      await page.getByRole('button', { name: 'All payouts' }).click();
      const line = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').first();
      await expect(line).toContainText(new RegExp(`November at ${width}.*Withdrawn.*0.25 SUI for each rock`));
      await expect(line.getByRole('button')).toBeFocused();
    });
  });
}

test('one sentence says why the owners could not be read, and they can be read again', async ({ page, signIn }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  const { id } = await drafted(page);
  const problem = 'The owner of rock 7 is not known, so no plan can be made.';
  await page.route('**/api/admin/payouts', async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: { payouts: { id: number; snapshot: object }[] } };
    for (const payout of data.payouts) if (payout.id === id) payout.snapshot = { askedAt: null, problem };
    await route.fulfill({ json: { data } });
  });
  await page.goto(payoutAt(id));
  await expect(page.getByRole('alert')).toHaveText(problem);
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Read the owners' }).click();
  await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible({ timeout: 60_000 });
});

test('publishing asks a treasurer for the second factor by itself; an operator has no such tab', async ({
  page,
  product: _running,
  dataDir,
  complaints,
}) => {
  const user = await newAccount(dataDir, 'treasurer');
  await logIn(page, user);
  await expect(page).toHaveURL(/\/admin$/);
  const { secret } = await addAppTo(page);
  await tenMinutesLater(page, 'POST', '**/publish');
  await ownersAreKnown(page);
  const { id } = await withOwners(page);
  await page.goto(payoutAt(id));
  await page.getByRole('button', { name: 'Publish' }).click();
  await asking(page).getByRole('button', { name: 'Publish' }).click();
  const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await again.getByLabel('Code').fill(codeOf(secret, 1));
  await again.getByRole('button', { name: 'Confirm' }).click();
  await expect(toast(page)).toContainText('Published');
  forgiveStatus(complaints, 403);

  await page.context().clearCookies();
  await logIn(page, await newAccount(dataDir, 'operator'));
  await expect(page.getByRole('tab', { name: 'Accounts' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Payouts' })).toHaveCount(0);
  await page.goto(payoutsTab);
  await expect(page.getByText('The tab ‘Payouts’ needs the right ‘treasurer’.')).toBeVisible();
});

test('before the chain is read, no line is called open or paid', async ({ page, signIn }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  const { id } = await published(page);
  await page.route(`**/api/payouts/${id}`, async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: PayoutAnswer };
    await route.fulfill({ json: { data: { ...data, asOf: null } } });
  });
  await page.goto(payoutAt(id));
  await expect(page.getByText('The chain is not fully read yet, so what is paid is not known.')).toBeVisible();
  for (const fact of ['Lines open', 'Lines paid', 'Paid so far'])
    await expect(page.getByText(`${fact}Not known`)).toBeVisible();
  await expect(page.getByText('The number of open lines is not known.')).toBeVisible();
});

test('a draft is made with the keyboard alone', async ({ page, signIn }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  await page.getByRole('button', { name: 'New payout' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'New payout' })).toBeFocused();
  // Coin, amount, total or per rock, another left-out address, title, reason.
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Coin')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('12.5');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Leave out an address or rocks' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A reason');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'By keyboard' })).toBeFocused();
  await expect(page.getByText('12.5 SUI in total')).toBeVisible();
});

test('a draft is not lost unasked: not by a tab, a link, a reload, Back, Logout or the end of the session', async ({
  page,
  signIn,
}) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  await page.getByRole('button', { name: 'New payout' }).click();
  await page.getByLabel('Amount').fill('0.5');
  await page.getByLabel('Title').fill('Kept');
  await page.getByLabel('Reason', { exact: true }).fill('A reason');
  const asked: string[] = [];
  page.on('dialog', (question) => {
    asked.push(question.type());
    void question.dismiss();
  });
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect.poll(() => asked).toHaveLength(1);
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click({ noWaitAfter: true });
  await expect.poll(() => asked).toHaveLength(2);
  await page.evaluate(() => setTimeout(() => window.location.reload()));
  await expect.poll(() => asked).toEqual(['beforeunload', 'beforeunload', 'beforeunload']);
  await page.evaluate(() => setTimeout(() => window.history.back()));
  await expect.poll(() => asked).toEqual(['beforeunload', 'beforeunload', 'beforeunload', 'confirm']);
  for (const name of ['Logout', 'All payouts']) await page.getByRole('button', { name }).click();
  await expect.poll(() => asked).toHaveLength(6);
  await expect(page.getByLabel('Title')).toHaveValue('Kept');

  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  const checked = page.waitForResponse('**/api/auth/check');
  await save(page).click();
  await expect(toast(page)).toContainText('Log in in a new tab, then try again here.');
  await checked;
  await expect(page.getByLabel('Title')).toHaveValue('Kept');
  await page.context().addCookies(cookies);
  await save(page).click();
  await expect(page.getByRole('heading', { name: 'Kept' })).toBeFocused();
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByRole('list', { name: 'Changes' })).toBeVisible();
  expect(asked).toHaveLength(6);

  // A press changes a draft, too.
  await page.goto(`${payoutsTab}&draft=new`);
  await page.getByRole('button', { name: 'Leave out an address or rocks' }).click();
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect.poll(() => asked).toHaveLength(7);
});

test('the list is newest first, and the address of a payout leads to it', async ({ page, signIn }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  const { id } = await published(page, { title: 'The newest' });
  await page.reload();
  const line = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').first();
  await expect(line).toContainText(/The newest.*Published.*100 SUI in total/);
  await line.getByRole('button', { name: 'Open The newest' }).click();
  await expect(page).toHaveURL(new RegExp(`payout=${id}$`));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'The newest' })).toBeVisible();
});
