import { expect, type Page } from '@playwright/test';
import type { DiscordGuild } from '../src/discord/contract.ts';
import { linkOf, seeded, setUp, verify } from '../tests/e2e/support/discord-life.ts';
import type { Product } from '../tests/support/product.ts';
import { until } from '../tests/support/until.ts';

/** Opens what the picture shows. */
export type Show = (page: Page, product: Product) => Promise<void>;

const holder = 'Granite Gwen';
const newcomer = 'Slate Sue';
const others = ['Basalt Ben', 'Marble Mo', 'Max Ridge'] as const;
const servers = '/admin?view=servers';

/** Starts the bot, sets one server up and lets members verify. */
export async function startDiscordLife(product: Product, sessionCookie: string): Promise<void> {
  const headers = { cookie: sessionCookie };
  const started = await fetch(`${product.url}/api/discord/init`, { method: 'POST', headers });
  if (!started.ok) throw new Error(`init answered ${started.status}: ${await started.text()}`);
  const commands = async (): Promise<boolean> =>
    ((await product.observe('/control/discord/commands')) as []).length > 0;
  await until('the commands are registered', commands);
  await setUp(product);
  await until('the server is set up', async () => {
    const answer = await fetch(`${product.url}/api/discord/guilds`, { headers });
    const { data } = (await answer.json()) as { data?: readonly DiscordGuild[] };
    return data?.some(({ config }) => config !== undefined && config.roleId !== '') === true;
  });
  for (const name of others) await verify(product, await idOf(product, name), name);
}

async function idOf(product: Product, name: string): Promise<string> {
  const people = (await product.observe('/control/discord/users')) as { id: string; globalName: string | null }[];
  const found = people.find(({ globalName }) => globalName === name);
  if (found === undefined) throw new Error(`no user is called ${name}`);
  return found.id;
}

/** The tab as an admin sees it. */
export const discordPictures: Readonly<Record<string, Show>> = {
  'discord-servers': async (page) => {
    await page.goto(servers);
    await page.getByRole('button', { name: 'Details of Rock Mountain' }).click();
  },
  'discord-configure': async (page) => {
    await page.goto(servers);
    await page.getByRole('button', { name: 'Configure Rock Mountain' }).click();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await expect(page.getByRole('region', { name: 'Dry run' })).toBeVisible();
  },
  'discord-statistics': async (page, product) => {
    await page.goto(`${servers}&statistics=${(await seeded(product)).guildId}`);
    await expect(page.getByText('Members with a wallet or the role')).toBeVisible();
  },
};

const open = async (page: Page, product: Product, name: string): Promise<void> => {
  const token = await linkOf(product, await idOf(product, name));
  await page.goto(`${product.sandbox.urls.walletBrowser}/verify/${token}`);
  await expect(page.getByRole('heading', { name: 'Choose your wallet' })).toBeVisible();
};

const readMessage = async (page: Page, product: Product, name: string): Promise<void> => {
  await open(page, product, name);
  await page.locator('.verify-choice').click();
  const connecting = page.getByRole('dialog', { name: 'Connect Sandbox Wallet' });
  await connecting.getByRole('button', { name, exact: true }).click();
  await expect(page.getByRole('button', { name: 'Sign in wallet' })).toBeVisible();
};

const sign = async (page: Page, product: Product, name: string): Promise<void> => {
  await readMessage(page, product, name);
  await page.getByRole('button', { name: 'Sign in wallet' }).click();
  const asking = page.getByRole('dialog', { name: 'Sign this message?' });
  await asking.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(page.getByText('The role is given.')).toBeVisible();
};

/** The sandbox's wallet covers the page and is not part of it. */
const withoutWallet = (page: Page): Promise<void> =>
  page.locator('sandbox-wallet').evaluate((wallet) => wallet.remove());

/**
 * The steps behind a verification link, in the sandbox's browser with a wallet. Each picture has its own link; the first two are
 * of a member without a linked wallet.
 */
export const verifyPictures: Readonly<Record<string, Show>> = {
  'verify-before': (page, product) => open(page, product, newcomer),
  'verify-message': (page, product) => readMessage(page, product, newcomer).then(() => withoutWallet(page)),
  'verify-after': (page, product) => sign(page, product, holder).then(() => withoutWallet(page)),
};
