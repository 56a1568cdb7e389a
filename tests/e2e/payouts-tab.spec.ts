import type { Page } from '@playwright/test';
import { addAppTo, asking, codeOf, dialog, logIn, newAccount } from './support/accounts.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';
import {
  draftAt,
  drafted,
  newDraft,
  ownersAreKnown,
  payoutAt,
  payoutsTab,
  published,
  seen,
  terms,
  withOwners,
} from './support/payouts.ts';
import { callAs } from './support/telegram-groups.ts';

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const save = (page: Page) => page.getByRole('button', { name: 'Save draft' });
const leftOutHolder = `0x${'9'.repeat(64)}`;

/** Nothing is too small for a finger, off the screen, or closed to a screen reader. */
async function isForEverybody(page: Page, what: string): Promise<void> {
  expect(await problemsOf(page), what).toEqual([]);
  if ((page.viewportSize()?.width ?? 0) < 400) await expect.poll(() => smallTargets(page), what).toEqual([]);
  expect(await textsOffScreen(page), what).toEqual([]);
}

for (const width of [390, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 }, hasTouch: width < 400 });

    test('a payout is drafted with its preview, its owners are read, it is published by its hash and withdrawn', async ({
      page,
      signIn,
    }) => {
      await signIn(payoutsTab);
      await ownersAreKnown(page);
      await isForEverybody(page, 'the list');
      await page.getByRole('button', { name: 'New payout' }).click();
      await expect(preview(page)).toContainText('Choose a coin and an amount');
      await page.getByLabel('Amount').fill('100.5');
      await expect(preview(page)).toContainText(/\d+ rocks of \d+ holders would get 0\.\d+ SUI each\./);
      await expect(preview(page)).toContainText(/Remainder0\.\d+ SUI, stays in the treasury/);
      await expect(preview(page)).toContainText(/The treasury pays nothing to itself/);
      await page.getByLabel('Is meant').selectOption('for each rock');
      await expect(preview(page)).toContainText('There is no such payout');
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
      await isForEverybody(page, 'the plan');
      const id = Number(new URL(page.url()).searchParams.get('payout'));
      const { plan } = await seen(page, id);

      await page.getByRole('button', { name: 'Publish' }).click();
      await expect(asking(page)).toContainText(plan?.sha256 ?? 'no hash');
      await expect(asking(page)).toContainText('Nothing of it can be changed any more.');
      await expect(asking(page)).toContainText('Each rock gets0.25 SUI');
      await isForEverybody(page, 'the question before publishing');
      await asking(page).getByRole('button', { name: 'Publish' }).click();
      await expect(toast(page)).toContainText('Published');
      await expect(page.getByText('Published, not paid')).toBeVisible();
      await expect(page.getByText('Here the team signs a transfer.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'as everybody sees it' })).toHaveAttribute('href', `/payouts/${id}`);

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

test.describe('each refusal is one sentence at its place, and nothing is stored', () => {
  test.beforeEach(async ({ page, signIn }) => {
    await signIn(newDraft);
    await ownersAreKnown(page);
    await page.reload();
  });

  const describedBy = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((field) =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );

  for (const [what, typed, mode, sentence] of [
    ['nothing', '', 'total', 'Enter an amount.'],
    ['a payout of 0', '0.0', 'total', 'A payout of 0 pays nobody. Enter an amount.'],
    ['no number', '1,5', 'total', 'Write it with digits and one point, as in 1234.5, without commas and signs.'],
    ['a part of a base unit', '0.0000000001', 'total', 'SUI has 9 decimals. This amount has 10.'],
    ['a share under one base unit', '0.000000001', 'total', 'rocks would get less than one base unit.'],
    ['more than the treasury has', '99999999', 'total', 'This payout needs 99999998.'],
    ['more than the treasury has for each', '50000', 'per-rock', 'The treasury has'],
  ] as const) {
    test(`an amount: ${what}`, async ({ page }) => {
      const posted: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET' && !request.url().endsWith('/preview')) posted.push(request.url());
      });
      await page.getByLabel('Is meant').selectOption(mode);
      await page.getByLabel('Amount').fill(typed);
      await page.getByLabel('Title').fill('A title');
      await page.getByLabel('Reason', { exact: true }).fill('A reason');
      await expect(preview(page)).toHaveAttribute('aria-busy', 'false');
      await save(page).click();
      await expect.poll(() => describedBy(page, 'Amount')).toContain(sentence);
      await expect(page.getByLabel('Amount')).toHaveAttribute('aria-invalid', 'true');
      expect(posted).toEqual([]);
    });
  }

  test('title, reason, and who is left out', async ({ page }) => {
    await page.getByLabel('Amount').fill('10');
    await page.getByRole('button', { name: 'Leave out an address' }).click();
    await page.getByRole('button', { name: 'Leave out an address' }).click();
    await save(page).click();
    expect(await describedBy(page, 'Title')).toContain('Give it a title.');
    expect(await describedBy(page, 'Reason')).toContain('Say why it is paid.');
    expect(await describedBy(page, 'Address 1')).toContain('A Sui address is 0x followed by 64 characters');
    expect(await describedBy(page, 'Reason 1')).toContain('Say why. Everybody can read it.');
    await page.getByLabel('Address 1').fill(leftOutHolder);
    await page.getByLabel('Address 2').fill(leftOutHolder.toUpperCase().replace('0X', '0x'));
    await expect.poll(() => describedBy(page, 'Address 2')).toContain('This address is left out already.');
    await page.getByRole('button', { name: 'Remove address 2' }).click();
    await expect(page.getByRole('button', { name: 'Leave out an address' })).toBeFocused();
    await expect(page.getByRole('group', { name: 'Left out' }).getByRole('alert')).toHaveText(
      `${leftOutHolder} holds no rock, so it cannot be left out.`,
    );
    expect(await problemsOf(page)).toEqual([]);
  });

  test('a coin without metadata', async ({ page, product }) => {
    const bare = `0x${'7'.repeat(64)}::bare::BARE`;
    await page.route('**/api/admin/payouts', async (route) => {
      const answer = await route.fetch();
      const { data } = (await answer.json()) as { data: { coins: object[] } };
      data.coins.push({ type: bare, symbol: null, decimals: null, balanceRaw: '7' });
      await route.fulfill({ json: { data } });
    });
    await page.goto(`${product.url}${newDraft}`);
    await page.getByLabel('Coin').selectOption(bare);
    await page.getByLabel('Amount').fill('1');
    await save(page).click();
    await expect.poll(() => describedBy(page, 'Coin')).toContain('The chain has no metadata of this coin');
    expect(await describedBy(page, 'Coin')).toContain('The treasury has 7 base units of');
  });

  test('what the browser let through is refused by the server, and its sentence is shown', async ({
    page,
    complaints,
  }) => {
    await page.route('**/api/admin/payouts/preview', (route) =>
      route.fulfill({ json: { data: { outcome: null, message: null, about: null } } }),
    );
    await page.getByLabel('Amount').fill('99999999');
    await page.getByLabel('Title').fill('Too much');
    await page.getByLabel('Reason', { exact: true }).fill('Everything');
    await save(page).click();
    await expect(page.getByRole('alert').filter({ hasText: 'The treasury has' })).toBeVisible();
    forgiveStatus(complaints, 403);
  });
});

test.describe('two admins at once', () => {
  test('the second sees both versions, and can save over the first', async ({ page, signIn, complaints }) => {
    await signIn(payoutsTab);
    await ownersAreKnown(page);
    const { id } = await drafted(page, { title: 'Ours' });
    await page.goto(draftAt(id));
    await page.getByLabel('Title').fill('Mine');
    await callAs(page, 'PUT', `/api/admin/payouts/${id}`, { ...terms, title: 'Theirs', reason: 'Their reason' });
    await save(page).click();
    const both = page.getByRole('alert', { name: 'Changed meanwhile' });
    await expect(both).toContainText('Title, yoursMine');
    await expect(both).toContainText('Title, savedTheirs');
    await expect(both).toContainText('Reason, savedTheir reason');
    expect(await problemsOf(page)).toEqual([]);
    // What was not typed in follows what they saved.
    await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('Their reason');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
    expect((await seen(page, id)).terms).toMatchObject({ title: 'Mine', reason: 'Their reason' });
    forgiveStatus(complaints, 409);
  });

  test('a plan that nobody has looked at is not published', async ({ page, signIn, complaints }) => {
    await signIn(payoutsTab);
    await ownersAreKnown(page);
    const { id } = await withOwners(page, { title: 'Looked at' });
    await page.goto(payoutAt(id));
    await page.getByRole('button', { name: 'Publish' }).click();
    await callAs(page, 'PUT', `/api/admin/payouts/${id}`, { ...terms, title: 'Changed' });
    await asking(page).getByRole('button', { name: 'Publish' }).click();
    await expect(asking(page).getByRole('alert', { name: 'Changed meanwhile' })).toContainText(
      'Looked at became Changed',
    );
    await expect(asking(page).getByRole('button', { name: 'Publish' })).toHaveCount(0);
    await asking(page).getByRole('button', { name: 'Look at it again' }).click();
    await expect(page.getByRole('heading', { name: 'Changed' })).toBeVisible();
    expect((await seen(page, id)).state).toBe('draft');
    forgiveStatus(complaints, 409);
  });

  test('a draft that somebody has changed is deleted only by who has seen that', async ({
    page,
    signIn,
    complaints,
  }) => {
    await signIn(payoutsTab);
    await ownersAreKnown(page);
    const { id } = await drafted(page, { title: 'To be deleted' });
    await page.goto(payoutAt(id));
    await page.getByRole('button', { name: 'Delete' }).click();
    await callAs(page, 'PUT', `/api/admin/payouts/${id}`, { ...terms, title: 'Still needed' });
    await asking(page).getByRole('button', { name: 'Delete' }).click();
    await expect(asking(page)).toContainText('To be deleted became Still needed');
    await asking(page).getByRole('button', { name: 'Delete anyway' }).click();
    await expect(toast(page)).toContainText('Draft deleted');
    await page.goto(payoutAt(id));
    await expect(page.getByText(`There is no payout ${id} to show here`)).toBeVisible();
    forgiveStatus(complaints, 409);
  });
});

test('why owners could not be read is one sentence, and they can be read again', async ({ page, signIn }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  const { id } = await drafted(page);
  const problem = 'Nobody can be found for rock 7, so nobody is paid yet.';
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

test('a treasurer publishes after the second factor was asked for by itself; an operator has no such tab', async ({
  page,
  browser,
  product,
  dataDir,
  complaints,
}) => {
  const user = await newAccount(dataDir, 'treasurer');
  await logIn(page, user);
  await expect(page).toHaveURL(/\/admin$/);
  // Added in another browser: this session has never given it.
  const elsewhere = await browser.newContext({ baseURL: product.url });
  const second = await elsewhere.newPage();
  await logIn(second, user);
  await expect(second).toHaveURL(/\/admin$/);
  const { secret } = await addAppTo(second);
  await elsewhere.close();
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

test('a draft is made with the keyboard alone', async ({ page, signIn }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  await page.getByRole('button', { name: 'New payout' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'New payout' })).toBeFocused();
  // Coin, amount, what is meant, another address, title, reason.
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Coin')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('12.5');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Leave out an address' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A reason');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'By keyboard' })).toBeFocused();
  await expect(page.getByText('12.5 SUI in total')).toBeVisible();
});

test('the list is newest first, and the address of a payout leads to it', async ({ page, signIn }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  const { id } = await published(page, { title: 'The newest' });
  await page.reload();
  const line = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').first();
  await expect(line).toContainText(/The newest.*Published, not paid.*100 SUI in total/);
  await line.getByRole('button', { name: 'Open The newest' }).click();
  await expect(page).toHaveURL(new RegExp(`payout=${id}$`));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'The newest' })).toBeVisible();
});
