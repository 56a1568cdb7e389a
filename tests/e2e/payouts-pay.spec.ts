import { Transaction } from '@mysten/sui/transactions';
import type { Browser, Page } from '@playwright/test';
import type { PayoutTransactionsAnswer } from '../../src/payouts/payout-admin-contract.ts';
import type { PayoutAnswer, PayoutPlan } from '../../src/payouts/payouts-contract.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { problemsOf } from './support/accessibility.ts';
import { admin, expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { ownersAreKnown, payoutAt, published, seen } from './support/payouts.ts';
import { bytesFor, refOf, test as signing } from './support/payout-signing.ts';
import { callAs } from './support/telegram-groups.ts';

/** The whole flow on the sandbox's chain: built, simulated, signed in its wallet, executed, and found in the ledger. */

test.use({ worldOf: 'payouts-pay' });

/** Signs in to the product, and copies the session to the sandbox's address that shows the product with a wallet. */
async function withWallet(page: Page, product: Product): Promise<string> {
  const origin = product.sandbox.urls.walletBrowser;
  const context = page.context();
  const login = await context.request.post(`${product.url}/api/auth/login`, { data: admin });
  expect(login.status(), await login.text()).toBe(200);
  const cookies = await context.cookies();
  await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: origin })));
  await ownersAreKnown(page);
  return origin;
}

const build = (page: Page) => page.getByRole('button', { name: 'Build the transaction' });
const equals = (page: Page) => page.getByText(/^Equals the plan, line by line: \d+ lines/);
const nothingLeft = (page: Page) => page.getByText('Nothing is left to pay.');

async function signAs(page: Page, person: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign with a wallet' }).click();
  await page.getByRole('button', { name: 'Sandbox Wallet' }).first().click();
  const connect = page.getByRole('dialog', { name: 'Connect Sandbox Wallet' });
  await connect.getByRole('button', { name: person, exact: true }).click();
}

async function signAndSend(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign the transfer and send it' }).click();
  await page
    .getByRole('dialog', { name: 'Sign this transaction?' })
    .getByRole('button', { name: 'Sign', exact: true })
    .click();
}

const became = async (product: Product, id: number): Promise<PayoutAnswer> =>
  ((await (await fetch(`${product.url}/api/payouts/${id}`)).json()) as { data: PayoutAnswer }).data;

test('a treasurer builds a transaction, reads what it does, signs it in the wallet, and sees the payout paid', async ({
  page,
  product,
}) => {
  const origin = await withWallet(page, product);
  const { id } = await published(page, { title: 'Paid here' });
  await page.goto(origin + payoutAt(id));
  await build(page).click();
  // First the ledger is read up to the newest checkpoint.
  await expect(toast(page)).toContainText('Transaction built', { timeout: 60_000 });
  await expect(equals(page)).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
  await signAs(page, 'Treasury');
  await page.getByRole('button', { name: 'Sign the transfer and send it' }).click();
  const asked = page.getByRole('dialog', { name: 'Sign this transaction?' });
  await expect(asked).toContainText(product.sandbox.facts.treasuryAddress);
  await asked.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(nothingLeft(page)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('list', { name: 'Earlier transactions' })).toContainText('Executed');
  await expect(page.getByText('Lines open0')).toBeVisible();
  await expect(page.getByText(/^As of (?!checkpoint).* ago$/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Paid here' }).locator('..')).toContainText('Paid');
  const { state, lines, holders } = await became(product, id);
  expect({ state, lines }).toEqual({
    state: 'paid',
    lines: { open: 0, paid: holders, paidOtherwise: 0, paidTwice: 0 },
  });
});

test('a wallet that is not the treasury’s signs nothing', async ({ page, product }) => {
  const origin = await withWallet(page, product);
  const { id } = await published(page);
  await page.goto(origin + payoutAt(id));
  await build(page).click();
  await signAs(page, 'Granite Gwen');
  await expect(page.locator('.verify-trouble')).toContainText('which is not the treasury');
  // Clears the way for the next payout: only one transaction of the treasury may wait at a time.
  await signAsTreasuryElsewhere(page, product, id);
});

/** Signs and executes the transaction with another tool. */
async function signAsTreasuryElsewhere(page: Page, product: Product, id: number): Promise<string> {
  const bytes = (await waitingOf(page, id))?.bytes ?? '';
  const order = { person: 'Treasury', bytes };
  const { data } = (await product.control('/control/wallets/sign-transaction', order)) as {
    data: { signature: string };
  };
  const executed = (await product.control('/control/chain/execute', { bytes, signatures: [data.signature] })) as {
    data: { digest: string };
  };
  return executed.data.digest;
}

const waitingOf = async (page: Page, id: number) => {
  const answer = await callAs(page, 'GET', `/api/admin/payouts/${id}/transactions`);
  return (answer as PayoutTransactionsAnswer).transactions.find(({ state }) => state === 'waiting');
};

test('a transaction executed by another tool is found by its digest; altered bytes that pay another address are detected', async ({
  page,
  product,
}) => {
  const origin = await withWallet(page, product);
  const { id } = await published(page);
  const { lines } = (await (await fetch(`${product.url}/api/payouts/${id}/plan.json`)).json()) as PayoutPlan;
  await page.goto(origin + payoutAt(id));
  await build(page).click();
  await expect(equals(page)).toBeVisible();
  await page.getByText('Sign elsewhere', { exact: true }).click();
  const bytes = await page.getByLabel('Bytes to sign').inputValue();
  const pasted = page.getByLabel('Bytes that another tool shows');
  await pasted.fill(bytes.replaceAll(/(.{64})/g, '$1\n'));
  await expect(page.getByText('The same, to the byte.')).toBeVisible();
  await pasted.fill(await payingTo(`0x${'e'.repeat(64)}`, bytes, lines[0]?.address ?? ''));
  await expect(page.getByText('Not the same bytes. Do not sign them.')).toBeVisible();
  await expect(page.getByText(/They pay .* to 0xe{64}, which is not in the plan\./)).toBeVisible();

  const digest = await signAsTreasuryElsewhere(page, product, id);
  await page.getByText('Executed elsewhere?').click();
  await page.getByLabel('Digest').fill(digest);
  await page.getByRole('button', { name: 'Check the chain' }).click();
  await expect(page.getByText('It is on chain and executed. It pays lines of this payout.')).toBeVisible({
    timeout: 60_000,
  });
  await expect(nothingLeft(page)).toBeVisible();
});

/** The same transaction with one recipient replaced. */
async function payingTo(thief: string, bytes: string, holder: string): Promise<string> {
  const json = await Transaction.from(bytes).toJSON();
  const pure = (address: string): string => Buffer.from(address.slice(2), 'hex').toString('base64');
  const changed = await Transaction.from(json.replace(pure(holder), pure(thief))).build();
  return Buffer.from(changed).toString('base64');
}

test('two browsers at once pay once: both get the same transaction', async ({ page, browser, product, complaints }) => {
  const origin = await withWallet(page, product);
  const { id } = await published(page);
  const second = await (await browser.newContext({ baseURL: product.url })).newPage();
  await withWallet(second, product);
  for (const each of [page, second]) await each.goto(origin + payoutAt(id));
  await Promise.all([page, second].map((each) => build(each).click()));
  for (const each of [page, second]) {
    await expect(equals(each)).toBeVisible({ timeout: 60_000 });
    await signAs(each, 'Treasury');
  }
  const digestOf = (each: Page) =>
    each
      .getByText(/^Digest/)
      .locator('..')
      .locator('code')
      .innerText();
  expect(await digestOf(page)).toBe(await digestOf(second));
  await Promise.all([page, second].map(signAndSend));
  for (const each of [page, second]) await expect(nothingLeft(each)).toBeVisible({ timeout: 60_000 });
  expect((await became(product, id)).lines).toMatchObject({ open: 0, paidOtherwise: 0, paidTwice: 0 });
  await second.context().close();
  // One of the two may have got the answer that it is sent already.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !/status of 40[39]/.test(text)));
});

signing(
  'for a coin other than SUI the page shows its type, because any coin may call itself USDC',
  async ({ page, scene }) => {
    const { plan, lines } = scene;
    const type = `0x${'d'.repeat(64)}::usdc::USDC`;
    await scene.publish({ ...plan, coin: { ...plan.coin, type } });
    await scene.open({ bytes: await bytesFor(plan.treasury, lines, [refOf('7')]) });
    await expect(page.getByText(`your wallet must show ${type}.`)).toBeVisible();
  },
);

test('a payout of more than the treasury has left is refused in one sentence, and nothing is built', async ({
  page,
  product,
  complaints,
}) => {
  const origin = await withWallet(page, product);
  const { id } = await published(page, { amount: { mode: 'total', raw: '9000000000000' } });
  const friend = `0x${'f'.repeat(64)}`;
  const balance = await callAs(page, 'GET', '/api/admin/payouts');
  const { coins } = balance as { coins: { symbol: string; balanceRaw: string; type: string }[] };
  const sui = coins.find(({ symbol }) => symbol === 'SUI');
  const amount = String(BigInt(sui?.balanceRaw ?? 0) - 2_000_000_000n);
  await product.control('/control/pay', { to: friend, coinType: sui?.type, amount });
  const hasTooLittle = async () => (await seen(page, id)).plan?.outcome.leftRaw?.startsWith('-') === true;
  await until('the treasury is read again', hasTooLittle, 60_000);
  await page.goto(origin + payoutAt(id));
  await expect(page.getByText(/Treasury after[\d.,]+ SUI too little/)).toBeVisible();
  await build(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'SUI' })).toBeVisible({ timeout: 60_000 });
  await expect(build(page)).toBeEnabled();
  forgiveStatus(complaints, 403);
});

test('the two members of a multisig sign elsewhere, and the combined signature is sent', async ({ browser }) => {
  test.setTimeout(240_000);
  const env = { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password };
  const product = await startProduct({ env, sandboxArgs: ['--treasury', 'multisig'] });
  try {
    await payAsMultisig(browser, product);
  } finally {
    await product.stop();
  }
});

async function payAsMultisig(browser: Browser, product: Product): Promise<void> {
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  const origin = await withWallet(page, product);
  const { id } = await published(page);
  await page.goto(origin + payoutAt(id));
  await build(page).click();
  await expect(equals(page)).toBeVisible();
  await signAs(page, 'Flint Fay');
  await expect(page.locator('.verify-trouble')).toContainText('or sign elsewhere');
  await page.getByText('Sign elsewhere', { exact: true }).click();
  const bytes = await page.getByLabel('Bytes to sign').inputValue();
  const send = page.getByRole('button', { name: 'Send with this signature' });
  const sign = async (person: string): Promise<string> => {
    const { data } = (await product.control('/control/wallets/sign-transaction', { person, bytes })) as {
      data: { signature: string };
    };
    return data.signature;
  };
  const signatures = [await sign('Flint Fay'), await sign('Ochre Otto')];
  await page.getByLabel('Signature').fill(signatures[0] ?? '');
  await send.click();
  await expect(page.getByRole('alert').or(page.locator('.field-error')).first()).toBeVisible();
  await expect(send).toBeEnabled();
  const { data } = (await product.control('/control/wallets/combine', { signatures })) as {
    data: { signature: string };
  };
  await page.getByLabel('Signature').fill(data.signature);
  await send.click();
  await expect(nothingLeft(page)).toBeVisible({ timeout: 60_000 });
  expect((await became(product, id)).state).toBe('paid');
  await context.close();
}
