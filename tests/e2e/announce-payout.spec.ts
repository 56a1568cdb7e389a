import { problemsOf } from './support/accessibility.ts';
import { expect, test, toast } from './support/admin.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';
import { ownersAreKnown, payoutAt, payoutsTab, published } from './support/payouts.ts';
import { callAs, history, setUpGroup } from './support/telegram-groups.ts';

for (const width of [390, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 }, hasTouch: width < 400 });

    test('the team reads the card of a payout, chooses where to post it, and sees that it was posted', async ({
      page,
      signIn,
      product,
    }) => {
      const title = `Cave ${width} <i>& "echoes"`;
      await signIn(payoutsTab);
      await ownersAreKnown(page);
      const group = await setUpGroup(page, product, title);
      const { id, plan } = await published(page, { title: `October ${width}` });
      await page.goto(payoutAt(id));
      const panel = page.getByRole('region', { name: 'Announcement' });
      await expect(panel).toContainText(`📣 Payout published: October ${width}`);
      await expect(panel).toContainText(`SHA-256 of the plan: ${plan?.sha256}`);
      await expect(panel).toContainText('Payouts are discretionary and not guaranteed. No date is promised.');
      await expect(panel).toContainText(`/payouts/${id}`);
      await expect(panel.getByRole('button', { name: 'Post', exact: true })).toBeDisabled();
      await panel.getByLabel(`Telegram: ${title}`).check();
      expect(await problemsOf(page)).toEqual([]);
      if (width < 400) await expect.poll(() => smallTargets(page)).toEqual([]);
      expect(await textsOffScreen(page)).toEqual([]);
      await panel.getByRole('button', { name: 'Post in 1 place' }).click();
      await expect(toast(page)).toContainText('Announcement queued');
      const line = panel.getByRole('list', { name: 'Where it was announced' }).getByRole('listitem');
      await expect(line).toContainText(/Cave.*‘Published’ by ogg.*Posted/, { timeout: 15_000 });
      await expect(panel.getByLabel(`Telegram: ${title}`)).toBeDisabled();
      await expect(panel.getByText('It is already posted there.')).toBeVisible();
      const said = await history(product, group.chatId);
      expect(said.filter(({ text }) => text?.includes('Payout published'))).toHaveLength(1);
      expect(await problemsOf(page)).toEqual([]);
    });
  });
}

test('a card that is on its way is not called posted', async ({ page, signIn, product }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  const { chatId } = await setUpGroup(page, product, 'Far cave');
  const { id } = await published(page, { title: 'December' });
  await product.control('/control/faults', { service: 'telegram', kind: '500', operation: 'sendMessage' });
  await callAs(page, 'POST', `/api/admin/payouts/${id}/announcements`, {
    kind: 'published',
    places: [`telegram:${chatId}`],
  });
  await page.goto(payoutAt(id));
  const panel = page.getByRole('region', { name: 'Announcement' });
  await expect(panel.getByLabel('Telegram: Far cave')).toBeDisabled();
  await expect(panel.getByText('It is on its way there.')).toBeVisible();
  await product.control('/control/faults/clear');
  await expect(panel.getByText('It is already posted there.')).toBeVisible({ timeout: 15_000 });
});

test('a place whose bot is off says so; a withdrawn payout cannot be announced', async ({ page, signIn, product }) => {
  await signIn(payoutsTab);
  await ownersAreKnown(page);
  await setUpGroup(page, product, 'Quiet cave');
  const { id } = await published(page, { title: 'November' });
  await callAs(page, 'POST', '/api/telegram/shutdown');
  await page.goto(payoutAt(id));
  const panel = page.getByRole('region', { name: 'Announcement' });
  await expect(panel.getByLabel('Telegram: Quiet cave')).toBeDisabled();
  await expect(panel.getByText('The bot is off. Initialize it first.').first()).toBeVisible();
  await callAs(page, 'POST', '/api/telegram/init');
  await callAs(page, 'POST', `/api/admin/payouts/${id}/withdraw`, { reason: 'Wrong month' });
  await page.reload();
  await expect(panel).toContainText('This payout is withdrawn.');
  await expect(panel.getByRole('button', { name: 'Post', exact: true })).toHaveCount(0);
});
