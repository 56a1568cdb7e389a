import { expect, test } from 'vitest';

import { createBotIdentity, type ServiceRow } from './service-store.ts';

const row: ServiceRow = {
  wanted: 'active',
  state: 'failing',
  since: new Date(0),
  botId: '42',
  username: 'old_bot',
  lastError: null,
  isLockHeld: true,
};
const checked = (known: Partial<ServiceRow>, tokenId = '43'): Promise<boolean> =>
  createBotIdentity({
    store: { read: async () => ({ ...row, ...known }), forgetBotUnless: async () => {} },
    tokenId,
    otherBot: (knownAs) => new Error(`other than ${knownAs}`),
  }).check();

test('the known bot may start, and any bot while none is known', async () => {
  expect([await checked({}, '42'), await checked({ botId: null })]).toEqual([true, true]);
});

test('a bot other than the known one is refused', async () => {
  await expect(checked({})).rejects.toThrow('other than old_bot');
});

test('a bot that was just stopped does not start, although the stop allows another bot', async () => {
  expect(await checked({ botId: null, wanted: 'inactive' })).toBe(false);
});
