import type { Page } from '@playwright/test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Product } from '../support/product.ts';
import { admin, expect, test as base } from './support/admin.ts';

/** The whole flow in the demo's own windows: the sandbox's servers, a browser with a wallet, and the product between them. */
const test = base.extend<{ hall: Hall }>({
  hall: async ({ page, product }, use) => {
    const people = (await product.observe('/control/discord/users')) as { id: string; globalName: string | null }[];
    const idOf = (name: string) => people.find(({ globalName }) => globalName === name)?.id ?? '';
    await use({
      enter: async (name, channel) => {
        await page.goto(`${product.sandbox.urls.console}/discord?as=${idOf(name)}&channel=${channel}`);
      },
      badgeOf: (name, role) =>
        page
          .getByRole('region', { name: 'Members' })
          .getByRole('listitem')
          .filter({ hasText: name })
          .getByText(role, { exact: true }),
    });
  },
});

test.use({ worldOf: 'discord-hall' });

interface Hall {
  enter(name: string, channel: string): Promise<void>;
  badgeOf(name: string, role: string): ReturnType<Page['getByText']>;
}

interface Seeded {
  readonly guildId: string;
  readonly ownerId: string;
  readonly channels: { readonly welcome: string; readonly verify: string };
  readonly roles: { readonly holder: string };
}

const seeded = async (product: Product) => (await product.observe('/control/discord/seeded')) as Seeded;
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });

async function startBot(page: Page, product: Product): Promise<void> {
  const { request } = page.context();
  const login = await request.post(`${product.url}/api/auth/login`, { data: admin });
  expect(login.status()).toBe(200);
  const started = await request.post(`${product.url}/api/discord/init`);
  expect(started.status(), await started.text()).toBe(200);
}

async function connectAs(window: Page, name: string): Promise<void> {
  await window.getByRole('button', { name: 'Sandbox Wallet' }).first().click();
  const dialog = window.getByRole('dialog', { name: 'Connect Sandbox Wallet' });
  await dialog.getByRole('button', { name, exact: true }).click();
}

test('a server is set up, a member verifies with a wallet and gets the role, and every step is visible', async ({
  page,
  product,
  hall,
}) => {
  const { channels } = await seeded(product);
  await startBot(page, product);

  await hall.enter('Olga Summit', channels.welcome);
  await expect(page.getByText('is here')).toBeVisible({ timeout: 20_000 });
  const setup = page.locator('form').filter({ has: page.getByRole('button', { name: '/setup' }) });
  await setup.getByLabel('role').selectOption('Rock Holder');
  await setup.getByLabel('channel').selectOption('#verify');
  // A new channel redraws the lists; the choices stay.
  const { guildId, roles } = await seeded(product);
  await setup.getByLabel('channel').blur();
  await product.control('/control/discord/create-channel', { guildId, name: 'news' });
  await expect(setup.getByLabel('channel').getByRole('option', { name: '#news' })).toBeAttached();
  await expect(setup.getByLabel('role')).toHaveValue(roles.holder);
  await setup.getByRole('button', { name: '/setup' }).click();
  await expect(messages(page)).toContainText('Set up: verified holders of');

  await hall.enter('Granite Gwen', channels.verify);
  await messages(page).getByRole('button', { name: 'Verify', exact: true }).click();
  const opens = page.waitForEvent('popup');
  await messages(page).getByRole('link', { name: 'Verify with your wallet' }).click();
  const window = await opens;
  expect(window.url()).toContain(`${product.sandbox.urls.walletBrowser}/verify/`);
  await expect(window.getByText('For @granite.gwen (Granite Gwen) in the Discord server Rock Mountain')).toBeVisible();

  await connectAs(window, 'Granite Gwen');
  await window.getByRole('button', { name: 'Sign in wallet' }).click();
  const asks = window.getByRole('dialog', { name: 'Sign this message?' });
  await expect(asks).toContainText('Rock Mountain');
  await asks.getByRole('button', { name: 'Reject' }).click();
  await expect(window.getByRole('alert')).toContainText('You did not sign in Sandbox Wallet');
  await window.getByRole('button', { name: 'Sign in wallet' }).click();
  await asks.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(window.getByText('3 rocks: 1 in your wallet, 2 in kiosks, 1 of them listed')).toBeVisible();
  await window.close();

  await expect(hall.badgeOf('Granite Gwen', 'Rock Holder')).toBeVisible();
});

interface Person {
  readonly name: string;
  readonly scheme: string;
  readonly address: string;
}

/** Verifies with the calls that the wallet's page makes, without a browser. */
async function verifyAs(product: Product, userId: string, channelId: string, { name, address }: Person) {
  const { data: doing } = (await product.control('/control/discord/command', {
    userId,
    channelId,
    name: 'verify',
  })) as {
    data: { id: string };
  };
  const linkOf = async () =>
    /\/verify\/([\w-]{43})/.exec(
      JSON.stringify(await product.observe(`/control/discord/interaction?interactionId=${doing.id}`)),
    )?.[1];
  await expect.poll(linkOf).toBeDefined();
  const link = `${product.sandbox.urls.walletBrowser}/api/verify/${await linkOf()}`;
  const call = async (path: string, body: object) => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return ((await (await fetch(link + path, sent)).json()) as { data: { message: string; outcome: string } }).data;
  };
  const { message } = await call('/message', { wallet: address });
  const signed = (await product.control('/control/wallets/sign', {
    person: name,
    message: Buffer.from(message).toString('base64'),
  })) as { data: { signature: string } };
  return (await call('/signature', { wallet: address, ...signed.data })).outcome;
}

test('wallets of all six schemes bring the role, wherever they keep their rock; those without a rock do not', async ({
  page,
  product,
}) => {
  const { guildId, channels, roles, ownerId } = await seeded(product);
  await startBot(page, product);
  await expect.poll(async () => ((await product.observe('/control/discord/commands')) as []).length).toBeGreaterThan(0);
  const options = { role: roles.holder, channel: channels.verify };
  await product.control('/control/discord/command', {
    userId: ownerId,
    channelId: channels.welcome,
    name: 'setup',
    options,
  });
  await expect
    .poll(async () => JSON.stringify(await product.observe('/control/discord/interactions')))
    .toContain('Set up');
  const users = (await product.observe('/control/discord/users')) as { id: string; globalName: string | null }[];
  const people = (await product.observe('/control/wallets/people')) as Person[];
  const outcomes: Record<string, string> = {};
  for (const person of people) {
    // A second wallet and the treasury are not members.
    const userId = users.find(({ globalName }) => globalName === person.name)?.id;
    if (userId === undefined) continue;
    outcomes[`${person.name}, ${person.scheme}`] = await verifyAs(product, userId, channels.verify, person);
  }
  expect(outcomes).toEqual({
    'Granite Gwen, ED25519': 'role-coming',
    'Basalt Ben, Secp256k1': 'role-coming',
    'Marble Mo, Secp256r1': 'role-coming',
    'Slate Sue, MultiSig': 'role-coming',
    'Quartz Quinn, ZkLogin': 'role-coming',
    'Pumice Pete, Passkey': 'role-coming',
    'Max Ridge, ED25519': 'not-holding',
    'Olga Summit, ED25519': 'not-holding',
  });
  const holders = `/control/discord/members-with-role?guildId=${guildId}&roleId=${roles.holder}`;
  await expect.poll(async () => ((await product.observe(holders)) as string[]).length).toBe(6);
});

test('the wallet tells the page when its account changes or disconnects, and shows no account until it is asked to connect', async ({
  page,
  product,
}) => {
  await page.goto(`${product.sandbox.urls.walletBrowser}/`);
  const told = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const seen: string[] = [];
        const register = (wallet: {
          accounts: { label: string }[];
          features: Record<
            string,
            { on(event: string, listener: (change: { accounts: { label: string }[] }) => void): void }
          >;
        }) => {
          seen.push(`at first ${wallet.accounts.length}`);
          wallet.features['standard:events']?.on('change', ({ accounts }) => {
            seen.push(accounts[0]?.label ?? 'nobody');
            if (accounts.length === 0) resolve(seen);
          });
          const connect = wallet.features['standard:connect'] as unknown as { connect(): Promise<void> };
          void connect.connect();
        };
        window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }));
      }),
  );
  const choose = async (name: string) =>
    page.getByRole('dialog', { name: 'Connect Sandbox Wallet' }).getByRole('button', { name, exact: true }).click();
  await choose('Basalt Ben');
  await page.getByRole('button', { name: 'Sandbox Wallet: Basalt Ben' }).click();
  await page.getByRole('button', { name: 'Another account' }).click();
  await choose('Marble Mo');
  await page.getByRole('button', { name: 'Sandbox Wallet: Marble Mo' }).click();
  const { violations } = await new AxeBuilder({ page }).include('sandbox-wallet').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  expect(await told).toEqual(['at first 0', 'Basalt Ben', 'Marble Mo', 'nobody']);
});

test('the switches do what they say', async ({ page, product, hall }) => {
  const { channels } = await seeded(product);
  await hall.enter('Olga Summit', channels.welcome);
  await page.getByRole('button', { name: 'Close DMs of Basalt Ben' }).click();
  await expect(page.getByRole('button', { name: 'Open DMs of Basalt Ben' })).toBeVisible();
  await page.getByRole('button', { name: 'Let Marble Mo leave' }).click();
  await page.getByRole('button', { name: 'Let Marble Mo join' }).click();
  await expect(page.getByRole('button', { name: 'Let Marble Mo leave' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete the role Moderator' }).click();
  await expect(hall.badgeOf('Max Ridge', 'Moderator')).toBeHidden();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello <b>hall</b>');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(messages(page)).toContainText('Hello <b>hall</b>');
  await page.getByRole('button', { name: 'Kick the bot' }).click();
  await expect(page.getByText('is not in this server')).toBeVisible();
  await page.getByRole('button', { name: 'Invite the bot' }).click();
  await expect(page.getByRole('button', { name: 'Kick the bot' })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test('rocks change hands in the wallets', async ({ page, product }) => {
  await page.goto(`${product.sandbox.urls.console}/wallets`);
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(card('Olga Summit')).toContainText('Holds nothing');
  await card('Pumice Pete').getByLabel('Buyer').selectOption('Olga Summit');
  await card('Pumice Pete').getByRole('button', { name: 'Sell' }).click();
  await expect(card('Pumice Pete')).toContainText('Holds nothing');
  await expect(card('Olga Summit')).toContainText(/Sui Rock #\d+/);
  await card('Olga Summit').getByRole('button', { name: 'Move into a kiosk' }).click();
  await expect(card('Olga Summit')).toContainText('in a kiosk');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});
