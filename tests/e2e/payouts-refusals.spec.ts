import type { Page } from '@playwright/test';
import { asking } from './support/accounts.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
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

test.describe('each refusal is one sentence at its field, and nothing is stored', () => {
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
    ['not a number', '1,5', 'total', 'Use digits and one point, as in 1234.5, without commas or signs.'],
    ['a fraction of a base unit', '0.0000000001', 'total', 'SUI has 9 decimals. This amount has 10.'],
    ['a share under one base unit', '0.000000001', 'total', 'rocks would get less than one base unit.'],
    ['more than the treasury has', '99999999', 'total', 'This payout needs 99,999,998.'],
    ['more than the treasury has for each', '50000', 'per-rock', 'The treasury has'],
  ] as const) {
    test(`an amount: ${what}`, async ({ page }) => {
      const posted: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET' && !request.url().endsWith('/preview')) posted.push(request.url());
      });
      await page.getByLabel('Paid out').selectOption(mode);
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

  test('an amount that is no number is refused while the rest is still to be typed', async ({ page }) => {
    await page.getByLabel('Amount').fill('0,25');
    await expect.poll(() => describedBy(page, 'Amount')).toContain('Use digits and one point, as in 1234.5');
    await page.getByLabel('Amount').fill('0.25');
    await expect(page.getByLabel('Amount')).not.toHaveAttribute('aria-invalid');
  });

  test('title, reason, and left-out addresses', async ({ page }) => {
    await page.getByLabel('Amount').fill('10');
    await page.getByRole('button', { name: 'Leave out an address or rocks' }).click();
    await page.getByRole('button', { name: 'Leave out an address or rocks' }).click();
    await save(page).click();
    expect(await describedBy(page, 'Title')).toContain('Give it a title.');
    expect(await describedBy(page, 'Reason')).toContain('Say why it is paid.');
    expect(await describedBy(page, 'Left out 1')).toContain('A Sui address is 0x followed by 64 characters');
    expect(await describedBy(page, 'Reason 1')).toContain('Say why. Everybody can read it.');
    await page.getByLabel('Left out 1').fill(leftOutHolder);
    await page.getByLabel('Left out 2').fill(leftOutHolder.toUpperCase().replace('0X', '0x'));
    await expect.poll(() => describedBy(page, 'Left out 2')).toContain('This address is already left out.');
    await page.getByRole('button', { name: 'Remove left out 2' }).click();
    await expect(page.getByRole('button', { name: 'Leave out an address or rocks' })).toBeFocused();
    await expect(page.getByRole('group', { name: 'Left out' }).getByRole('alert').first()).toHaveText(
      `${leftOutHolder} holds no rock, so it cannot be left out.`,
    );
    expect(await problemsOf(page)).toEqual([]);
  });

  test('a rock without a known owner: the page offers to leave it out', async ({ page }) => {
    const message =
      'The owner of rock 2 is not known, so no plan can be made. If it has none, leave it out by its number.';
    await page.route('**/api/admin/payouts/preview', (route) =>
      route.fulfill({ json: { data: { outcome: null, message, about: null, unowned: [2] } } }),
    );
    await page.getByLabel('Amount').fill('10');
    await expect(preview(page)).toContainText(message);
    await page.getByRole('button', { name: 'Leave out rock 2' }).click();
    await expect(page.getByLabel('Left out 1')).toHaveValue('#2');
    await expect(page.getByRole('button', { name: 'Leave out an address or rocks' })).toBeFocused();
    await page.unroute('**/api/admin/payouts/preview');
    await page.getByLabel('Amount').fill('11');
    await expect(page.getByRole('group', { name: 'Left out' }).getByRole('alert').first()).toHaveText(
      'Rock 2 has an owner. Leave out the address instead.',
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
    await expect.poll(() => describedBy(page, 'Coin')).toContain('The chain has no metadata for this coin');
    expect(await describedBy(page, 'Coin')).toContain('The treasury has 7 base units of');
  });

  test('while the owners are not read yet the preview says so, and appears by itself later', async ({ page }) => {
    const message = 'The owners are not read yet. Try again in a minute.';
    await page.route('**/api/admin/payouts/preview', (route) =>
      route.fulfill({ json: { data: { outcome: null, message, about: null } } }),
    );
    await page.getByLabel('Paid out').selectOption('per-rock');
    await page.getByLabel('Amount').fill('0.25');
    await expect(preview(page)).toContainText(message);
    await page.unroute('**/api/admin/payouts/preview');
    await expect(preview(page)).toContainText('would get 0.25 SUI each.');
  });

  test('the server refuses what the browser let through, and its sentence is shown', async ({ page, complaints }) => {
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
    // Fields that were not touched take over what the other admin saved.
    await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('Their reason');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
    expect((await seen(page, id)).terms).toMatchObject({ title: 'Mine', reason: 'Their reason' });
    forgiveStatus(complaints, 409);
  });

  test('what is typed stays when another admin publishes the draft meanwhile', async ({ page, signIn }) => {
    await signIn(payoutsTab);
    await ownersAreKnown(page);
    const { id, plan } = await withOwners(page, { title: 'Typed in' });
    await page.goto(draftAt(id));
    await page.getByLabel('Title').fill('Mine');
    await callAs(page, 'POST', `/api/admin/payouts/${id}/publish`, { sha256: plan?.sha256 ?? '' });
    await expect(page.getByRole('alert').filter({ hasText: 'Another admin has published' })).toBeVisible({
      timeout: 40_000,
    });
    await expect(page.getByLabel('Title')).toHaveValue('Mine');
    await expect(save(page)).toBeDisabled();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  });

  test('a plan that changed since the admin looked at it is not published', async ({ page, signIn, complaints }) => {
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
    await expect(asking(page).getByText('Looked at became Changed')).toBeInViewport();
    await expect(asking(page).getByRole('button', { name: 'Publish' })).toHaveCount(0);
    await asking(page).getByRole('button', { name: 'Look at it again' }).click();
    await expect(page.getByRole('heading', { name: 'Changed' })).toBeVisible();
    expect((await seen(page, id)).state).toBe('draft');
    forgiveStatus(complaints, 409);
  });

  test('a payout that another admin has withdrawn can only be looked at', async ({ page, signIn, complaints }) => {
    await signIn(payoutsTab);
    await ownersAreKnown(page);
    const { id } = await published(page, { title: 'Withdrawn by two' });
    await page.goto(payoutAt(id));
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await callAs(page, 'POST', `/api/admin/payouts/${id}/withdraw`, { reason: 'Theirs' });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Mine');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await expect(dialog.getByRole('alert', { name: 'Changed meanwhile' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Save mine' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Look at it again' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(/^Withdrawn .* by ogg: Theirs$/)).toBeVisible();
    forgiveStatus(complaints, 409);
  });

  test('a changed draft is deleted only after the change was shown', async ({ page, signIn, complaints }) => {
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
