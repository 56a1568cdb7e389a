import { describe, expect, test } from 'vitest';
import { plain } from '../control/plain.ts';
import { createLivingMarket } from '../living-market/living-market.ts';
import { createWorld } from '../world/control.ts';
import { kiosksOf, nftsInKiosk, nftsOfCollection, nftsOfOwner, ownerOf } from '../world/ownership.ts';
import { colourOfRock, rockColours, rockMaxSupply } from '../world/rocks.ts';
import type { WorldState } from '../world/state.ts';
import { seedWorld } from './seed-world.ts';

/** Chain state, marketplace rows and counts must agree. */
function expectConsistent(state: WorldState): void {
  const listed = state.listings.filter((row) => row.listed);
  expect(new Set(listed.map((row) => row.nftId)).size).toBe(listed.length);
  for (const row of listed) {
    const nft = state.nfts.get(row.nftId)!;
    expect(row.seller).toBe(ownerOf(state, nft));
    expect(nft.place.kind).not.toBe('wallet');
    if (nft.place.kind === 'kiosk') {
      expect(state.kiosks.get(nft.place.kioskId)!.listings.get(nft.id)?.priceMist).toBe(row.priceMist);
    }
  }
  const listedIds = new Set(listed.map((row) => row.nftId));
  for (const kiosk of state.kiosks.values()) {
    const items = new Set(nftsInKiosk(state, kiosk.id).map((nft) => nft.id));
    for (const id of kiosk.listings.keys()) expect(items.has(id) && listedIds.has(id)).toBe(true);
    for (const id of kiosk.locked) expect(items.has(id)).toBe(true);
  }
  for (const nft of state.nfts.values()) {
    if (nft.place.kind === 'simple-listing') expect(listedIds.has(nft.id)).toBe(true);
  }
}

const story = (state: WorldState) => JSON.stringify(plain(state));

describe('the seed', () => {
  test('two starts produce the same world; another seed produces another', () => {
    expect(story(seedWorld())).toBe(story(seedWorld()));
    expect(story(seedWorld({ seed: 2 }))).not.toBe(story(seedWorld()));
  });

  test('the six colours of specification 3 add up to 555, and every rock has one of them', () => {
    const worn = new Map<string, number>();
    for (let number = 1; number <= rockMaxSupply; number += 1) {
      const { name } = colourOfRock(number);
      worn.set(name, (worn.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(worn)).toEqual({
      'Powder Blue': 160,
      'Azure Pulse': 120,
      'Cool Cobalt': 100,
      'Ocean Stone': 85,
      'Charcoal Slate': 60,
      'Frosted Mist': 30,
    });
    expect(rockColours.reduce((sum, colour) => sum + colour.count, 0)).toBe(555);
  });

  test('412 rocks exist, in wallets, kiosks, personal kiosks and OriginByte kiosks, some of them listed', () => {
    const state = seedWorld();
    const rocks = nftsOfCollection(state, 'rocks');
    expect(rocks).toHaveLength(412);
    const kinds = rocks.map((nft) =>
      nft.place.kind === 'kiosk' ? state.kiosks.get(nft.place.kioskId)!.capKind : nft.place.kind,
    );
    expect(new Set(kinds)).toEqual(
      new Set(['wallet', 'kiosk', 'personal-kiosk', 'origin-byte-kiosk', 'simple-listing']),
    );
  });

  test('chain, marketplace rows and counts agree', () => expectConsistent(seedWorld()));

  test('its past ends no later than its start, and at most three days before it', () => {
    const state = seedWorld();
    const newest = Math.max(...state.actions.map((action) => action.blockTimeMs));
    expect(newest).toBeLessThanOrEqual(state.startedAtMs);
    expect(newest).toBeGreaterThan(state.startedAtMs - 3 * 86_400_000);
  });

  test('its past ends at midnight ten days ago, whatever the date; a later start has higher checkpoints', () => {
    const startOf = (date: string) => {
      const { state } = createWorld({ mintedRocks: 0 }, () => new Date(date)).control;
      return {
        startedAt: new Date(state.startedAtMs).toISOString(),
        newest: state.transactions.at(-1)?.checkpoint ?? 0,
      };
    };
    const [first, later] = [startOf('2026-12-01T00:00:01Z'), startOf('2031-03-05T23:59:59Z')];
    expect([first.startedAt, later.startedAt]).toEqual(['2026-11-21T00:00:00.000Z', '2031-02-23T00:00:00.000Z']);
    expect(later.newest).toBeGreaterThan(first.newest);
  });

  test('a big treasury has exactly the requested number of coin types, NFTs and kiosks', () => {
    const state = seedWorld({ treasury: { coinTypes: 200, nfts: 1000, kiosks: 50 } });
    const { treasuryAddress } = state;
    expect(state.holdings.get(treasuryAddress)?.size).toBe(200);
    expect(nftsOfOwner(state, treasuryAddress)).toHaveLength(1000);
    expect(kiosksOf(state, treasuryAddress)).toHaveLength(50);
    for (const kiosk of kiosksOf(state, treasuryAddress)) {
      expect(nftsInKiosk(state, kiosk.id).length).toBeGreaterThan(0);
    }
    expectConsistent(state);
  });
});

describe('the living market', () => {
  const live = (ticks: number) => {
    const now = () => new Date('2026-11-20T12:00:00Z');
    const { control } = createWorld({}, now);
    const market = createLivingMarket(control, 7);
    const happened = Array.from({ length: ticks }, () => market.tick());
    return { control, happened };
  };

  test('produces the same events from the same seed', () => {
    expect(live(60).happened).toEqual(live(60).happened);
  });

  test('keeps chain, rows and counts in agreement', () => {
    const { control, happened } = live(600);
    expect(new Set(happened)).toEqual(
      new Set(['mint', 'list', 'buy', 'relist', 'unlist', 'bid', 'accept-bid', 'price']),
    );
    expectConsistent(control.state);
    const mints = happened.filter((each) => each === 'mint').length;
    expect(control.facts('rocks').supply).toBe(412 + mints);
  });

  test('continues when all rocks are minted, and never mints a 556th', () => {
    const { control } = createWorld({ mintedRocks: 555 }, () => new Date());
    const market = createLivingMarket(control, 7);
    for (let tick = 0; tick < 100; tick += 1) expect(market.tick()).not.toBe('mint');
    expect(control.facts('rocks').supply).toBe(555);
    expect(() => control.mint({ address: '0x1' })).toThrow('Minted out');
  });
});
