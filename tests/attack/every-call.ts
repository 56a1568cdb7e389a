import { answeringWell, type WellAnswered } from './answered-well.ts';
import type { AttackWorld } from './attack-world.ts';
import type { DescribedCall } from './described-calls.ts';
import { callDiscord } from './discord-calls.ts';
import { callTelegram } from './telegram-calls.ts';

/** Makes each call of the description succeed at least once, and fills the product with what calls are about. */
export async function makeEveryCall(world: AttackWorld): Promise<WellAnswered> {
  const well = answeringWell(world);
  const { call } = well;
  await callPublic(world, call);
  await Promise.all([callTelegram(world, call), callDiscord(world, call)]);
  await call('GET', '/api/audit');
  await call('GET', '/api/rocks-history');
  await call('POST', '/api/auth/logout');
  return well;
}

/** Whatever anybody may read just so, calls of tomorrow among them. */
async function callPublic({ calls, product }: AttackWorld, call: WellAnswered['call']): Promise<void> {
  const anybody = { role: 'anonymous' } as const;
  const isRead = ({ method, path, access }: DescribedCall): boolean =>
    method === 'GET' && access === 'public' && !path.includes('{') && path !== '/api/auth/check';
  for (const { path } of calls.filter(isRead)) await call('GET', path, anybody);
  await call('GET', '/api/rocks/{number}', { ...anybody, params: { number: '1' } });
  await call('GET', '/rock-images/{number}/card.png', { ...anybody, params: { number: '1' } });
  await call('GET', '/rock-images/{number}', { ...anybody, params: { number: '1' } });
  const { treasuryAddress: address } = product.sandbox.facts;
  await call('GET', '/api/holders/{address}', { ...anybody, params: { address } });
  await call('POST', '/api/auth/login', { ...anybody, body: { username: 'pebble', password: 'just-looking-around' } });
  await call('GET', '/api/auth/check', { role: 'user' });
}
