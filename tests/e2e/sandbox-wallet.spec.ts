import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transaction } from '@mysten/sui/transactions';
import { expect, test as base, type Page } from '@playwright/test';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts';
import { problemsOf } from './support/accessibility.ts';
import { textsOffScreen } from './support/on-a-phone.ts';

/** The sandbox's own wallet on an application that has only a nearly empty page. */
const test = base.extend<object, { sandbox: Sandbox }>({
  sandbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from its first parameter.
    async ({}, use) => {
      const application = await startApplication();
      const { port } = application.address() as AddressInfo;
      const sandbox = await startSandbox({ productUrl: `http://127.0.0.1:${port}`, treasury: 'multisig' });
      await use(sandbox);
      await sandbox.stop();
      application.closeAllConnections();
      application.close();
    },
    { scope: 'worker' },
  ],
});

async function startApplication(): Promise<Server> {
  const page =
    '<!doctype html><html lang="en"><head><title>Application</title></head><body><main><h1>Hello</h1></main></body></html>';
  const server = createServer((_asked, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" }).end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const friend = `0x${'f'.repeat(64)}`;

function payment(sender?: string): Promise<string> {
  const tx = new Transaction();
  if (sender !== undefined) tx.setSender(sender);
  tx.transferObjects([tx.splitCoins(tx.gas, [2_000_000_000])[0]], friend);
  return tx.toJSON();
}

type Feature = 'sui:signTransaction' | 'sui:signAndExecuteTransaction';

/** Calls the wallet as an application does by the Wallet Standard; the answer, or the reason for none, is kept in the page. */
async function askWallet(page: Page, feature: Feature, json: string): Promise<void> {
  await page.evaluate(
    ({ feature: name, json: text }) => {
      type Account = { address: string };
      type Call = (input: object) => Promise<object>;
      type Wallet = { accounts: Account[]; features: Record<string, Record<string, Call>> };
      const found: Wallet[] = [];
      const detail = { register: (wallet: Wallet) => found.push(wallet) };
      window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail }));
      const [wallet] = found;
      const run = async () => {
        await wallet?.features['standard:connect']?.['connect']?.({ silent: wallet.accounts.length > 0 });
        const input = { transaction: { toJSON: async () => text }, account: wallet?.accounts[0], chain: 'sui:mainnet' };
        return wallet?.features[name]?.[name.slice('sui:'.length)]?.(input);
      };
      const answer = run().catch((error: Error) => ({ refused: error.message }));
      Object.assign(window, { answer });
    },
    { feature, json },
  );
}

const answerOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { answer: Promise<Record<string, string>> }).answer);

async function connectAs(page: Page, sandbox: Sandbox, name: string, sender?: string): Promise<void> {
  await page.goto(sandbox.urls.walletBrowser);
  const connected = askWallet(page, 'sui:signTransaction', await payment(sender));
  await page.getByRole('dialog', { name: 'Connect Sandbox Wallet' }).getByRole('button', { name, exact: true }).click();
  await connected;
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sign this transaction?' });

test.beforeEach(({ sandbox }) => sandbox.world.reset());

test('the wallet says in plain words what a transaction does, and returns nothing when it is refused', async ({
  page,
  sandbox,
}) => {
  await connectAs(page, sandbox, 'Treasury');
  await expect(dialogOf(page)).toContainText(`Pays 2 SUI to ${friend}.`);
  await expect(dialogOf(page)).toContainText(/Gas: .*at most 0\.\d+ SUI/);
  expect(await problemsOf(page)).toEqual([]);
  await dialogOf(page).getByRole('button', { name: 'Refuse' }).click();
  expect(await answerOf(page)).toEqual({ refused: 'User rejected the request' });
});

test('the wallet signs, and the chain accepts the signature', async ({ page, sandbox }) => {
  await connectAs(page, sandbox, 'Treasury');
  await dialogOf(page).getByRole('button', { name: 'Sign', exact: true }).click();
  const { bytes = '', signature = '' } = await answerOf(page);
  const done = await sandbox.chain.execute(new Uint8Array(Buffer.from(bytes, 'base64')), [signature]);
  expect(done.balanceChanges).toContainEqual(expect.objectContaining({ address: friend, amount: 2_000_000_000n }));
});

test('the wallet signs and sends in one step', async ({ page, sandbox }) => {
  await connectAs(page, sandbox, 'Treasury');
  await dialogOf(page).getByRole('button', { name: 'Refuse' }).click();
  await answerOf(page);
  await askWallet(page, 'sui:signAndExecuteTransaction', await payment());
  await dialogOf(page).getByRole('button', { name: 'Sign and send' }).click();
  const { digest } = await answerOf(page);
  expect(sandbox.world.state.transactions.at(-1)?.digest).toBe(digest);
});

test("one of the treasury's two signers signs in the wallet, the other on the console, where it is then executed", async ({
  page,
  sandbox,
}) => {
  const treasury = sandbox.facts.treasuryAddress;
  await connectAs(page, sandbox, 'Flint Fay', treasury);
  await expect(dialogOf(page)).toContainText(`From Treasury (${treasury}).`);
  await dialogOf(page).getByRole('button', { name: 'Sign', exact: true }).click();
  const { bytes = '', signature } = await answerOf(page);
  expect(signature).toBe(
    await sandbox.wallets.signTransaction('Flint Fay', new Uint8Array(Buffer.from(bytes, 'base64'))),
  );

  await page.goto(`${sandbox.urls.console}/wallets`);
  const section = page.getByRole('region', { name: 'A transaction to sign' });
  await section.getByLabel('Its bytes, base64').fill(bytes);
  await section.getByRole('button', { name: 'See what it does' }).click();
  await expect(section).toContainText(`Pays 2 SUI to ${friend}.`);
  for (const name of ['Ochre Otto', 'Flint Fay']) {
    await section.getByLabel('Sign as').selectOption(name);
    await section.getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(section.getByLabel(`Signature of ${name}`)).toBeVisible();
  }
  await expect(section.getByLabel('Signature of the sender')).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
  await section.getByRole('button', { name: 'Execute' }).click();
  await expect(section).toContainText('Executed:');
  expect(sandbox.world.state.transactions.at(-1)?.signed?.bytes).toBe(bytes);
});

test('the longest names without a blank fit a phone, in the chats and in the servers', async ({ page, sandbox }) => {
  const longest = 'W'.repeat(100);
  const members = [{ userId: sandbox.telegram.seeded.adminId, status: 'creator' } as const];
  const { id: chat } = sandbox.telegram.createChat({ kind: 'supergroup', isForum: true, title: longest, members });
  sandbox.telegram.createTopic({ chatId: chat, name: longest });
  const { guildId } = sandbox.discord.seeded;
  sandbox.discord.updateGuild({ guildId, name: longest });
  sandbox.discord.createRole({ guildId, name: longest });
  const { id: channel } = sandbox.discord.createChannel({ guildId, name: longest });
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of [`/chat?chat=${chat}`, `/discord?channel=${channel}`]) {
    await page.goto(sandbox.urls.console + path);
    await expect(page.getByRole('heading', { name: longest })).toBeVisible();
    expect(await textsOffScreen(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});
