import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction } from '@mysten/sui/transactions';

import {
  type AdminPayout,
  adminPayout,
  adminPayoutsAnswer,
  previewAnswer,
} from '../../src/payouts/payout-admin-contract.ts';
import { type PayoutPlan, payoutPlan } from '../../src/payouts/payouts-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { Product } from './product.ts';
import { until } from './until.ts';
import { dataOf } from './route-request.ts';

/** Plans and publishes payouts in a running product, through its calls. */
export interface Treasurer {
  /** Publishes a payout of this much SUI per rock. */
  publish(given: { readonly title: string; readonly reason?: string; readonly shareRaw: string }): Promise<PayoutPlan>;
  withdraw(payout: number, reason: string): Promise<void>;
}

export async function treasurerOf(product: Product, admin: { username: string; password: string }): Promise<Treasurer> {
  const login = await fetch(`${product.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';', 1).join(''))
    .join('; ');
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${product.url}/api/admin/payouts${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const seen = async (id: number): Promise<AdminPayout> => {
    const { payouts } = dataOf(adminPayoutsAnswer, await send('GET', ''));
    const found = payouts.find((payout) => payout.id === id);
    if (found === undefined) throw new Error(`There is no payout ${id}`);
    return found;
  };
  return {
    publish: async ({ title, reason = `Revenue of ${title}`, shareRaw }) => {
      const terms = { title, reason, coinType: suiCoinType, amount: { mode: 'per-rock', raw: shareRaw }, leftOut: [] };
      const canBe = async () => dataOf(previewAnswer, await send('POST', '/preview', terms)).outcome !== null;
      await until('owners and treasury are read', canBe, 90_000);
      const { id } = dataOf(adminPayout, await send('POST', '', terms));
      await send('POST', `/${id}/snapshot`);
      await until('the snapshot is taken', async () => (await seen(id)).snapshot.askedAt === null, 60_000);
      const { plan, snapshot } = await seen(id);
      if (plan === null) throw new Error(`No plan: ${snapshot.problem}`);
      await send('POST', `/${id}/publish`, { sha256: plan.sha256 });
      return payoutPlan.parse(JSON.parse(await planFileOf(product, id)));
    },
    withdraw: async (payout, reason) => void (await send('POST', `/${payout}/withdraw`, { reason })),
  };
}

export const planFileOf = async (product: Product, payout: number): Promise<string> =>
  (await fetch(`${product.url}/api/payouts/${payout}/plan.json`)).text();

/** Pays in one transaction, signed with the treasury's key in the sandbox, as a wallet would. Returns its digest. */
export async function payLines(
  product: Product,
  lines: readonly { readonly address: string; readonly raw: string }[],
): Promise<string> {
  const { sandbox } = product;
  const transaction = new Transaction();
  transaction.setSender(sandbox.facts.treasuryAddress);
  const coins = transaction.splitCoins(
    transaction.gas,
    lines.map(({ raw }) => BigInt(raw)),
  );
  for (const [index, { address }] of lines.entries()) {
    const coin = coins[index];
    if (coin !== undefined) transaction.transferObjects([coin], address);
  }
  const client = new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui });
  const bytes = Buffer.from(await transaction.build({ client })).toString('base64');
  const signed = await product.control('/control/wallets/sign-transaction', { person: 'Treasury', bytes });
  const { signature } = (signed as { data: { signature: string } }).data;
  const executed = await product.control('/control/chain/execute', { bytes, signatures: [signature] });
  return (executed as { data: { digest: string } }).data.digest;
}

/** The number of lines by state. */
const lineStatesOf = async (product: Product, payout: number): Promise<Readonly<Record<string, number>>> => {
  const answer = await fetch(`${product.url}/api/payouts/${payout}`);
  return ((await answer.json()) as { data: { lines: Record<string, number> } }).data.lines;
};

/** Waits until the ledger has read the payments from the chain. */
export const untilPaid = (product: Product, payout: number): Promise<void> =>
  until('every line is paid', async () => (await lineStatesOf(product, payout))['open'] === 0, 60_000);
