import type { Page } from '@playwright/test';
import { until } from '../support/until.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';
import { callAs } from './support/telegram-groups.ts';

const movements = '/admin?tab=treasury&view=movements';
const names = '/admin?tab=treasury&view=names';
const amounts = '/admin?tab=treasury&view=amounts';

interface Entry {
  readonly digest: string;
  readonly counterparty: { readonly address: string } | null;
}
let entries: readonly Entry[];

test.beforeEach(async ({ product }) => {
  await until(
    'the ledger is read',
    async () => {
      const answer = (await (await fetch(`${product.url}/api/treasury/ledger`)).json()) as {
        data: { complete: boolean; entries: readonly Entry[] };
      };
      entries = answer.data.entries;
      return answer.data.complete;
    },
    90_000,
  );
});

const dialog = (page: Page) => page.getByRole('dialog');

test("a note is written in the tab 'Treasury' and read on the treasury page as the team's words", async ({
  page,
  signIn,
}) => {
  await signIn(movements);
  await page.getByRole('button', { name: 'Add note' }).first().click();
  await dialog(page).getByRole('button', { name: 'Save note' }).click();
  await expect(dialog(page).getByText('Write the note.')).toBeVisible();
  await dialog(page).getByLabel('Note', { exact: true }).fill('Paint for the <cave>');
  await dialog(page).getByLabel('Link (optional)').fill('http://rocks.example');
  await dialog(page).getByRole('button', { name: 'Save note' }).click();
  await expect(dialog(page).getByText('A link begins with https://.')).toBeVisible();
  await dialog(page).getByLabel('Link (optional)').fill('https://rocks.example/paint');
  expect(await problemsOf(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Save note' }).click();
  await expect(toast(page)).toContainText('Note saved');
  await expect(page.getByRole('listitem').filter({ hasText: 'Team’s note: Paint for the <cave>' })).toHaveCount(1);
  expect(await problemsOf(page)).toEqual([]);

  await page.goto('/rockfolio');
  const line = page.getByRole('region', { name: 'Movements' }).getByRole('listitem').filter({ hasText: 'Paint for' });
  await expect(line).toContainText('Team’s note: Paint for the <cave>', { timeout: 30_000 });
  const link = line.getByRole('link', { name: 'More about: Paint for the <cave>' });
  await expect(link).toHaveAttribute('href', 'https://rocks.example/paint');
  await expect(link).toHaveAttribute('rel', /nofollow noopener/);

  await page.goto(movements);
  await page.getByRole('button', { name: 'Delete note' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page)).toContainText('Note deleted');
  await expect(page.getByText('Team’s note:')).toHaveCount(0);
  await page.getByLabel('Kind').selectOption('Swap');
  const lines = page.getByRole('region', { name: 'Movements' }).getByRole('listitem');
  await expect(lines.filter({ hasNotText: 'Swap' })).toHaveCount(0);
  await expect(lines.first()).toBeVisible();
});

test('in a low window the keyboard finds every field of a dialog, and a press beside it loses nothing', async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 667, height: 320 });
  await signIn(movements);
  await page.getByRole('button', { name: 'Add note' }).first().click();
  const note = dialog(page).getByLabel('Note', { exact: true });
  await note.fill('Paint');
  await page.mouse.click(3, 3);
  await dialog(page).getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Tab');
  await expect(note).toBeFocused();
  await expect(note).toBeInViewport({ ratio: 1 });
  await expect(note).toHaveValue('Paint');
});

test("after another admin's save, an admin sees both notes and can overwrite", async ({ page, signIn, complaints }) => {
  await signIn(movements);
  await page.getByRole('button', { name: 'Add note' }).last().click();
  await dialog(page).getByLabel('Note', { exact: true }).fill('Mine');
  const path = `/api/admin/treasury/notes/${entries.at(-1)?.digest}`;
  await callAs(page, 'PUT', path, { text: 'Theirs', link: null });
  await dialog(page).getByRole('button', { name: 'Save note' }).click();
  const both = dialog(page).getByRole('alert', { name: 'Changed meanwhile' });
  await expect(both).toContainText('Someone else changed this note meanwhile.');
  await expect(both).toContainText('Note, yoursMine');
  await expect(both).toContainText('Note, savedTheirs');
  await dialog(page).getByRole('button', { name: 'Save mine' }).click();
  await expect(toast(page)).toContainText('Note saved');
  await expect(page.getByText('Team’s note: Mine')).toBeVisible();
  forgiveStatus(complaints, 409);
});

test('an address gets a name, is shown with it and its declarer, and loses it again', async ({ page, signIn }) => {
  const address = entries.find(({ counterparty }) => counterparty !== null)?.counterparty?.address ?? '';
  await signIn(names);
  await expect(page.getByText('No address has a name yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a name' }).click();
  await dialog(page).getByLabel('Address').fill('0x12');
  await dialog(page).getByRole('button', { name: 'Save name' }).click();
  await expect(dialog(page).getByText('A Sui address is 0x followed by 64 characters')).toBeVisible();
  await expect(dialog(page).getByText('Enter a name.')).toBeVisible();
  await dialog(page).getByLabel('Address').fill(address);
  await dialog(page).getByLabel('Name', { exact: true }).fill('Stone Exchange');
  expect(await problemsOf(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Save name' }).click();
  await expect(toast(page)).toContainText('Name saved');
  const list = page.getByRole('list', { name: 'Names of addresses' });
  await expect(list).toContainText('Stone Exchange, Exchange');
  await expect(list).toContainText(address);

  await list.getByRole('button', { name: 'Change Stone Exchange' }).click();
  await dialog(page).getByLabel('What it is').selectOption('Marketplace');
  await dialog(page).getByRole('button', { name: 'Save name' }).click();
  await expect(list).toContainText('Stone Exchange, Marketplace');
  await page.goto('/rockfolio');
  const section = page.getByRole('region', { name: 'Movements' });
  await expect(section.getByText('(marketplace, declared by the team)').first()).toBeVisible({ timeout: 30_000 });

  await page.goto(names);
  await list.getByRole('button', { name: 'Delete Stone Exchange' }).click();
  const asking = page.getByRole('alertdialog', { name: 'Delete name' });
  await expect(asking).toContainText('Stone Exchange is no longer shown as the name of');
  await asking.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page)).toContainText('Name deleted');
  await expect(page.getByText('No address has a name yet.')).toBeVisible();
});

test("an amount is declared in the tab 'Treasury', shown on the treasury page as the team's word, and removed", async ({
  page,
  signIn,
}) => {
  await signIn(amounts);
  const line = page
    .getByRole('list', { name: 'Declared amounts' })
    .getByRole('listitem')
    .filter({ hasText: 'Operations' });
  await expect(line).toContainText('Nothing is declared.');
  await line.getByRole('button', { name: 'Declare Operations' }).click();
  await dialog(page).getByRole('button', { name: 'Save amount' }).click();
  await expect(dialog(page).getByText('Enter an amount.')).toBeVisible();
  await dialog(page).getByLabel('Amount in USD').fill('12,000');
  await dialog(page).getByRole('button', { name: 'Save amount' }).click();
  await expect(dialog(page).getByText('Use digits and one point, as in 12000.50')).toBeVisible();
  await dialog(page).getByLabel('Amount in USD').fill('12000');
  expect(await problemsOf(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Save amount' }).click();
  await expect(toast(page)).toContainText('Amount saved');
  await expect(line).toContainText(/\$12,000 By \w+/);

  await page.goto('/rockfolio');
  const share = page.getByRole('region', { name: 'Actual against target allocation' }).getByRole('listitem');
  const declared = share.filter({ hasText: 'Operations' });
  await expect(declared).toContainText(/Declared by the team: \$12,000 on \d{1,2} \w+ \d{4}, by \w+/, {
    timeout: 30_000,
  });
  await expect(declared).toContainText('Not visible on chain');
  await expect(share.filter({ hasText: 'Declared by the team' })).toHaveCount(1);
  expect(await problemsOf(page)).toEqual([]);

  await page.goto('/admin?tab=activity');
  await expect(page.getByText('Treasury amount saved').first()).toBeVisible();
  await page.goto(amounts);
  await line.getByRole('button', { name: 'Remove Operations' }).click();
  const asking = page.getByRole('alertdialog', { name: 'Remove amount' });
  await expect(asking).toContainText('The amount declared for Operations disappears from the treasury page');
  await asking.getByRole('button', { name: 'Remove' }).click();
  await expect(toast(page)).toContainText('Amount removed');
  await expect(line).toContainText('Nothing is declared.');
});

test('the status says how far both histories are read, and whether each coin adds up', async ({ page, signIn }) => {
  await signIn('/admin?tab=treasury');
  await expect(page.getByText(/^History: \d+ %, up to \d{1,2} \w+ \d{4}$/)).toHaveCount(2);
  await expect(page.getByRole('row', { name: /^SUI/ })).toBeVisible();
  await expect(
    page.getByText(/Every coin adds up to what was on the chain at checkpoint \d+, to the last unit\./),
  ).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 800 }, hasTouch: true });

  test('every control is large enough for touch, and nothing is off the screen', async ({ page, signIn }) => {
    await signIn(movements);
    const path = `/api/admin/treasury/notes/${entries[0]?.digest}`;
    await callAs(page, 'PUT', path, { text: `Paint ${'for the cave '.repeat(20)}`, link: 'https://rocks.example' });
    const named = `/api/admin/treasury/names/0x${'ab'.repeat(32)}`;
    await callAs(page, 'PUT', named, { name: 'x'.repeat(40), role: 'exchange' });
    for (const place of ['/admin?tab=treasury', movements, amounts, names]) {
      await page.goto(place);
      await expect(page.getByText('Loading...')).toHaveCount(0);
      expect(await smallTargets(page), place).toEqual([]);
      expect(await textsOffScreen(page), place).toEqual([]);
    }
    await page.getByRole('button', { name: 'Add a name' }).click();
    // The dialog grows while it opens.
    await expect.poll(() => smallTargets(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await callAs(page, 'DELETE', named);
    await callAs(page, 'DELETE', path);
  });
});
