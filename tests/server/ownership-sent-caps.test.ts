import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Ownership } from '../../src/market/owners/ownership.ts';
import { inShort, newWallet, type OwnershipWorld, startOwnershipWorld } from '../support/ownership-world.ts';

let world: OwnershipWorld;
let lastWallet = 0;
let wallet: string;
beforeAll(async () => {
  world = await startOwnershipWorld({ seed: { mintedRocks: 5 } });
});
afterAll(() => world.end());
beforeEach(() => {
  lastWallet += 1;
  wallet = newWallet(lastWallet);
  for (let sent = 0; sent <= 200; sent += 1) world.sandbox.world.createKiosk({ holder: wallet });
});
afterEach(() => world.sandbox.faults.clear());

const mint = (collection?: string) =>
  world.sandbox.world.mint({ address: wallet, into: 'wallet', ...(collection !== undefined && { collection }) });
const read = async (ownership: Ownership, type = world.rocks) => inShort(await ownership.readWallet(type, wallet));

test('many kiosk caps sent to a holder do not cost the role, even if the marketplace does not know the collection', async () => {
  const voucher = world.sandbox.world.state.collections.get('airdrop-voucher')?.nftType ?? '';
  expect(await read(world.copy(), voucher)).toEqual(['unknown: too-many-kiosks']);
  mint('airdrop-voucher');
  expect(await read(world.copy(), voucher)).toEqual(['wallet']);
});

test('many kiosk caps sent to a holder do not cost the role without a marketplace key', async () => {
  mint();
  expect(await read(world.copy({ marketKey: null }))).toEqual(['wallet']);
});

test('many kiosk caps make the answer unknown while the marketplace is down, because there may be more pieces', async () => {
  mint();
  await world.sandbox.faults.set('market', { kind: '500' });
  expect(await read(world.copy())).toEqual(['unknown: marketplace-unavailable']);
});
