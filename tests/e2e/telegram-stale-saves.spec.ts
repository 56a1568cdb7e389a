import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { configuration } from './support/telegram-answers.ts';
import { callAs, setUpGroup } from './support/telegram-groups.ts';

const open = '/admin?tab=telegram&view=configurations';

test.describe('rulings R6: two admins save at once', () => {
  test('the second sees both versions, and can cancel or overwrite', async ({ page, signIn, product, complaints }) => {
    await signIn(open);
    const { configuration: real } = await setUpGroup(page, product, 'Cave of two admins');
    await page.getByRole('button', { name: 'Refresh' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Cave of two admins' });
    await row.getByRole('button', { name: 'Reset count' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Minted count').fill('7');
    await callAs(page, 'POST', `/api/telegram/reset-mint-count/${real.id}`, { count: 99 });
    await dialog.getByRole('button', { name: 'Reset' }).click();
    const both = dialog.getByRole('alert', { name: 'Changed meanwhile' });
    await expect(both).toContainText('Someone else changed this configuration meanwhile.');
    await expect(both).toContainText('Minted count, yours7');
    await expect(both).toContainText('Minted count, saved99');
    // Specification 8: each refusal has its toast.
    await expect(toast(page)).toContainText('Failed to reset mint count: ');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(row).toContainText('99 / 555');

    await row.getByRole('button', { name: 'Reset count' }).click();
    await dialog.getByLabel('Minted count').fill('8');
    await callAs(page, 'POST', `/api/telegram/reset-mint-count/${real.id}`, { count: 100 });
    await dialog.getByRole('button', { name: 'Reset' }).click();
    await expect(both).toContainText('Minted count, saved100');
    const request = page.waitForRequest((one) => one.url().includes('reset-mint-count'));
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    expect((await request).headers()['if-match']).toBe(`"${real.version + 2}"`);
    await expect(toast(page)).toContainText('Mint Count Reset');
    await expect(row).toContainText('8 / 555');
    forgiveStatus(complaints, 409);
  });

  test("a deletion after another admin's change shows that change, and goes on only after a confirmation", async ({
    page,
    signIn,
    product,
    complaints,
  }) => {
    await signIn(open);
    const { configuration: real } = await setUpGroup(page, product, 'Cave of late deletion');
    await page.getByRole('button', { name: 'Refresh' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Cave of late deletion' });
    await row.getByRole('button', { name: 'Delete' }).click();
    await callAs(page, 'POST', `/api/telegram/reset-mint-count/${real.id}`, { count: 41 });
    const asking = page.getByRole('alertdialog');
    await asking.getByRole('button', { name: 'Delete' }).click();
    await expect(asking.getByRole('alert', { name: 'Changed meanwhile' })).toContainText(/Minted count\d+ became 41/);
    await expect(page.getByText('Cave of late deletion').first()).toBeAttached();
    await asking.getByRole('button', { name: 'Delete anyway' }).click();
    await expect(toast(page)).toContainText('Configuration Deleted');
    await expect(row).toHaveCount(0);
    forgiveStatus(complaints, 409);
  });
});

test.describe('specification 2: one dialog, for one configuration', () => {
  test('keeps the typed text while the list is polled, and a save says that its configuration is gone', async ({
    page,
    signIn,
    complaints,
  }) => {
    await page.clock.install({ time: new Date('2026-11-20T12:00:00Z') });
    const [first, second] = [configuration({ id: '999999' }), configuration({ id: '2', chatTitle: 'Other cave' })];
    await answering(page, '/api/telegram/configs', [first, second]);
    await signIn(open);
    await page.getByRole('row').filter({ hasText: 'Cave of Ogg' }).getByRole('button', { name: 'Edit hex ID' }).click();
    const field = page.getByRole('dialog').getByLabel('Hex collection ID');
    await field.fill('0xhalf-typed');
    // Nothing behind the dialog can be reached, so no second dialog of any kind can open.
    await expect(page.getByRole('button', { name: /Edit hex ID|Reset count|Delete/ })).toHaveCount(0);
    await answering(page, '/api/telegram/configs', [{ ...first, hexCollectionId: '0xsomebody', version: 9 }, second]);
    const polled = page.waitForResponse('**/api/telegram/configs');
    await page.clock.runFor(30_000);
    await polled;
    await expect(page.getByText('Hex ID: 0xsomebody')).toHaveCount(1);
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(field).toHaveValue('0xhalf-typed');
    await answering(page, '/api/telegram/configs', [second]);
    await page.clock.runFor(30_000);
    await expect(field).toHaveValue('0xhalf-typed');
    await field.fill(`0x${'b'.repeat(64)}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(toast(page)).toContainText('There is no such configuration: it may have been deleted or replaced.');
    forgiveStatus(complaints, 404);
  });
});
