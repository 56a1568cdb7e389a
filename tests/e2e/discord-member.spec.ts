import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { explanation, guild, member, online, statistics, wallet } from './support/discord-answers.ts';

const open = '/admin?view=servers&statistics=30000001';
const path = '/api/discord/guilds/30000001';
const gwen = `${path}/members/60000001`;

test.beforeEach(async ({ page }) => {
  await online(page, [guild()]);
  await answering(page, `${path}/statistics`, statistics());
  await answering(page, `${path}/members`, { members: [member()], nextAfter: null });
  await answering(page, gwen, explanation());
});

test.describe('rulings R5: one wallet one member', () => {
  test("'Unlink' says what will happen, and unlinks the wallet only after that", async ({ page, signIn }) => {
    await signIn(`${open}&member=60000001`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const wallets = page.getByRole('list', { name: 'Wallets' });
    await wallets.getByRole('button', { name: 'Unlink' }).click();
    const asking = page.getByRole('alertdialog');
    await expect(asking).toContainText(wallet);
    await expect(asking).toContainText('the role ends after a second check ten minutes later');
    expect(asked.filter((call) => call.startsWith('DELETE'))).toEqual([]);
    const without = explanation({ wallets: [] });
    await answering(page, gwen, without);
    await answering(page, `${gwen}/wallets/${wallet}`, without);
    await asking.getByRole('button', { name: 'Unlink' }).click();
    await expect(toast(page)).toContainText('Wallet unlinked');
    expect(asked).toContain(`DELETE ${gwen}/wallets/${wallet}`);
    await expect(page.getByText('None linked.')).toBeVisible();
    await expect(asking).toHaveCount(0);
  });
});

test.describe('rulings R6: members', () => {
  test('a member who deleted their data meanwhile is no longer shown', async ({ page, signIn, complaints }) => {
    await signIn(open);
    await page.getByRole('button', { name: 'Explain Gwen' }).click();
    await expect(page.getByRole('heading', { name: 'Gwen' })).toBeVisible();
    const gone = { message: 'This member has linked no wallet in this server.', code: 'not-found' };
    await answering(page, gwen, gone, 404);
    await answering(page, `${gwen}/resolve`, gone, 404);
    await answering(page, `${path}/members`, { members: [], nextAfter: null });
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText('No data about this member')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Gwen' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Check now' })).toBeDisabled();
    await page.getByRole('button', { name: 'Statistics of Cave of Ogg' }).click();
    await expect(page.getByText('Nobody has linked a wallet yet.')).toBeVisible();
    forgiveStatus(complaints, 404);
  });

  test('who are not in the server have no next check, not even the next sweep', async ({ page, signIn }) => {
    await signIn(`${open}&member=60000001`);
    await expect(page.getByText('With the next sweep')).toBeVisible();
    await answering(page, gwen, explanation({ isInGuild: false }));
    await page.reload();
    await expect(page.getByText('In the server')).toBeVisible();
    await expect(page.getByText('Next check')).toHaveCount(0);
  });

  test("are reloaded by 'Refresh', too", async ({ page, signIn }) => {
    await signIn(open);
    await expect(page.getByRole('button', { name: 'Explain Gwen' })).toBeVisible();
    const ben = member({ userId: '60000002', displayName: 'Ben' });
    await answering(page, `${path}/members`, { members: [member(), ben], nextAfter: null });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('button', { name: 'Explain Ben' })).toBeVisible();
  });
});
