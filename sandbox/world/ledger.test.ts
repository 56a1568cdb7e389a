import type { Arbitrary } from 'fast-check';
import { array, assert as check, bigInt, constantFrom, integer, nat, oneof, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kiosksOf, nftsOfOwner, ownerOf } from './ownership.ts';
import type { World, WorldControl } from './control.ts';
import { createWorld } from './control.ts';
import { itemFieldOf } from './field-ids.ts';
import { createLivingMarket } from '../living-market/living-market.ts';
import { objectsOf } from './places.ts';
import type { Nft, ObjectOwner, WorldState } from './state.ts';
import { Impossible } from './state.ts';
import { suiCoinType } from './sui-names.ts';
import { activeListing } from './trading.ts';

const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
const friend = `0x${'f'.repeat(64)}`;
const worldOf = (): World => createWorld({ mintedRocks: 60 }, () => new Date('2026-11-21T00:00:00Z'));

/** The treasury's balances as the sum of all balance changes. */
function recordedBalances({ transactions, treasuryAddress }: WorldState): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { balanceChanges } of transactions) {
    for (const { address, coinType, amount } of balanceChanges) {
      if (address === treasuryAddress) sums.set(coinType, (sums.get(coinType) ?? 0n) + amount);
    }
  }
  return withoutZeros(sums);
}

function heldBalances({ holdings, treasuryAddress }: WorldState): Map<string, bigint> {
  const held = [...(holdings.get(treasuryAddress) ?? [])].map(([coinType, { coinObjects, addressBalance }]) => {
    return [coinType, coinObjects.reduce((sum, { amount }) => sum + amount, addressBalance)] as const;
  });
  return withoutZeros(new Map(held));
}

const withoutZeros = (sums: Map<string, bigint>) =>
  new Map([...sums].filter(([, sum]) => sum !== 0n).toSorted(([one], [other]) => (one < other ? -1 : 1)));

function ownerNow(state: WorldState, nft: Nft): ObjectOwner {
  const field = itemFieldOf(state, nft);
  return field ? { kind: 'object', parentId: field.fieldId } : { kind: 'address', address: ownerOf(state, nft) };
}

/** The owner of every changed object after its last change. */
function recordedOwners(state: WorldState): Map<string, ObjectOwner | null> {
  const owners = new Map<string, ObjectOwner | null>();
  for (const transaction of state.transactions) {
    for (const { objectId, before, after } of objectsOf(state, transaction)) {
      if (owners.has(objectId)) expect(before).toEqual(owners.get(objectId));
      owners.set(objectId, after);
    }
  }
  return owners;
}

function expectLedgerConsistent(state: WorldState): void {
  expect(recordedBalances(state)).toEqual(heldBalances(state));
  const owners = recordedOwners(state);
  for (const nft of state.nfts.values()) {
    expect(owners.get(nft.id)).toEqual(ownerNow(state, nft));
    if (nft.place.kind === 'kiosk') {
      const parentId = itemFieldOf(state, nft)?.fieldId ?? '';
      expect(owners.get(parentId)).toEqual({ kind: 'object', parentId: nft.place.kioskId });
    }
  }
  for (const kiosk of state.kiosks.values()) {
    for (const { capId, holder } of [kiosk, ...kiosk.furtherCaps]) {
      expect(owners.get(capId)).toEqual({ kind: 'address', address: holder });
    }
  }
  for (const { id } of [...(state.holdings.get(state.treasuryAddress)?.values() ?? [])].flatMap((h) => h.coinObjects)) {
    expect(owners.get(id)).toEqual({ kind: 'address', address: state.treasuryAddress });
  }
}

type Step = { name: string; pick: number; amount: bigint; places: number };

const at = <T>(items: readonly T[], pick: number): T => {
  const item = items[pick % items.length];
  if (item === undefined) throw new Impossible('No items to pick from');
  return item;
};

/** Runs one operation on the items that the step's numbers select. */
function take(world: WorldControl, { name, pick, amount, places }: Step): void {
  const { state } = world;
  const treasury = state.treasuryAddress;
  const nft = at(places % 2 === 0 ? nftsOfOwner(state, treasury) : [...state.nfts.values()], pick);
  const coinType = at([suiCoinType, usdc], pick);
  const into = at(['wallet', 'kiosk', 'personal-kiosk'] as const, places);
  const address = at([treasury, friend], places);
  const kioskId = at([...kiosksOf(state, treasury), ...kiosksOf(state, friend)], pick).id;
  const listed = (): string =>
    at(
      [...state.nfts.values()].filter(({ id }) => activeListing(state, id)),
      pick,
    ).id;
  const steps: Record<string, () => unknown> = {
    setBalance: () =>
      world.setBalance({ coinType, coinBalance: amount, addressBalance: amount / 3n, coinObjects: places }),
    mint: () => world.mint({ address, into, collection: at(['rocks', 'lava-lizards'], pick) }),
    transfer: () => world.transfer({ nftId: nft.id, address, into }),
    list: () => world.list({ nftId: nft.id, priceMist: amount }),
    relist: () => world.relist({ nftId: listed(), priceMist: amount }),
    unlist: () => world.unlist({ nftId: listed() }),
    buy: () => world.buy({ nftId: listed(), buyer: address, into }),
    bid: () => world.bid({ nftId: nft.id, bidder: address, priceMist: amount }),
    acceptBid: () =>
      world.acceptBid({
        bidId: at(
          state.bids.filter((each) => each.status === 'active'),
          pick,
        ).id,
        nftId: nft.id,
      }),
    createKiosk: () => world.createKiosk({ holder: address }),
    handOverKiosk: () => world.handOverKiosk({ kioskId, to: address }),
    addKioskCap: () => world.addKioskCap({ kioskId, holder: address, capKind: 'kiosk' }),
    pay: () => world.pay({ to: friend, coinType, amount }),
    payout: () => world.payout({ recipients: [friend, treasury, '0x5', friend], coinType, amountEach: amount / 4n }),
    receive: () => world.receive({ coinType, amount, into: at(['coin', 'address-balance'] as const, places) }),
    swap: () => world.swap({ fromCoin: suiCoinType, amountIn: amount, toCoin: usdc, amountOut: amount / 500n }),
    stake: () => world.stake({ amount }),
    spam: () =>
      world.spam({
        what: at(['coins', 'nfts'] as const, pick),
        count: places,
        transactions: at(['one', 'many'] as const, pick),
      }),
  };
  steps[name]?.();
}

const names = [
  'setBalance',
  'mint',
  'transfer',
  'list',
  'relist',
  'unlist',
  'buy',
  'bid',
  'acceptBid',
  'createKiosk',
  'handOverKiosk',
  'addKioskCap',
  'pay',
  'payout',
  'receive',
  'swap',
  'stake',
  'spam',
];
const step: Arbitrary<Step> = record({
  name: constantFrom(...names),
  pick: nat(5_000),
  amount: oneof(bigInt(0n, 1_000n), bigInt(0n, 20_000_000_000_000n)),
  places: integer({ min: 1, max: 9 }),
});

describe('the chain reports every change (ruling R8: a ledger that closes)', () => {
  test('after any operations in any order, the treasury holds the sum of all balance changes, and each NFT is where its last change says', () => {
    const done = new Set<string>();
    const holds = property(array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const { control } = worldOf();
      for (const each of steps) {
        try {
          take(control, each);
          done.add(each.name);
        } catch (error) {
          if (!(error instanceof Impossible)) throw error;
        }
        expect(recordedBalances(control.state)).toEqual(heldBalances(control.state));
      }
      expectLedgerConsistent(control.state);
    });
    check(holds, { seed: 555, numRuns: 25 });
    expect([...done].toSorted()).toEqual(names.toSorted());
  });

  test('the chain reports every change of the living market', () => {
    const { control } = worldOf();
    const market = createLivingMarket(control, 7);
    for (let tick = 0; tick < 300; tick += 1) market.tick();
    expectLedgerConsistent(control.state);
  });

  test('a refused operation changes nothing', () => {
    const { control } = worldOf();
    control.setBalance({ coinType: suiCoinType, coinBalance: 5n });
    const before = control.state.transactions.length;
    expect(() => control.pay({ to: friend, coinType: suiCoinType, amount: 6n })).toThrow('too little');
    expect(control.state.transactions).toHaveLength(before);
    expect(heldBalances(control.state).get(suiCoinType)).toBe(5n);
  });

  test('a mint is income of the treasury; the minter pays both the price and the gas', () => {
    const { control } = worldOf();
    control.mint({ address: friend });
    const { gas, balanceChanges } = control.state.transactions.at(-1)!;
    expect(gas.payer).toBe(friend);
    expect(new Map(balanceChanges.map(({ address, amount }) => [address, amount]))).toEqual(
      new Map([
        [friend, -10_003_005_640n],
        [control.state.treasuryAddress, 10_000_000_000n],
      ]),
    );
  });
});
