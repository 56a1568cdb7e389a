import type { Page, Request } from '@playwright/test';
import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { configuration } from './support/telegram-answers.ts';
import { configurationsSeenBy, setUpGroup } from './support/telegram-groups.ts';

const open = '/admin?tab=telegram&view=configurations';
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const dialog = (page: Page) => page.getByRole('dialog');
const sent = (request: Request) => ({
  method: request.method(),
  path: new URL(request.url()).pathname,
  body: request.postDataJSON() as unknown,
  version: request.headers()['if-match'],
});

test.describe('specification 2 and 5: the hex ID dialog', () => {
  test('is empty at first, says that the id must start with 0x, saves, and is pre-filled the next time', async ({
    page,
    signIn,
    product,
  }) => {
    await signIn(open);
    const { configuration: real } = await setUpGroup(page, product, 'Cave of hex');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row(page, 'Cave of hex').getByRole('button', { name: 'Edit hex ID' }).click();
    const field = dialog(page).getByLabel('Hex collection ID');
    await expect(field).toHaveValue('');
    await expect(dialog(page)).toContainText('must start with 0x');
    const hexCollectionId = product.sandbox.facts.collectionType;
    await field.fill(hexCollectionId);
    const request = page.waitForRequest((one) => one.method() === 'PUT');
    const refreshed = Promise.all(['status', 'configs'].map((path) => page.waitForResponse(`**/api/telegram/${path}`)));
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    expect(sent(await request)).toEqual({
      method: 'PUT',
      path: `/api/telegram/config/${real.id}`,
      body: { hexCollectionId },
      version: `"${real.version}"`,
    });
    await expect(toast(page)).toContainText('Hex ID updated');
    await expect(toast(page)).toContainText("The collection's hex ID has been successfully updated.");
    await refreshed;
    await expect(dialog(page)).toHaveCount(0);
    await expect(row(page, 'Cave of hex')).toContainText(`Hex ID: ${hexCollectionId.slice(0, 10)}`);
    await expect(row(page, 'Cave of hex').getByRole('button', { name: 'Edit hex ID' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue(hexCollectionId);
  });

  test('also sends an id that does not start with 0x: the server refuses it with a sentence, and the typed text stays', async ({
    page,
    signIn,
    product,
    complaints,
  }) => {
    await signIn(open);
    await setUpGroup(page, product, 'Cave of nonsense');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row(page, 'Cave of nonsense').getByRole('button', { name: 'Edit hex ID' }).click();
    await dialog(page).getByLabel('Hex collection ID').fill('rocks');
    await dialog(page).getByLabel('Hex collection ID').press('Enter');
    await expect(toast(page)).toContainText('Failed to update hex ID');
    await expect(toast(page)).toContainText('The hex ID must start with 0x.');
    await expect(dialog(page).getByLabel('Hex collection ID')).toHaveValue('rocks');
    await expect(dialog(page)).toContainText('The hex ID must start with 0x.');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page)).toHaveCount(0);
    forgiveStatus(complaints, 400);
  });
});

test.describe('specification 2 and 5: the reset dialog', () => {
  test('is pre-filled with the minted count; a non-numeric value is sent as 0', async ({ page, signIn, product }) => {
    await signIn(open);
    const { configuration: real } = await setUpGroup(page, product, 'Cave of counts');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row(page, 'Cave of counts').getByRole('button', { name: 'Reset count' }).click();
    const field = dialog(page).getByLabel('Minted count');
    const minted = await configurationsSeenBy(page);
    await expect(field).toHaveValue(String(minted.find(({ id }) => id === real.id)?.mintStats.mintedCount));
    await expect(field).toHaveAttribute('type', 'number');
    await expect(field).toHaveAttribute('min', '0');
    await field.clear();
    await field.pressSequentially('e');
    const request = page.waitForRequest((one) => one.url().includes('reset-mint-count'));
    await dialog(page).getByRole('button', { name: 'Reset' }).click();
    expect(sent(await request)).toEqual({
      method: 'POST',
      path: `/api/telegram/reset-mint-count/${real.id}`,
      body: { count: 0 },
      version: `"${real.version}"`,
    });
    await expect(toast(page)).toContainText('Mint Count Reset');
    await expect(toast(page)).toContainText('Mint count has been reset successfully.');
    await expect(dialog(page)).toHaveCount(0);
    await expect(row(page, 'Cave of counts')).toContainText('0 / 555');
  });

  test('sends nothing below 0, and shows the refusal of a huge number', async ({
    page,
    signIn,
    product,
    complaints,
  }) => {
    await signIn(open);
    await setUpGroup(page, product, 'Cave of limits');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row(page, 'Cave of limits').getByRole('button', { name: 'Reset count' }).click();
    const asked: string[] = [];
    page.on('request', (one) => asked.push(one.method()));
    await dialog(page).getByLabel('Minted count').fill('-1');
    await dialog(page).getByRole('button', { name: 'Reset' }).click();
    await expect(dialog(page)).toContainText('Number must be greater than or equal to 0');
    expect(asked).not.toContain('POST');
    await dialog(page).getByLabel('Minted count').fill('99999999999999999999');
    await dialog(page).getByRole('button', { name: 'Reset' }).click();
    await expect(toast(page)).toContainText('Reset Failed');
    await expect(toast(page)).toContainText(/Failed to reset mint count: .{5,}/);
    forgiveStatus(complaints, 400);
  });
});

test.describe('specification 2: the delete confirmation', () => {
  test('asks as specified, deletes, and the configuration can be restored', async ({ page, signIn, product }) => {
    await signIn(open);
    const { configuration: real } = await setUpGroup(page, product, 'Cave of no return');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row(page, 'Cave of no return').getByRole('button', { name: 'Delete' }).click();
    const asking = page.getByRole('alertdialog');
    await expect(asking).toContainText(
      'Are you sure you want to delete this configuration? This will stop all tracking for Sui Rocks in this chat.',
    );
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await expect(asking).toHaveCount(0);
    await row(page, 'Cave of no return').getByRole('button', { name: 'Delete' }).click();
    const request = page.waitForRequest((one) => one.method() === 'DELETE');
    await asking.getByRole('button', { name: 'Delete' }).click();
    const path = `/api/telegram/configs/${real.id}`;
    expect(sent(await request)).toEqual({ method: 'DELETE', path, body: null, version: `"${real.version}"` });
    await expect(toast(page)).toContainText('Configuration Deleted');
    await expect(toast(page)).toContainText('Telegram bot configuration has been deleted successfully.');
    await expect(asking).toHaveCount(0);
    await expect(row(page, 'Cave of no return')).toHaveCount(0);
    await expect(page.getByRole('tabpanel', { name: 'Configurations' })).toBeFocused();

    await page.getByText('Recently deleted').click();
    const kept = page.getByRole('list', { name: 'Recently deleted' }).getByRole('listitem');
    await expect(kept.filter({ hasText: 'Cave of no return' })).toContainText(/Can be restored until \d+ \w+ 20\d\d/);
    await kept.filter({ hasText: 'Cave of no return' }).getByRole('button', { name: 'Restore' }).click();
    await expect(toast(page)).toContainText('Configuration restored');
    await expect(row(page, 'Cave of no return')).toBeVisible();
    await expect(kept.filter({ hasText: 'Cave of no return' })).toHaveCount(0);
    await expect(page.locator('summary', { hasText: 'Recently deleted' })).toBeFocused();
  });

  test("'Deletion Failed' carries the message of the server", async ({ page, signIn, complaints }) => {
    await answering(page, '/api/telegram/configs', [configuration()]);
    await answering(page, '/api/telegram/configs/1', { message: 'The rock is too heavy.', code: 'heavy' }, 500);
    await signIn(open);
    await row(page, 'Cave of Ogg').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page)).toContainText('Deletion Failed');
    await expect(toast(page)).toContainText('Failed to delete configuration: The rock is too heavy.');
    forgiveStatus(complaints, 500);
  });
});

test('two presses make one call, and a change that ends late does not close another dialog', async ({
  page,
  signIn,
}) => {
  await answering(page, '/api/telegram/configs', [configuration()]);
  const held = Promise.withResolvers<undefined>();
  let calls = 0;
  await page.route('**/api/telegram/reset-mint-count/1', async (route) => {
    calls += 1;
    await held.promise;
    await route.fulfill({ json: { data: configuration() } });
  });
  await signIn('/admin?tab=telegram');
  await page.getByRole('tab', { name: 'Configurations' }).click();
  await row(page, 'Cave of Ogg').getByRole('button', { name: 'Reset count' }).click();
  await dialog(page)
    .getByRole('button', { name: 'Reset' })
    .evaluate((button: HTMLButtonElement) => [button.click(), button.click()].length);
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeDisabled();
  // As going forward in the browser does.
  await page.evaluate(() => window.history.pushState(null, '', `${window.location.search}&again`));
  await expect(dialog(page)).toHaveCount(0);
  await row(page, 'Cave of Ogg').getByRole('button', { name: 'Edit hex ID' }).click();
  await dialog(page).getByLabel('Hex collection ID').fill('0xabc');
  held.resolve(undefined);
  await expect(toast(page)).toContainText('Mint Count Reset');
  await expect(dialog(page).getByLabel('Hex collection ID')).toHaveValue('0xabc');
  expect(calls).toBe(1);
});

test('success and failure differ in shape, not in color alone', async ({ page, signIn, complaints }) => {
  await answering(page, '/api/telegram/configs', [configuration()]);
  await answering(page, '/api/telegram/reset-mint-count/1', configuration());
  await answering(page, '/api/telegram/configs/1', { message: 'The rock is too heavy.', code: 'heavy' }, 500);
  await signIn(open);
  const markOf = (text: string) =>
    toast(page).filter({ hasText: text }).locator('svg').first().locator('path').getAttribute('d');
  await row(page, 'Cave of Ogg').getByRole('button', { name: 'Reset count' }).click();
  await dialog(page).getByRole('button', { name: 'Reset' }).click();
  const success = await markOf('Mint Count Reset');
  await row(page, 'Cave of Ogg').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  expect(await markOf('Deletion Failed')).not.toBe(success);
  forgiveStatus(complaints, 500);
});
