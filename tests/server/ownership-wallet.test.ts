import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Ownership } from '../../src/market/owners/ownership.ts';
import { inShort, newWallet, type OwnershipWorld, startOwnershipWorld } from '../support/ownership-world.ts';

let world: OwnershipWorld;
let ownership: Ownership;
let lastWallet = 0;
let wallet: string;
beforeAll(async () => {
  world = await startOwnershipWorld({ seed: { mintedRocks: 30 } });
});
afterAll(() => world.end());
beforeEach(() => {
  lastWallet += 1;
  wallet = newWallet(lastWallet);
  ownership = world.copy();
  world.sandbox.requests.reset();
});
afterEach(() => world.sandbox.faults.clear());

const mint = (into: 'wallet' | 'kiosk' | 'personal-kiosk' | 'origin-byte-kiosk' = 'wallet', collection?: string) =>
  world.sandbox.world.mint({ address: wallet, into, ...(collection !== undefined && { collection }) }).id;
const read = async (type = world.rocks) => inShort(await ownership.readWallet(type, wallet));
const openManyKiosks = (): readonly string[] =>
  Array.from({ length: 201 }, () => world.sandbox.world.createKiosk({ holder: wallet }).id);
const list = (nftId: string) => world.sandbox.world.list({ nftId, priceMist: 14_000_000_000n });
const typeOf = (key: string) => world.sandbox.world.state.collections.get(key)?.nftType ?? '';

describe('rulings R5: a wallet holds the pieces', () => {
  test('directly in it', async () => {
    const objectId = mint();
    const answer = await ownership.readWallet(world.rocks, wallet);
    expect(answer).toMatchObject({
      kind: 'holds',
      nfts: [{ objectId, place: 'wallet', isListed: false }],
    });
  });

  test.each(['kiosk', 'personal-kiosk', 'origin-byte-kiosk'] as const)('in its %s', async (kind) => {
    mint(kind);
    expect(await read()).toEqual(['kiosk']);
  });

  test('in its kiosk, also if for sale there or locked', async () => {
    const nftId = mint('kiosk');
    list(nftId);
    const { id: kioskId } = world.sandbox.world.createKiosk({ holder: wallet });
    const locked = mint();
    world.sandbox.world.transfer({ nftId: locked, address: wallet, kioskId, locked: true });
    expect(await read()).toEqual(['kiosk', 'kiosk listed']);
  });

  test("in the marketplace's listing objects, where pieces outside kiosks go when listed", async () => {
    list(mint());
    const answer = await ownership.readWallet(world.rocks, wallet);
    expect(answer).toMatchObject({
      kind: 'holds',
      nfts: [{ place: 'marketplace', isListed: true }],
    });
  });

  test('in all these places at once, each piece once', async () => {
    mint();
    mint('kiosk');
    mint('personal-kiosk');
    mint('origin-byte-kiosk');
    list(mint());
    list(mint('kiosk'));
    expect(await read()).toEqual(['kiosk', 'kiosk', 'kiosk', 'kiosk listed', 'marketplace listed', 'wallet']);
  });

  test('in a kiosk that two of its caps open, each once', async () => {
    mint('kiosk');
    const [kiosk] = [...world.sandbox.world.state.kiosks.values()].filter(({ holder }) => holder === wallet);
    world.sandbox.world.addKioskCap({ kioskId: kiosk?.id ?? '', holder: wallet, capKind: 'origin-byte-kiosk' });
    expect(await ownership.readWallet(world.rocks, wallet)).toMatchObject({ nfts: [{}] });
  });

  test('of every instance of a generic type, if the type has no arguments', async () => {
    mint('wallet', 'glow-worms');
    mint('kiosk', 'glow-worms');
    list(mint('wallet', 'glow-worms'));
    const generic = typeOf('glow-worms').replace(/<.*/, '');
    expect(await read(generic)).toEqual(['kiosk', 'marketplace listed', 'wallet']);
    expect(await read(typeOf('glow-worms'))).toHaveLength(3);
  });

  test('on further pages: 2,500 objects in the wallet, 1,200 in one kiosk', async () => {
    const { id: kioskId } = world.sandbox.world.createKiosk({ holder: wallet });
    for (let count = 0; count < 2_500; count += 1) mint('wallet', 'airdrop-voucher');
    for (let count = 0; count < 1_200; count += 1) {
      world.sandbox.world.mint({ address: wallet, kioskId, collection: 'airdrop-voucher' });
    }
    const answer = await ownership.readWallet(typeOf('airdrop-voucher'), wallet);
    expect(inShort(answer)).toHaveLength(3_700);
    // This includes those in the kiosk, whose cap is on the last page.
  }, 120_000);
});

describe('rulings R5: a wallet does not hold', () => {
  test('if everything was read and it had no pieces', async () => {
    world.sandbox.world.createKiosk({ holder: wallet });
    mint('kiosk', 'cave-bats');
    expect(await ownership.readWallet(world.rocks, wallet)).toMatchObject({ kind: 'does-not-hold', kioskCount: 1 });
  });

  test("the pieces in a kiosk whose cap it gave away, whatever the kiosk's owner field says; the cap's new owner does", async () => {
    mint('kiosk');
    const [kiosk] = [...world.sandbox.world.state.kiosks.values()].filter(({ holder }) => holder === wallet);
    expect(await read()).toEqual(['kiosk']);
    const buyer = newWallet(9_000);
    world.sandbox.world.handOverKiosk({ kioskId: kiosk?.id ?? '', to: buyer });
    expect(kiosk?.statedOwner).toBe(wallet);
    expect(await read()).toEqual(['does-not-hold']);
    expect(inShort(await ownership.readWallet(world.rocks, buyer))).toEqual(['kiosk']);
  });

  test('a listed piece once it is sold on the chain', async () => {
    const nftId = mint();
    list(nftId);
    expect(await read()).toEqual(['marketplace listed']);
    world.sandbox.world.buy({ nftId, buyer: newWallet(9_001) });
    expect(await read()).toEqual(['does-not-hold']);
  });

  test.each(['wallet', 'kiosk'] as const)(
    "a piece that only an outdated marketplace lists for it, but is in another owner's %s",
    async (into) => {
      const nftId = mint();
      world.sandbox.world.transfer({ nftId, address: newWallet(9_002), into });
      world.sandbox.world.state.lateAtIndexer.set(nftId, { owner: wallet, listed: true });
      expect(await read()).toEqual(['does-not-hold']);
      expect(inShort(await ownership.readWallet(world.rocks, newWallet(9_002)))).toContain(into);
    },
  );
});

describe('rulings R5: the answer is unknown, never "does not hold",', () => {
  test.each([
    ['500', 'node-unavailable'],
    ['429', 'node-unavailable'],
    ['refused', 'node-unavailable'],
    ['truncated', 'node-unavailable'],
    ['wrong-types', 'malformed-answer'],
    ['malformed', 'malformed-answer'],
    ['empty', 'malformed-answer'],
  ] as const)('while the full node gives %s', async (kind, reason) => {
    mint();
    await world.sandbox.faults.set('sui', { kind });
    expect(await read()).toEqual([`unknown: ${reason}`]);
    await world.sandbox.faults.clear();
    expect(await read()).toEqual(['wallet']);
  });

  test.each(['StateService/ListDynamicFields', 'StateService/ListOwnedObjects'])(
    'if one call of %s fails, although pieces were found elsewhere',
    async (operation) => {
      mint();
      mint('kiosk');
      mint('personal-kiosk');
      await world.sandbox.faults.set('sui', { kind: '500', operation, times: 1 });
      expect(await read()).toEqual(['unknown: node-unavailable']);
    },
  );

  test('if the marketplace is down and no pieces were found elsewhere; pieces that were found count', async () => {
    await world.sandbox.faults.set('market', { kind: '500' });
    expect(await read()).toEqual(['unknown: marketplace-unavailable']);
    mint('kiosk');
    expect(await read()).toEqual(['kiosk']);
  });

  test('if the marketplace gives a malformed answer and no pieces were found elsewhere', async () => {
    await world.sandbox.faults.set('market', { kind: 'wrong-types' });
    expect(await read()).toEqual(['unknown: malformed-answer']);
  });

  test('if there is no marketplace key and no pieces were found elsewhere', async () => {
    ownership = world.copy({ marketKey: null });
    expect(await read()).toEqual(['unknown: marketplace-key-missing']);
  });

  test('if the wallet has too many kiosks to read, and the marketplace does not list every piece', async () => {
    openManyKiosks();
    expect(await read(typeOf('airdrop-voucher'))).toEqual(['unknown: too-many-kiosks']);
    await world.sandbox.faults.set('market', { kind: '500' });
    expect(await read()).toEqual(['unknown: marketplace-unavailable']);
  });

  test('if the caller no longer waits for it', async () => {
    expect(inShort(await ownership.readWallet(world.rocks, wallet, AbortSignal.abort()))).toEqual(['unknown: stopped']);
  });
});

describe('a wallet with too many kiosks to read is answered from the owner table', () => {
  test('and holds nothing if no piece is in them: opening kiosks does not keep the role after a sale', async () => {
    openManyKiosks();
    expect(await read()).toEqual(['does-not-hold']);
    const { ListDynamicFields = 0 } = world.requests().byOperation;
    expect(ListDynamicFields).toBe(0);
  });

  test('and holds the pieces in one of them, or directly in the wallet', async () => {
    const [kioskId = ''] = openManyKiosks();
    const nftId = mint();
    world.sandbox.world.transfer({ nftId, address: wallet, kioskId });
    mint();
    expect(await read()).toEqual(['kiosk', 'wallet']);
  });
});

describe('a wallet with a kiosk too full to read is answered from the owner table', () => {
  const openHeavyKiosk = () => {
    const kiosk = world.sandbox.world.createKiosk({ holder: wallet });
    kiosk.extensionFieldCount = 45;
    return kiosk.id;
  };

  test('and holds nothing if no piece is in it: its cap does not keep the role after a sale', async () => {
    openHeavyKiosk();
    expect(await read()).toEqual(['does-not-hold']);
  });

  test('and holds the pieces in it, or directly in the wallet: its cap does not cost the role', async () => {
    world.sandbox.world.transfer({ nftId: mint(), address: wallet, kioskId: openHeavyKiosk() });
    mint();
    expect(await read()).toEqual(['kiosk', 'wallet']);
  });
});

test('a collection that the marketplace does not know is answered from the chain alone', async () => {
  await world.sandbox.faults.clear();
  const voucher = typeOf('airdrop-voucher');
  expect(await read(voucher)).toEqual(['does-not-hold']);
  mint('kiosk', 'airdrop-voucher');
  expect(await read(voucher)).toEqual(['kiosk']);
});
