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

test('caps of many kiosks that were sent to a holder keep nobody from the role, also where the marketplace knows no such collection', async () => {
  const voucher = world.sandbox.world.state.collections.get('airdrop-voucher')?.nftType ?? '';
  expect(await read(world.copy(), voucher)).toEqual(['unknown: too-many-kiosks']);
  mint('airdrop-voucher');
  expect(await read(world.copy(), voucher)).toEqual(['wallet']);
});

test('nor where there is no key for the marketplace', async () => {
  mint();
  expect(await read(world.copy({ marketKey: null }))).toEqual(['wallet']);
});

test('while the marketplace is only down it is asked again, as there may be more', async () => {
  mint();
  await world.sandbox.faults.set('market', { kind: '500' });
  expect(await read(world.copy())).toEqual(['unknown: marketplace-unavailable']);
});
