import { callAccounts } from './account-calls.ts';
import { answeringWell, type WellAnswered } from './answered-well.ts';
import type { AttackWorld } from './attack-world.ts';
import type { DescribedCall } from './described-calls.ts';
import { callDiscord } from './discord-calls.ts';
import { callPayouts } from './payout-calls.ts';
import { callTelegram } from './telegram-calls.ts';
import type { StatementsAnswer } from '../../src/treasury/ledger-contract.ts';
import { until } from '../support/until.ts';

/** Makes each call of the description succeed at least once, and fills the product with data for the calls. */
export async function makeEveryCall(world: AttackWorld): Promise<WellAnswered> {
  const well = answeringWell(world);
  const { call } = well;
  await callPublic(world, call);
  await Promise.all([callTelegram(world, call), callDiscord(world, call)]);
  await call('GET', '/api/audit');
  await callTreasury(world, call);
  await callAccounts(world, call);
  await callPayouts(world, call);
  await call('POST', '/api/auth/logout');
  return well;
}

/** The team's note on a movement, name of an address and amount of a slice of the plan. */
async function callTreasury(world: AttackWorld, call: WellAnswered['call']): Promise<void> {
  await call('GET', '/api/admin/treasury');
  await call('GET', '/api/admin/treasury/names');
  const newest = async () =>
    (await call<{ entries: readonly { digest: string }[] }>('GET', '/api/treasury/ledger')).entries[0];
  await until('the ledger has a movement', async () => (await newest()) !== undefined);
  const params = { digest: (await newest())?.digest ?? '' };
  const note = { text: 'Paint for the <cave>', link: 'https://rocks.example/?a=1&b=2' };
  await call('PUT', '/api/admin/treasury/notes/{digest}', { params, body: note });
  await call('DELETE', '/api/admin/treasury/notes/{digest}', { params });
  const named = { params: { address: world.product.sandbox.facts.treasuryAddress } };
  const body = { name: 'The <cave>', role: 'team' };
  await call('PUT', '/api/admin/treasury/names/{address}', { ...named, body });
  await call('DELETE', '/api/admin/treasury/names/{address}', named);
  await call('GET', '/api/admin/treasury/amounts');
  const slice = { params: { slice: 'operations' } };
  await call('PUT', '/api/admin/treasury/amounts/{slice}', { ...slice, body: { usd: '12000.50' } });
  await call('DELETE', '/api/admin/treasury/amounts/{slice}', slice);
  for (const [name, value] of Object.entries({ ...note, ...body })) world.learn(name, value);
}

/** These need a session, or a query. */
const needsMore: ReadonlySet<string> = new Set(['/api/auth/check', '/api/treasury/sweeps/pieces']);

/** All public calls, including any that are added later. */
async function callPublic({ calls, product }: AttackWorld, call: WellAnswered['call']): Promise<void> {
  const anybody = { role: 'anonymous' } as const;
  const isRead = ({ method, path, access }: DescribedCall): boolean =>
    method === 'GET' && access === 'public' && !path.includes('{') && !needsMore.has(path);
  for (const { path } of calls.filter(isRead)) await call('GET', path, anybody);
  await call('GET', '/api/treasury/sweeps/pieces', { ...anybody, query: { collection: '0x1::bat::Bat' } });
  await call('GET', '/api/rocks/{number}', { ...anybody, params: { number: '1' } });
  await call('GET', '/rock-images/{number}/card.png', { ...anybody, params: { number: '1' } });
  await call('GET', '/rock-images/{number}', { ...anybody, params: { number: '1' } });
  await call('GET', '/statements/{month}.json', { ...anybody, params: { month: await monthOfStatement(product.url) } });
  const { treasuryAddress: address } = product.sandbox.facts;
  await call('GET', '/api/holders/{address}', { ...anybody, params: { address } });
  await call('POST', '/api/auth/login', { ...anybody, body: { username: 'pebble', password: 'just-looking-around' } });
  await call('GET', '/api/auth/check', { role: 'user' });
}

/** Statements are made when the whole past is read and priced. */
async function monthOfStatement(url: string): Promise<string> {
  let month: string | undefined;
  await until(
    'a statement is made',
    async () => {
      const answer = (await (await fetch(`${url}/api/treasury/statements`)).json()) as { data: StatementsAnswer };
      month = answer.data.statements[0]?.month;
      return month !== undefined;
    },
    240_000,
  );
  return month ?? '';
}
