import type { AnnouncementsAnswer } from '../../src/payouts/payouts-contract.ts';
import type {
  AdminPayout,
  AdminPayoutsAnswer,
  PayoutTransactionsAnswer,
  PreviewAnswer,
} from '../../src/payouts/payout-admin-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { until } from '../support/until.ts';
import type { CallWell } from './answered-well.ts';
import type { AttackWorld } from './attack-world.ts';

/** Makes every payout call, from the draft to the payment and a withdrawal. */
export async function callPayouts(world: AttackWorld, call: CallWell): Promise<void> {
  const amount = { mode: 'total', raw: '100000000000' };
  const body = { title: 'October <1>', reason: 'Revenue', coinType: suiCoinType, amount, leftOut: [] };
  const outcome = async () => (await call<PreviewAnswer>('POST', '/api/admin/payouts/preview', { body })).outcome;
  await until('owners and treasury are read', async () => (await outcome()) !== null, 90_000);
  const other = await call<AdminPayout>('POST', '/api/admin/payouts', { body });
  await call('DELETE', '/api/admin/payouts/{id}', { params: { id: String(other.id) } });
  const published = async (title: string) => {
    const { id } = await call<AdminPayout>('POST', '/api/admin/payouts', { body });
    const params = { id: String(id) };
    await call('PUT', '/api/admin/payouts/{id}', { params, body: { ...body, title } });
    await call('POST', '/api/admin/payouts/{id}/snapshot', { params });
    const planned = async () =>
      (await call<AdminPayoutsAnswer>('GET', '/api/admin/payouts')).payouts.find((payout) => payout.id === id);
    await until('the snapshot is taken', async () => (await planned())?.plan !== null, 90_000);
    await call('GET', '/api/admin/payouts/{id}/plan.json', { params });
    const sha256 = (await planned())?.plan?.sha256;
    await call('POST', '/api/admin/payouts/{id}/publish', { params, body: { sha256 } });
    return params;
  };
  const params = await published(body.title);
  const anybody = { role: 'anonymous', params } as const;
  await call('GET', '/api/payouts/{id}', anybody);
  await call('GET', '/api/payouts/{id}/plan.json', anybody);
  await call('GET', '/api/payouts/{id}/lines.csv', anybody);
  await callAnnouncements(world, call, params);
  await callTransactions(world, call, params);
  const second = await published('October, again');
  await call('POST', '/api/admin/payouts/{id}/withdraw', { params: second, body: { reason: 'Wrong month' } });
  for (const [name, value] of Object.entries({ title: body.title, reason: body.reason })) world.learn(name, value);
}

const transactionsPath = '/api/admin/payouts/{id}/transactions';

/** Pays a published payout: built, signed in the sandbox's wallet, sent and looked up. */
async function callTransactions(world: AttackWorld, call: CallWell, params: Readonly<Record<string, string>>) {
  const { transactions } = await call<PayoutTransactionsAnswer>('POST', transactionsPath, { params });
  const [{ digest, bytes } = { digest: '', bytes: null }] = transactions;
  await call('GET', transactionsPath, { params });
  const signed = await world.product.control('/control/wallets/sign-transaction', { person: 'Treasury', bytes });
  const { signature } = (signed as { readonly data: { readonly signature: string } }).data;
  const sent = { params: { ...params, digest }, body: { signature } };
  await call('POST', `${transactionsPath}/{digest}/send`, sent);
  await call('POST', `${transactionsPath}/check`, { params, body: { digest } });
}

/** Posts its card to a group or channel where a bot may write. */
async function callAnnouncements(world: AttackWorld, call: CallWell, params: Readonly<Record<string, string>>) {
  const path = '/api/admin/payouts/{id}/announcements';
  const { places } = await call<AnnouncementsAnswer>('GET', path, { params });
  const { place } = places.find(({ trouble }) => trouble === null) ?? { place: '' };
  await call('POST', path, { params, body: { kind: 'published', places: [place] } });
  for (const [name, value] of Object.entries({ kind: 'published', places: place })) world.learn(name, value);
}
