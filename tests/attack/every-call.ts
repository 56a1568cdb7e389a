import { answeringWell, type WellAnswered } from './answered-well.ts';
import type { AttackWorld } from './attack-world.ts';
import { callDiscord } from './discord-calls.ts';
import { callTelegram } from './telegram-calls.ts';

/** Makes each call of the description succeed at least once, and fills the product with what calls are about. */
export async function makeEveryCall(world: AttackWorld): Promise<WellAnswered> {
  const well = answeringWell(world);
  const { call } = well;
  await callPublic(call);
  await Promise.all([callTelegram(world, call), callDiscord(world, call)]);
  await call('GET', '/api/audit');
  await call('POST', '/api/auth/logout');
  return well;
}

async function callPublic(call: WellAnswered['call']): Promise<void> {
  const anybody = { role: 'anonymous' } as const;
  await call('GET', '/api/openapi.json', anybody);
  for (const path of ['balance', 'history', 'export.csv', 'export.json']) {
    await call('GET', `/api/treasury/${path}`, anybody);
  }
  await call('GET', '/api/collection', anybody);
  await call('POST', '/api/auth/login', { ...anybody, body: { username: 'pebble', password: 'just-looking-around' } });
  await call('GET', '/api/auth/check', { role: 'user' });
}
