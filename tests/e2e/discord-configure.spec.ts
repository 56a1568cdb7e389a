import type { Page } from '@playwright/test';
import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { config, contract, dryRun, guild, online, unconfigured } from './support/discord-answers.ts';

const open = '/admin?view=servers';
type SignIn = (path?: string) => Promise<void>;
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Configure Server' });
const configure = (page: Page, name: string) => page.getByRole('button', { name: `Configure ${name}` }).click();
const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Save Configuration' }).click();

/** Opens the dialog for the only server. */
async function dialogFor(page: Page, signIn: SignIn, shown = guild()) {
  await online(page, [shown]);
  await signIn(open);
  await configure(page, shown.name);
  return dialogOf(page);
}

/** Answers the next save with `answer`; returns what was sent. */
async function saving(page: Page, answer: object = { data: guild() }, httpStatus = 200) {
  await page.route('**/api/discord/configure', (route) => route.fulfill({ status: httpStatus, json: answer }));
  const asked = page.waitForRequest('**/api/discord/configure');
  return async () => {
    const request = await asked;
    const body: unknown = request.postDataJSON();
    return { method: request.method(), body, ifMatch: request.headers()['if-match'] };
  };
}

test.describe('specification 2 and 5: Configure Server', () => {
  test("is pre-filled from the guild's config; role and channel come from it too", async ({ page, signIn }) => {
    await online(page, [guild(), unconfigured()]);
    await signIn(open);
    await configure(page, 'Cave of Ogg');
    const field = dialogOf(page).getByLabel('NFT Contract');
    await expect(field).toHaveValue(contract);
    await expect(field).toHaveAttribute('placeholder', '0x12345::module::Type');
    const name = dialogOf(page).getByLabel('NFT Display Name');
    await expect(name).toHaveValue('Cave Rocks');
    await name.fill('Rocks of Ogg');
    const sent = await saving(page);
    const listAgain = page.waitForRequest('**/api/discord/guilds');
    await save(page);
    const body = {
      guildId: '30000001',
      roleId: '40000001',
      channelId: '50000001',
      nftContract: contract,
      nftName: 'Rocks of Ogg',
    };
    expect(await sent()).toEqual({ method: 'POST', body, ifMatch: '"4"' });
    await expect(toast(page)).toContainText('Guild configured');
    await expect(toast(page)).toContainText('Server configuration updated successfully');
    await expect(dialogOf(page)).toHaveCount(0);
    await listAgain;
  });

  test("without a config it is pre-filled with the product's own collection; the role is empty", async ({
    page,
    signIn,
    product,
  }) => {
    const dialog = await dialogFor(page, signIn, unconfigured());
    const { collectionType } = product.sandbox.facts;
    await expect(dialog.getByLabel('NFT Contract')).toHaveValue(collectionType);
    await expect(dialog.getByLabel('NFT Display Name')).toHaveValue('Sui Rocks');
    const sent = await saving(page);
    await save(page);
    const body = { guildId: '30000002', roleId: '', nftContract: collectionType, nftName: 'Sui Rocks' };
    expect(await sent()).toEqual({ method: 'POST', body, ifMatch: '"0"' });
  });

  test('emptied fields fall back to the existing config', async ({ page, signIn }) => {
    const dialog = await dialogFor(page, signIn);
    await dialog.getByLabel('NFT Contract').fill('');
    await dialog.getByLabel('NFT Display Name').fill('  ');
    const sent = await saving(page);
    await save(page);
    expect((await sent()).body).toMatchObject({ nftContract: contract, nftName: 'Cave Rocks' });
  });

  test("emptied fields without a fallback are 'Required', and nothing is sent", async ({ page, signIn }) => {
    const dialog = await dialogFor(page, signIn, unconfigured());
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await dialog.getByLabel('NFT Contract').fill('');
    await dialog.getByLabel('NFT Display Name').fill('');
    await save(page);
    await expect(dialog.getByText('Required')).toHaveCount(2);
    expect(asked.filter((url) => url.includes('configure'))).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Configure Bare Rock' })).toBeFocused();
  });

  test("a refusal keeps the dialog: 'Failed to configure guild' with the server's message", async ({
    page,
    signIn,
    complaints,
  }) => {
    const dialog = await dialogFor(page, signIn);
    await dialog.getByLabel('NFT Contract').fill('0x2::sui::SUI');
    await saving(page, { message: 'This is a coin, not an NFT.', code: 'not-an-nft' }, 400);
    await save(page);
    await expect(toast(page)).toContainText('Failed to configure guild');
    await expect(toast(page)).toContainText('This is a coin, not an NFT.');
    const field = dialog.getByLabel('NFT Contract');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(/This is a coin, not an NFT\./);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('0x2::sui::SUI');
    forgiveStatus(complaints, 400);
  });

  test('a refusal disappears once something else is typed or tried', async ({ page, signIn, complaints }) => {
    const dialog = await dialogFor(page, signIn);
    await saving(page, { message: 'This is a coin, not an NFT.', code: 'not-an-nft' }, 400);
    await save(page);
    const said = dialog.getByText('This is a coin, not an NFT.');
    await expect(said).toBeVisible();
    await dialog.getByLabel('NFT Contract').fill('0x2::rock::Other');
    await expect(said).toHaveCount(0);
    await save(page);
    await expect(said).toBeVisible();
    await answering(page, '/api/discord/guilds/30000001/dry-run', dryRun());
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await expect(dialog.getByRole('region', { name: 'Dry run' })).toBeVisible();
    await expect(said).toHaveCount(0);
    forgiveStatus(complaints, 400);
  });
});

test('a hint shows the end of a long contract, which the field cuts off', async ({ page, signIn }) => {
  const dialog = await dialogFor(page, signIn);
  await expect(dialog.getByLabel('NFT Contract')).toHaveValue(contract);
  await expect(dialog.getByLabel('NFT Contract')).toHaveAccessibleDescription('Ends with ::rocks::Nft');
});

test.describe('rulings R5: the grace period', () => {
  test("is under 'More' and sent only when it was changed", async ({ page, signIn }) => {
    const dialog = await dialogFor(page, signIn);
    const field = dialog.getByLabel('Grace period in minutes');
    await expect(field).toBeHidden();
    await dialog.getByText('More', { exact: true }).click();
    await expect(field).toHaveValue('90');
    await field.fill('a day');
    await save(page);
    await expect(dialog.getByText('Enter whole minutes from 0 to 43,200')).toBeVisible();
    await field.fill('1440');
    const sent = await saving(page);
    await save(page);
    expect((await sent()).body).toMatchObject({ graceMinutes: 1440 });
  });
});

test.describe('rulings R6: the dry run', () => {
  const dryRunPath = '/api/discord/guilds/30000001/dry-run';

  test('says what a save would do, with the names behind a disclosure, and saves nothing', async ({ page, signIn }) => {
    const dialog = await dialogFor(page, signIn);
    await answering(page, dryRunPath, dryRun());
    const asked = page.waitForRequest('**/dry-run');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    expect((await asked).postDataJSON()).toEqual({ nftContract: contract });
    const result = dialog.getByRole('region', { name: 'Dry run' });
    await expect(result).toContainText('Gives the role to 41, takes it from 3.');
    await expect(result).toContainText('2 members will lose the role regardless.');
    await expect(result).toContainText('6 could not be checked now: nothing would change for them.');
    await expect(result.getByText('Ben')).toBeHidden();
    await result.getByText('Who would lose it (3)').click();
    await expect(result.getByText('Ben')).toBeVisible();
    await expect(result.getByText('and 2 more')).toBeVisible();
    await expect(toast(page)).toHaveCount(0);
    // It was for a different contract from the one now in the field.
    await dialog.getByLabel('NFT Contract').fill('0x2::rock::Other');
    await expect(result).toHaveCount(0);
  });

  test('says why it cannot be made', async ({ page, signIn, complaints }) => {
    const dialog = await dialogFor(page, signIn);
    await answering(page, dryRunPath, { message: 'The Sui network cannot be read now.', code: 'away' }, 503);
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await expect(dialog.getByText('The Sui network cannot be read now.')).toBeVisible();
    forgiveStatus(complaints, 503);
  });
});

test('rulings R6: a stale save is refused and shows both versions; saving again changes only what was typed', async ({
  page,
  signIn,
  complaints,
}) => {
  const dialog = await dialogFor(page, signIn);
  await dialog.getByLabel('NFT Display Name').fill('Mine');
  const roles = [{ id: '40000009', name: 'Chief', canBeGiven: true }];
  const theirs = {
    nftContract: '0x2::rock::Theirs',
    nftName: 'Theirs',
    graceMinutes: 10,
    roleId: '40000009',
    version: 5,
  };
  const current = guild({ config: config(theirs), roles });
  await saving(page, { message: 'Somebody else changed it.', code: 'stale', current, yours: {} }, 409);
  await save(page);
  const both = dialog.getByRole('alert', { name: 'Changed meanwhile' });
  await expect(both).toContainText("Someone else changed this server's configuration meanwhile.");
  await expect(both).toContainText('Display name, yoursMine');
  await expect(both).toContainText('Display name, savedTheirs');
  await expect(both).toContainText('RoleRock Holder became Chief');
  await expect(both).toContainText('Grace period1 hour 30 minutes became 10 minutes');
  await expect(both).not.toContainText('NFT contract, yours');
  await expect(dialog.getByLabel('NFT Contract')).toHaveValue('0x2::rock::Theirs');
  // Specification 8: each refusal has its toast.
  await expect(toast(page)).toContainText('Failed to configure guild');
  await expect(toast(page)).toContainText('Somebody else changed it.');
  const sent = await saving(page);
  await dialog.getByRole('button', { name: 'Save mine' }).click();
  const body = {
    guildId: '30000001',
    roleId: '40000009',
    channelId: '50000001',
    nftContract: '0x2::rock::Theirs',
    nftName: 'Mine',
  };
  expect(await sent()).toEqual({ method: 'POST', ifMatch: '"5"', body });
  await expect(dialog).toHaveCount(0);
  forgiveStatus(complaints, 409);
});
