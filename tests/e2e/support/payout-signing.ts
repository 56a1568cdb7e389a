import { createHash } from 'node:crypto';
import type { PayoutTransaction } from '../../../src/payouts/payout-admin-contract.ts';
import type { PayoutPlan } from '../../../src/payouts/payouts-contract.ts';
import { canonicalJson } from '../../../src/shared/canonical-json.ts';
import { buildPayment } from '../../../src/sources/sui/execution.ts';
import { expect, test as base } from './admin.ts';
import { ownersAreKnown, payoutAt, payoutsTab, published } from './payouts.ts';
import { installWallet, type WalletManners } from './sui-wallet.ts';

export { expect };

type Lines = PayoutPlan['lines'];

/** For tests of how the page handles transactions and wallets; the calls are tested in tests/server/payout-transactions.test.ts. */
interface Scene {
  readonly plan: PayoutPlan;
  readonly lines: Lines;
  readonly waiting: PayoutTransaction;
  /** Replaces the published plan, and its hash, with this one. */
  publish(plan: object): Promise<void>;
  /** Opens the payout with this transaction, and this wallet in the browser. */
  open(given?: Partial<PayoutTransaction>, wallet?: WalletManners | null): Promise<void>;
  /** Bodies of the calls that change something, by the end of their address. */
  readonly posted: [call: string, body: unknown][];
}

export const digest = 'C'.repeat(44);
export const refOf = (digit: string) => ({
  objectId: `0x${digit.repeat(64)}`,
  version: 7n,
  digest: 'B'.repeat(44),
  madeBy: null,
});

export const bytesFor = async (
  sender: string,
  payments: readonly { address: string; raw: string }[],
  /** None: the payments are split off the gas coin. */
  coins: readonly ReturnType<typeof refOf>[] = [],
): Promise<string> => {
  const { bytes } = await buildPayment({
    sender,
    gasCoins: [refOf('6')],
    gasPriceMist: 1_000n,
    budgetMist: 700_000_000n,
    coins,
    payments: payments.map(({ address, raw }) => ({ address, raw: BigInt(raw) })),
    expiresEpoch: 912n,
  });
  return Buffer.from(bytes).toString('base64');
};

export const test = base.extend<{ scene: Scene }>({
  scene: async ({ page, product, signIn }, use) => {
    await signIn(payoutsTab);
    await ownersAreKnown(page);
    const { id } = await published(page);
    const plan = (await (await fetch(`${product.url}/api/payouts/${id}/plan.json`)).json()) as PayoutPlan;
    const { lines } = plan;
    const totalRaw = String(lines.reduce((sum, { raw }) => sum + BigInt(raw), 0n));
    const treasury = product.sandbox.facts.treasuryAddress;
    const waiting: PayoutTransaction = {
      digest,
      state: 'waiting',
      lines: lines.length,
      totalRaw,
      gasBudgetMist: '700000000',
      gasMist: '551234567',
      builtAt: new Date().toISOString(),
      builtBy: 'ogg',
      expiresEpoch: 912,
      executedAt: null,
      explorerUrl: `https://explorer.example/tx/${digest}`,
      bytes: await bytesFor(treasury, lines),
      problem: null,
      received: lines,
    };
    const posted: Scene['posted'] = [];
    let shown = waiting;
    const open = { lines: lines.length, raw: totalRaw };
    const path = `/api/admin/payouts/${id}/transactions`;
    await page.route(
      ({ pathname }) => pathname.startsWith(path),
      async (route) => {
        const call = new URL(route.request().url()).pathname.slice(path.length);
        if (route.request().method() === 'POST') posted.push([call, route.request().postDataJSON()]);
        if (call.endsWith('/send')) {
          const executedAt = new Date().toISOString();
          shown = { ...shown, state: 'executed', executedAt, bytes: null, received: null };
        }
        const isOver = shown.state === 'executed';
        const data = { transactions: [shown], open: isOver ? { lines: 0, raw: '0' } : open };
        await route.fulfill({ json: { data } });
      },
    );
    await use({
      plan,
      lines,
      waiting,
      posted,
      publish: async (plan) => {
        const file = canonicalJson(plan);
        const sha256 = createHash('sha256').update(file).digest('hex');
        await page.route('**/plan.json', (route) => route.fulfill({ body: file, contentType: 'application/json' }));
        await page.route('**/api/admin/payouts', async (route) => {
          const answer = await route.fetch();
          const text = (await answer.text()).replaceAll(/"sha256":"[0-9a-f]{64}"/g, `"sha256":"${sha256}"`);
          await route.fulfill({ response: answer, body: text });
        });
      },
      open: async (given = {}, wallet = { addresses: [treasury] }) => {
        shown = { ...waiting, ...given };
        if (wallet !== null) await installWallet(page, wallet);
        await page.goto(payoutAt(id));
        await expect(
          page.getByRole('heading', { name: /transaction (to sign|that must not be signed)/ }),
        ).toBeVisible();
      },
    });
  },
});
