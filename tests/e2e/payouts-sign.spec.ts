import type { Transaction } from '@mysten/sui/transactions';
import type { Page } from '@playwright/test';
import { canonicalJson } from '../../src/shared/canonical-json.ts';
import { problemsOf } from './support/accessibility.ts';
import { toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';
import { bytesFor, digest, expect, test } from './support/payout-signing.ts';
import { type WalletManners, walletAddress } from './support/sui-wallet.ts';

const load = (page: Page) => page.getByRole('button', { name: 'Sign with a wallet' });
const wallet = (page: Page) => page.getByRole('button', { name: 'Cave Wallet' });
const sign = (page: Page) => page.getByRole('button', { name: 'Sign the transfer and send it' });
const trouble = (page: Page) => page.locator('.verify-trouble');

test('before signing, the page shows what a transaction does: who, how much, gas, until when, and that it equals the plan', async ({
  page,
  scene,
}) => {
  await scene.open();
  await expect(page.getByText('Here the team signs a transfer.')).toBeVisible();
  await expect(page.getByText('unlike the message that holders sign at /verify')).toBeVisible();
  await expect(page.getByText(`Equals the plan, line by line: ${scene.lines.length} lines`)).toBeVisible();
  await expect(page.getByText('Gas, simulated0.551234567 SUI')).toBeVisible();
  await expect(page.getByText('Gas, at most0.7 SUI')).toBeVisible();
  await expect(page.getByText('At the end of epoch 912')).toBeVisible();
  const [, line] = scene.lines;
  await page.getByLabel('Search').fill(`#${line?.rocks[0]}`);
  await expect(page.getByRole('rowheader', { name: line?.address.slice(0, 6) ?? '' })).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
});

test('a signature of the treasury’s wallet is sent, and the chain shows the result; the wallet code loads only on request', async ({
  page,
  scene,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await scene.open();
  const isWalletCode = (url: string): boolean => url.includes('/sign-here');
  expect(scripts.filter(isWalletCode)).toEqual([]);
  await load(page).click();
  await wallet(page).click();
  await expect(page.getByText('Cave Wallet has the treasury’s account')).toBeVisible();
  expect(scripts.filter(isWalletCode).length).toBeGreaterThan(0);
  expect(await problemsOf(page)).toEqual([]);
  await sign(page).click();
  await expect(toast(page)).toContainText('Sent');
  await expect(page.getByText('Nothing is left to pay.')).toBeVisible();
  const done = page.getByRole('list', { name: 'Earlier transactions' }).getByRole('listitem');
  await expect(done).toContainText(`${digest}Executed`);
  await expect(done.getByRole('link')).toHaveAttribute('href', scene.waiting.explorerUrl);
  expect(scene.posted).toEqual([[`/${digest}/send`, { signature: expect.stringMatching(/^[A-Za-z0-9+/]{100,}=*$/) }]]);
});

test.describe('whatever the wallet does wrong, nothing is sent', () => {
  const strangers = walletAddress(1);
  const cases: readonly (readonly [what: string, manners: WalletManners, sentence: string])[] = [
    ['it has another account', { addresses: [strangers] }, 'which is not the treasury. Only'],
    ['it is on another network', { chain: 'sui:testnet' }, 'This account is not on Sui mainnet.'],
    ['it refuses to connect', { connect: 'reject' }, 'You did not let Cave Wallet connect.'],
    ['it refuses to sign', { sign: 'reject' }, 'You did not sign in Cave Wallet.'],
    [
      'it signs another transaction',
      { change: (tx: Transaction) => tx.setGasBudget(900_000_000) },
      'Cave Wallet signed another transaction than the one shown here. Try once more, or use another wallet. Nothing was sent.',
    ],
  ];
  for (const [what, manners, sentence] of cases) {
    test(what, async ({ page, product, scene }) => {
      await scene.open({}, { addresses: [product.sandbox.facts.treasuryAddress], ...manners });
      await load(page).click();
      await wallet(page).click();
      await sign(page).or(trouble(page)).waitFor();
      if ((await trouble(page).count()) === 0) await sign(page).click();
      await expect(trouble(page)).toContainText(sentence);
      expect(scene.posted).toEqual([]);
    });
  }

  test('a wallet that never answers can be left for another one', async ({ page, product, scene }) => {
    await scene.open({}, { addresses: [product.sandbox.facts.treasuryAddress], sign: 'never' });
    await load(page).click();
    await wallet(page).click();
    await sign(page).click();
    await expect(page.getByText('Waiting for Cave Wallet to sign.')).toBeVisible();
    await page.getByRole('button', { name: 'Choose another wallet' }).click();
    await expect(wallet(page)).toBeEnabled();
  });

  test('without a wallet, the page says so', async ({ page, scene }) => {
    await scene.open({}, null);
    await load(page).click();
    await expect(page.getByText('This browser has no Sui wallet that signs transactions.')).toBeVisible();
  });
});

test.describe('a transaction that must not be signed cannot be signed', () => {
  test('its bytes do not match the plan: the page names who would be paid', async ({ page, product, scene }) => {
    const [first, ...others] = scene.lines;
    const altered = [{ ...first, address: `0x${'e'.repeat(64)}`, raw: '7' }, ...others];
    await scene.open({ bytes: await bytesFor(product.sandbox.facts.treasuryAddress, altered) });
    const alert = page.getByRole('alert').filter({ hasText: 'The bytes do not match the plan. Do not sign them' });
    await expect(alert).toContainText(`They pay 0.000000007 SUI to 0x${'e'.repeat(64)}, which is not in the plan.`);
    await expect(load(page)).toHaveCount(0);
    await expect(page.getByText('Sign elsewhere')).toHaveCount(0);
    expect(await problemsOf(page)).toEqual([]);
  });

  test('its list and its bytes pay an address that is not in the published plan', async ({ page, product, scene }) => {
    const [first, ...others] = scene.lines;
    const received = [{ address: `0x${'e'.repeat(64)}`, raw: first?.raw ?? '', rocks: first?.rocks ?? [] }, ...others];
    await scene.open({ received, bytes: await bytesFor(product.sandbox.facts.treasuryAddress, received) });
    await expect(page.getByRole('alert').filter({ hasText: 'Do not sign them' })).toContainText(
      `What is listed for 0x${'e'.repeat(64)} is not in the plan, or is listed twice.`,
    );
    await expect(load(page)).toHaveCount(0);
  });

  test('the plan that was read is not the published one', async ({ page, scene }) => {
    const [first, ...others] = scene.lines;
    const altered = { ...scene.plan, lines: [{ ...first, address: `0x${'e'.repeat(64)}` }, ...others] };
    await page.route('**/plan.json', (route) => route.fulfill({ body: canonicalJson(altered) }));
    await scene.open();
    await expect(page.getByRole('alert').filter({ hasText: 'Do not sign them' })).toContainText(
      /The SHA-256 of the plan is [0-9a-f]{64}, but [0-9a-f]{64} was published\./,
    );
    await expect(load(page)).toHaveCount(0);
  });

  test('the published plan cannot be read: signing waits for it', async ({ page, scene, complaints }) => {
    await page.route('**/plan.json', (route) => route.fulfill({ status: 503, json: { message: 'Not now' } }));
    await scene.open();
    await expect(page.getByText('Whether it equals the plan is not known yet')).toBeVisible();
    await expect(load(page)).toHaveCount(0);
    await expect(page.getByText('Sign elsewhere')).toHaveCount(0);
    expect(await problemsOf(page)).toEqual([]);
    forgiveStatus(complaints, 503);
    // A proxy's login page.
    await page.route('**/plan.json', (route) => route.fulfill({ body: '<p>Sign in</p>' }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('This is not the plan of a payout')).toBeVisible();
    await page.unroute('**/plan.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(load(page)).toBeVisible();
  });

  test('the server says why', async ({ page, scene }) => {
    const problem = 'Do not sign this transaction: 0x1 was already paid by another one.';
    await scene.open({ bytes: null, problem });
    await expect(page.getByRole('alert')).toHaveText(problem);
    await expect(load(page)).toHaveCount(0);
  });

  test('what it does is not known', async ({ page, scene }) => {
    await scene.open({ received: null });
    await expect(page.getByRole('alert')).toHaveText('What it does is not known, so it cannot be signed here.');
    await expect(load(page)).toHaveCount(0);
  });
});

test('signing elsewhere: bytes are compared, and a pasted signature is sent', async ({ page, scene, complaints }) => {
  await scene.open();
  await page.getByText('Sign elsewhere').click();
  await expect(page.getByLabel('Bytes to sign')).toHaveValue(scene.waiting.bytes ?? '');
  await page.getByLabel('Bytes that another tool shows').fill('AAAA\nBBBB');
  await expect(page.getByText('Not the same bytes. Do not sign them. These bytes do something other')).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
  await page.getByLabel('Bytes that another tool shows').fill(`"${scene.waiting.bytes}"\n`);
  await expect(page.getByText('The same, to the byte.')).toBeVisible();

  await page.getByRole('button', { name: 'Send with this signature' }).click();
  await expect(page.getByText('Paste a signature.')).toBeVisible();
  await page.getByLabel('Signature').fill('not a signature?');
  await page.getByRole('button', { name: 'Send with this signature' }).click();
  await expect(page.getByText('A signature is base64')).toBeVisible();
  const refuse = (url: URL): boolean => url.pathname.endsWith('/send');
  const message = 'What the server says.';
  for (const [status, title, before] of [
    [403, 'The transaction was not sent', ''],
    [503, 'Whether it was sent is not known', 'It may have been sent: check the chain before anything else. '],
  ] as const) {
    await page.route(refuse, (route) => route.fulfill({ status, json: { message } }));
    await page.getByLabel('Signature').fill('"AAAA\nBBBB"\n');
    await page.getByRole('button', { name: 'Send with this signature' }).click();
    await expect(toast(page).filter({ hasText: title })).toContainText(before + message);
    await expect(page.locator('.field-error')).toHaveText(before + message);
    forgiveStatus(complaints, status);
    await page.unroute(refuse);
  }
  await page.getByRole('button', { name: 'Send with this signature' }).click();
  await expect(page.getByText('Nothing is left to pay.')).toBeVisible();
  expect(scene.posted).toEqual([[`/${digest}/send`, { signature: 'AAAABBBB' }]]);
});

test('the page looks for a digest on the chain, and says what it found', async ({ page, scene }) => {
  await scene.open();
  await page.getByText('Executed elsewhere?').click();
  await page.getByLabel('Digest').fill('0x12');
  await expect(page.getByText('A digest has 32 to 44 letters and digits')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check the chain' })).toBeDisabled();
  for (const [found, words] of [
    ['pays-no-line', 'It is on chain and executed, but it pays no line of this payout.'],
    ['failed', 'It is on chain, but failed'],
    ['not-found', 'The node does not know it: it may still come'],
    ['not-of-the-treasury', 'the treasury did not sign it.'],
    [null, 'The chain was read up to now.'],
  ] as const) {
    await page.route('**/transactions/check', (route) => route.fulfill({ json: { data: { found } } }));
    await page.getByLabel('Digest').fill(found === null ? '' : digest);
    await page.getByRole('button', { name: 'Check the chain' }).click();
    await expect(page.getByText(words)).toBeVisible();
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a thousand lines are searched and shown in pages, and every control is large enough for touch', async ({
    page,
    product,
    scene,
  }) => {
    const received = Array.from({ length: 1_000 }, (_, index) => ({
      address: `0x${(index + 1).toString(16).padStart(64, '0')}`,
      raw: index === 0 ? '555' : '1',
      rocks: index === 0 ? Array.from({ length: 555 }, (_rock, rock) => rock + 1) : [index + 555],
    }));
    const ofAll = { leftOut: [], shareRaw: '1', totalRaw: '1554', remainderRaw: '0' };
    const amount = { ...scene.plan.amount, mode: 'per-rock', raw: '1' };
    const snapshot = { ...scene.plan.snapshot, rocks: 1_554 };
    await scene.publish({ ...scene.plan, ...ofAll, amount, snapshot, lines: received });
    const bytes = await bytesFor(product.sandbox.facts.treasuryAddress, received);
    await scene.open({ lines: 1_000, received, bytes });
    await expect(page.getByText('Equals the plan, line by line: 1,000 lines')).toBeVisible();
    await expect(page.getByText('Showing 1 to 10 of 1,000')).toBeVisible();
    await expect(page.getByText('#8 and 547 more')).toBeVisible();
    await load(page).click();
    await wallet(page).click();
    await page.getByText('Sign elsewhere').click();
    await page.getByText('Executed elsewhere?').click();
    expect(await problemsOf(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    expect(await textsOffScreen(page)).toEqual([]);
    await page.getByLabel('Search').fill('#1554');
    await expect(page.getByText('Showing 1 to 1 of 1')).toBeVisible();
  });
});
