import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { inShort, newWallet, type OwnershipWorld, startOwnershipWorld } from '../support/ownership-world.ts';

/** Rulings R3: the marketplace counts existing pieces, and keeps the rows of burned ones. R5: only a complete table may say 'does not hold'. */

let world: OwnershipWorld;
beforeAll(async () => {
  world = await startOwnershipWorld({ seed: { mintedRocks: 20 } });
});
afterAll(() => world.end());
beforeEach(() => world.sandbox.world.reset());

const holder = newWallet(1);
const stranger = newWallet(2);

/** The answers for both wallets, and how many wallets were read on their own, in the second reading: the first always reads them. */
async function readTwice() {
  const ownership = world.copy();
  const kioskHolders = [...world.sandbox.world.state.kiosks.values()].map((kiosk) => kiosk.holder);
  const wallets = [...new Set([...kioskHolders, holder, stranger])];
  await ownership.readWallets(world.rocks, wallets);
  world.clock.advance(60_000);
  world.sandbox.requests.reset();
  const answers = await ownership.readWallets(world.rocks, wallets);
  const walletReads = world.requests().byOperation['StateService/ListOwnedObjects'] ?? 0;
  return { kinds: [holder, stranger].map((wallet) => inShort(answers.get(wallet)).join()), walletReads };
}

test('a burned piece does not make up for an existing one that the marketplace does not list', async () => {
  const { mint, burn, state } = world.sandbox.world;
  burn({ nftId: mint({ address: newWallet(3) }).id });
  mint({ address: holder });
  state.missedByIndexer.add(mint({ address: newWallet(4) }).id);
  const { kinds, walletReads } = await readTwice();
  expect(kinds).toEqual(['wallet', 'does-not-hold']);
  expect(walletReads, 'the table is not complete').toBeGreaterThan(0);
});

test('a piece that the marketplace marks as burned counts as long as the chain has it', async () => {
  const { mint, state } = world.sandbox.world;
  const flagged = mint({ address: holder });
  state.burnedNfts.set(flagged.id, flagged);
  expect(await readTwice()).toEqual({ kinds: ['wallet', 'does-not-hold'], walletReads: 0 });
});
