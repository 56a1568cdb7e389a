import { problemsOf } from './support/accessibility.ts';
import { expect, test } from './support/browser.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('from home to a rock of a color and its owner in four presses on a phone', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'See the rocks' }).click();
  const market = page.getByRole('table', { name: 'The six colors as a market' });
  await expect(market.getByRole('row').filter({ hasText: 'Frosted Mist' })).toContainText('30', { timeout: 30_000 });
  await market.getByRole('link', { name: 'Frosted Mist' }).click();
  await expect(page).toHaveURL(/\/rocks\?color=Frosted/);
  const rock = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Frosted Mist' }).first();
  await rock.getByRole('link', { name: /Rock #\d+/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Rock #\d+$/);
  await expect(page.getByText('30 of 555 rocks are Frosted Mist')).toBeVisible();
  await expect(page.getByText(/^Minted/)).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
  const owner = page.getByRole('main').locator('a[href^="/holders/0x"]').first();
  await owner.click();
  await expect(page).toHaveURL(/\/holders\/0x[0-9a-f]{64}$/);
  await expect(page.getByText(/\d+ of 555/)).toBeVisible();
  await expect(page.getByText(/arithmetic, not a claim/)).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
});

test('a pasted address leads to its rocks; another text is told what is wrong with it', async ({ page }) => {
  await page.goto('/rocks');
  const field = page.getByLabel('Whose rocks? Paste a Sui address or a name');
  await field.fill('0x12');
  await page.getByRole('button', { name: 'Show rocks' }).click();
  await expect(page).toHaveURL(/\/rocks$/);
  await field.fill(`0x${'1'.repeat(64)}`);
  await page.getByRole('button', { name: 'Show rocks' }).click();
  await expect(page).toHaveURL(new RegExp(`/holders/0x${'1'.repeat(64)}$`));
});
