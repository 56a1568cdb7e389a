import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Ownership } from '../../src/market/owners/ownership.ts';
import { inShort, newWallet, type OwnershipWorld, startOwnershipWorld } from '../support/ownership-world.ts';

let world: OwnershipWorld;
let ownership: Ownership;
beforeAll(async () => {
  world = await startOwnershipWorld({ seed: { mintedRocks: 120 } });
});
afterAll(() => world.end());
beforeEach(async () => {
  world.sandbox.world.reset();
  await world.database.pool.query('truncate kiosk_caps, parent_fields');
  ownership = world.copy();
  world.sandbox.requests.reset();
});
afterEach(() => world.sandbox.faults.clear());

const sandboxWorld = () => world.sandbox.world;
/** Every owner in the collection, by the sandbox's own state. */
const ownersOf = (key = 'rocks'): ReadonlyMap<string, number> => {
  const { nfts, kiosks } = sandboxWorld().state;
  const counts = new Map<string, number>();
  for (const { place, collectionKey } of nfts.values()) {
    if (collectionKey !== key) continue;
    const owner =
      place.kind === 'wallet'
        ? place.address
        : place.kind === 'kiosk'
          ? (kiosks.get(place.kioskId)?.holder ?? '')
          : place.seller;
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
};
const typeOf = (key: string) => sandboxWorld().state.collections.get(key)?.nftType ?? '';
const readAll = (wallets: Iterable<string>, type = world.rocks) => ownership.readWallets(type, [...wallets]);
const walletReads = () => world.requests().byOperation['StateService/ListDynamicFields'] ?? 0;

describe('rulings R5: many wallets from one owner table', () => {
  test('every holder has the right number of pieces, in every kind of place', async () => {
    const owners = ownersOf();
    const answers = await readAll(owners.keys());
    const counts = [...answers].map(([wallet, answer]): [string, number] => [
      wallet,
      answer.kind === 'holds' ? answer.nfts.length : 0,
    ]);
    expect(new Map(counts)).toEqual(owners);
    const places = new Set(
      [...answers.values()].flatMap((answer) => (answer.kind === 'holds' ? answer.nfts : [])).map(({ place }) => place),
    );
    expect(places).toEqual(new Set(['wallet', 'kiosk', 'marketplace']));
    expect(walletReads(), 'no wallet was read on its own').toBe(0);
    // 120 pieces, 50 per request. Field ids prove the kiosks whose caps were found, so only the fields of pieces at the
    // marketplace are read, in one more.
    expect(world.requests().byOperation['LedgerService/BatchGetObjects']).toBe(3 + 1);
  });

  test('learned facts are stored: the next copy makes only a few calls, for any number of wallets', async () => {
    const owners = ownersOf();
    await readAll(owners.keys());
    ownership = world.copy();
    world.sandbox.requests.reset();
    const answers = await readAll(owners.keys());
    expect([...answers.values()].every(({ kind }) => kind === 'holds')).toBe(true);
    const { byOperation, sui } = world.requests();
    expect(Object.keys(byOperation)).toEqual(['LedgerService/BatchGetObjects']);
    // 120 pieces and their kiosks, 50 per request.
    expect(sui).toBeLessThanOrEqual(3 + 3);
  });

  test('a table is made again if the clock was set back', async () => {
    await readAll([newWallet(1)]);
    world.sandbox.requests.reset();
    await readAll([newWallet(1)]);
    expect(world.requests().market).toBe(0);
    world.clock.advance(-3_600_000);
    await readAll([newWallet(1)]);
    expect(world.requests().market).toBeGreaterThan(0);
  });

  test('100 servers share one table for a minute, however many ask at once', async () => {
    const owners = [...ownersOf().keys()];
    await Promise.all(Array.from({ length: 100 }, () => readAll(owners)));
    const first = world.requests();
    expect(first.byOperation['LedgerService/BatchGetObjects']).toBeLessThanOrEqual(6);
    world.clock.advance(59_000);
    await readAll(owners);
    expect(world.requests().sui).toBe(first.sui);
    world.clock.advance(1_000);
    await readAll(owners);
    expect(world.requests().sui).toBeGreaterThan(first.sui);
  });

  test('a kiosk whose cap went to another wallet between two readings belongs to that wallet', async () => {
    const seller = newWallet(1);
    const buyer = newWallet(2);
    sandboxWorld().mint({ address: seller, into: 'kiosk' });
    const kiosk = [...sandboxWorld().state.kiosks.values()].find(({ holder }) => holder === seller);
    const read = async () => [...(await readAll([seller, buyer])).values()].map(inShort);
    expect(await read()).toEqual([['kiosk'], ['does-not-hold']]);
    sandboxWorld().handOverKiosk({ kioskId: kiosk?.id ?? '', to: buyer });
    world.clock.advance(60_000);
    expect(await read()).toEqual([['does-not-hold'], ['kiosk']]);
  });

  test('the owner field of a kiosk is only a hint: the cap decides', async () => {
    const [stated, holder] = [newWallet(3), newWallet(4)];
    sandboxWorld().mint({ address: stated, into: 'kiosk' });
    const kiosk = [...sandboxWorld().state.kiosks.values()].find((each) => each.holder === stated);
    sandboxWorld().handOverKiosk({ kioskId: kiosk?.id ?? '', to: holder });
    const answers = await readAll([stated]);
    expect(inShort(answers.get(stated))).toEqual(['does-not-hold']);
  });

  test('a wallet with the second cap of a kiosk also holds its pieces', async () => {
    const [one, other] = [newWallet(5), newWallet(6)];
    sandboxWorld().mint({ address: one, into: 'kiosk' });
    const kiosk = [...sandboxWorld().state.kiosks.values()].find(({ holder }) => holder === one);
    sandboxWorld().addKioskCap({ kioskId: kiosk?.id ?? '', holder: other, capKind: 'origin-byte-kiosk' });
    const answers = await readAll([one, other]);
    expect([...answers.values()].map(inShort)).toEqual([['kiosk'], ['kiosk']]);
  });

  test('a burned cap is deleted from the database', async () => {
    const owners = [...ownersOf().keys()];
    await readAll(owners);
    await world.database.pool.query(
      `insert into kiosk_caps (network, cap_id, kiosk_id, cap_kind)
       select network, '0x' || repeat('9', 64), kiosk_id, cap_kind from kiosk_caps limit 1`,
    );
    world.clock.advance(60_000);
    expect([...(await readAll(owners)).values()].every(({ kind }) => kind === 'holds')).toBe(true);
    const { rows } = await world.database.pool.query(`select 1 from kiosk_caps where cap_id like '0x999%'`);
    expect(rows).toEqual([]);
  });

  test('a generic type without arguments has one table for all its instances', async () => {
    const owners = ownersOf('glow-worms');
    const answers = await readAll(owners.keys(), typeOf('glow-worms').replace(/<.*/, ''));
    expect([...answers.values()].every(({ kind }) => kind === 'holds')).toBe(true);
    expect(walletReads()).toBe(0);
  });
});

describe('rulings R5: "does not hold" from a table', () => {
  test('is confirmed by reading the wallet itself the first time; later the table is enough', async () => {
    const stranger = newWallet(7);
    const everybody = [...ownersOf().keys(), stranger];
    expect(inShort((await readAll(everybody)).get(stranger))).toEqual(['does-not-hold']);
    const listCalls = () => world.requests().byOperation['StateService/ListOwnedObjects'] ?? 0;
    const first = listCalls();
    world.clock.advance(60_000);
    const later = (await readAll(everybody)).get(stranger);
    // A table does not know kiosks without pieces of the collection.
    expect(later).toMatchObject({ kind: 'does-not-hold', kioskCount: null });
    expect(listCalls()).toBe(first);
    world.clock.advance(6 * 3_600_000);
    await readAll(everybody);
    expect(listCalls(), 'not for ever').toBeGreaterThan(first);
  });

  test('needs a complete table: while the marketplace lists fewer pieces than it counts, each wallet without pieces is read', async () => {
    const holder = newWallet(8);
    const missed = sandboxWorld().mint({ address: holder }).id;
    sandboxWorld().state.missedByIndexer.add(missed);
    const stranger = newWallet(9);
    const everybody = [...ownersOf().keys(), stranger];
    for (let time = 0; time < 2; time += 1) {
      world.sandbox.requests.reset();
      const answers = await readAll(everybody);
      expect(inShort(answers.get(holder))).toEqual(['wallet']);
      expect(inShort(answers.get(stranger))).toEqual(['does-not-hold']);
      expect(world.requests().byOperation['StateService/ListOwnedObjects']).toBeGreaterThanOrEqual(2 + 2);
      world.clock.advance(60_000);
    }
  });

  test('needs a known holder for every kiosk: one without leaves all other wallets unproven', async () => {
    const asked = newWallet(10);
    for (let time = 0; time < 2; time += 1) {
      world.sandbox.requests.reset();
      expect(inShort((await readAll([asked])).get(asked))).toEqual(['does-not-hold']);
      expect(world.requests().byOperation['StateService/ListOwnedObjects']).toBeGreaterThan(0);
      world.clock.advance(60_000);
    }
  });
});

describe('rulings R5: an outage never makes a holder lose a piece', () => {
  test.each([
    ['sui', '500', 'node-unavailable'],
    ['sui', 'wrong-types', 'malformed-answer'],
    ['market', '500', 'marketplace-unavailable'],
    ['market', 'wrong-types', 'malformed-answer'],
    ['market', 'malformed', 'malformed-answer'],
  ] as const)('if %s gives %s, all wallets are unknown until it recovers', async (service, kind, reason) => {
    const asked = [...ownersOf().keys(), newWallet(11)];
    await world.sandbox.faults.set(service, { kind });
    const answers = [...(await readAll(asked)).values()];
    expect(new Set(answers.map((answer) => inShort(answer).join()))).toEqual(new Set([`unknown: ${reason}`]));
    await world.sandbox.faults.clear();
    const kinds = [...(await readAll(asked)).values()].map((answer) => answer.kind);
    expect(kinds.filter((each) => each !== 'holds')).toEqual(['does-not-hold']);
  });

  test('if the node fails while caps are read, proven holders hold and the other wallets are unknown', async () => {
    const owners = ownersOf();
    await world.sandbox.faults.set('sui', { kind: '500', operation: 'StateService/ListOwnedObjects' });
    const answers = await readAll([...owners.keys(), newWallet(12)]);
    const kinds = new Set([...answers.values()].map((answer) => answer.kind));
    expect(kinds).toEqual(new Set(['holds', 'unknown']));
  });

  test('if the node fails between two batches of pieces, all wallets are unknown', async () => {
    await world.sandbox.faults.set('sui', { kind: 'truncated', operation: 'LedgerService/BatchGetObjects', times: 1 });
    const answers = await readAll(ownersOf().keys());
    expect(new Set([...answers.values()].map((answer) => answer.kind))).toEqual(new Set(['unknown']));
  });

  test('a caller that stops waiting gets unknown, and the other callers still get the table', async () => {
    const owners = [...ownersOf().keys()];
    const others = readAll(owners);
    const gone = await ownership.readWallets(world.rocks, owners, AbortSignal.abort());
    expect(inShort(gone.get(owners[0] ?? ''))).toEqual(['unknown: stopped']);
    expect([...(await others).values()].every(({ kind }) => kind === 'holds')).toBe(true);
  });
});

describe('a collection without a list of its pieces', () => {
  test('is read wallet by wallet if the marketplace does not know it, through the background client only', async () => {
    ownership = world.copy({ visitorsNodeUrl: 'http://127.0.0.1:9' });
    const owners = ownersOf('airdrop-voucher');
    const answers = await readAll([...owners.keys(), newWallet(13)], typeOf('airdrop-voucher'));
    expect([...answers.values()].map((answer) => answer.kind)).toEqual(['holds', 'does-not-hold']);
  });

  test('still has its holders without a marketplace key, and all other wallets are unknown', async () => {
    ownership = world.copy({ marketKey: null });
    const holder = newWallet(14);
    sandboxWorld().mint({ address: holder, into: 'personal-kiosk' });
    const answers = await readAll([holder, newWallet(15)]);
    expect([...answers.values()].map(inShort)).toEqual([['kiosk'], ['unknown: marketplace-key-missing']]);
  });
});
