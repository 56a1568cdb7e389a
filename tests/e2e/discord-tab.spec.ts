import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { seeded, setUp, verify } from './support/discord-life.ts';
import { callAs } from './support/telegram-groups.ts';

test.use({ worldOf: 'discord-tab' });

const servers = '/admin?view=servers';

/** The tab against the real server, the real bot and the sandbox's Discord, chain and wallets. */
test.describe.serial('an admin and a server', () => {
  test('starts the bot and sees its servers, none of them configured', async ({ page, signIn }) => {
    await signIn();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(toast(page)).toContainText('Discord bot is now online');
    await expect(page.getByRole('region', { name: 'Bot Status' }).locator('.badge')).toHaveText('Online');
    await expect(page.getByLabel('Invite URL')).toHaveValue(/oauth2\/authorize\?client_id=\d+/);
    await page.getByRole('tab', { name: 'Servers' }).click();
    const mountain = page.getByRole('row').filter({ hasText: 'Rock Mountain' });
    await expect(mountain).toContainText('Not Configured');
    await expect(page.getByRole('row').filter({ hasText: 'Low Valley' })).toBeVisible();
  });

  test("configures a server with the product's own collection; a type that is not an NFT is refused with a reason", async ({
    page,
    signIn,
    complaints,
  }) => {
    await signIn(servers);
    await page.getByRole('button', { name: 'Configure Rock Mountain' }).click();
    const dialog = page.getByRole('dialog', { name: 'Configure Server' });
    const own = await dialog.getByLabel('NFT Contract').inputValue();
    await dialog.getByLabel('NFT Contract').fill('0x2::sui::SUI');
    await dialog.getByRole('button', { name: 'Save Configuration' }).click();
    await expect(toast(page)).toContainText('Failed to configure guild');
    await expect(dialog.getByLabel('NFT Contract')).toHaveAccessibleDescription(/This is a coin, not an NFT\./);
    await dialog.getByLabel('NFT Contract').fill(own);
    await dialog.getByRole('button', { name: 'Save Configuration' }).click();
    await expect(toast(page)).toContainText('Guild configured');
    await expect(dialog).toHaveCount(0);
    const row = page.getByRole('row').filter({ hasText: 'Rock Mountain' });
    await expect(row.getByRole('cell').nth(1)).toHaveText('Sui Rocks');
    await expect(row).toContainText('1 problem');
    await page.getByRole('button', { name: 'Details of Rock Mountain' }).click();
    await expect(page.getByRole('list', { name: 'Problems' })).toContainText('use /setup');
    forgiveStatus(complaints, 400);
  });

  test('after /setup the problem is gone, and role and channel are named', async ({ page, signIn, product }) => {
    await signIn(servers);
    await setUp(product);
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(page.getByRole('row').filter({ hasText: 'Rock Mountain' })).not.toContainText('problem', {
        timeout: 1_000,
      });
    }).toPass();
    await page.getByRole('button', { name: 'Details of Rock Mountain' }).click();
    await expect(page.getByText('Rock Holder', { exact: true })).toBeVisible();
    await expect(page.getByText('#verify', { exact: true })).toBeVisible();
  });

  test('overwrites a newer save only after seeing both versions', async ({ page, signIn, product, complaints }) => {
    const { guildId } = await seeded(product);
    await signIn(servers);
    await page.getByRole('button', { name: 'Configure Rock Mountain' }).click();
    const dialog = page.getByRole('dialog', { name: 'Configure Server' });
    await dialog.getByLabel('NFT Display Name').fill('Rocks of mine');
    const nftContract = await dialog.getByLabel('NFT Contract').inputValue();
    const { roles, channels } = await seeded(product);
    const theirs = { guildId, roleId: roles.holder, channelId: channels.verify, nftContract, nftName: 'Theirs' };
    await callAs(page, 'POST', '/api/discord/configure', theirs);
    await dialog.getByRole('button', { name: 'Save Configuration' }).click();
    const both = dialog.getByRole('alert', { name: 'Changed meanwhile' });
    await expect(both).toContainText('Display name, savedTheirs');
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await expect(toast(page)).toContainText('Guild configured');
    await expect(page.getByRole('row').filter({ hasText: 'Rock Mountain' })).toContainText('Rocks of mine');
    forgiveStatus(complaints, 409);
  });

  test('sees who has verified, why they have the role, and what another contract would do', async ({
    page,
    signIn,
    product,
  }) => {
    const { guildId, memberIds, ownerId } = await seeded(product);
    const [gwen = ''] = memberIds;
    await verify(product, gwen, 'Granite Gwen');
    await verify(product, ownerId, 'Olga Summit');
    await signIn(`${servers}&statistics=${guildId}`);
    const members = page.getByRole('list', { name: 'Members with a wallet or the role' });
    await expect(members.getByRole('listitem')).toHaveCount(2);
    await page.getByRole('searchbox').fill('gwen');
    await expect(members.getByRole('listitem')).toHaveCount(1);
    await page.getByRole('button', { name: 'Explain Granite Gwen' }).click();
    await expect(page.getByRole('list', { name: 'Wallets' })).toContainText('3 rocks');
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(toast(page)).toContainText('Granite Gwen: Holds');
    await page.getByRole('button', { name: /Statistics of/ }).click();
    await page.getByRole('button', { name: 'All servers' }).click();
    await page.getByRole('button', { name: 'Configure Rock Mountain' }).click();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await expect(page.getByRole('region', { name: 'Dry run' })).toContainText(
      'Changes nothing: this contract is already in use here',
    );
  });

  test('authorizes a wallet, which then counts, and removes it again', async ({ page, signIn, product }) => {
    const { guildId, ownerId } = await seeded(product);
    const people = (await product.observe('/control/wallets/people')) as { name: string; address: string }[];
    const olga = people.find(({ name }) => name === 'Olga Summit')?.address ?? '';
    await signIn(`${servers}&wallets=${guildId}`);
    await page.getByRole('button', { name: 'Authorize a wallet' }).click();
    await page.getByLabel('Wallet address').fill(olga);
    await page.getByLabel('Reason').fill('She painted the cave');
    await page.getByLabel('Last day (optional)').fill('2099-12-31');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await expect(toast(page)).toContainText('Wallet authorized');
    const line = page.getByRole('list', { name: /Authorized wallets/ }).getByRole('listitem');
    await expect(line).toContainText('linked by Olga Summit');
    await expect(line).toContainText('Until 31 Dec 2099, 23:59 UTC');
    await signIn(`${servers}&statistics=${guildId}&member=${ownerId}`);
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(toast(page)).toContainText('Olga Summit: Holds');
    await signIn(`${servers}&wallets=${guildId}`);
    await line.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(toast(page)).toContainText('Wallet removed');
    await expect(line).toContainText('Removed by ogg');
  });

  test('shuts the bot down', async ({ page, signIn }) => {
    await signIn();
    await page.getByRole('button', { name: 'Shutdown' }).click();
    await expect(toast(page)).toContainText('Discord bot is now offline');
    await page.getByRole('tab', { name: 'Servers' }).click();
    await expect(page.getByText('Bot is offline. Start the bot to view connected servers.')).toBeVisible();
  });
});
