import { describe, expect, test } from 'vitest';
import { createWorld } from './control.ts';
import { nftsInKiosk, ownerOf } from './ownership.ts';

const now = () => new Date('2026-11-21T00:00:00Z');
const worldOf = () => createWorld({}, now).control;
const owner = `0x${'0'.repeat(63)}a`;
const buyer = `0x${'0'.repeat(63)}b`;

describe('trades keep the chain consistent', () => {
  test('a listed kiosk NFT stays in its kiosk and with its seller', () => {
    const world = worldOf();
    const rock = world.mint({ address: owner, into: 'personal-kiosk' });
    world.list({ nftId: rock.id, priceMist: 5n });
    expect(rock.place.kind).toBe('kiosk');
    expect(ownerOf(world.state, rock)).toBe(owner);
  });

  test('an NFT listed from a wallet leaves it and returns when unlisted', () => {
    const world = worldOf();
    const rock = world.mint({ address: owner });
    world.list({ nftId: rock.id, priceMist: 5n });
    expect(rock.place).toMatchObject({ kind: 'simple-listing', seller: owner });
    world.unlist({ nftId: rock.id });
    expect(rock.place).toEqual({ kind: 'wallet', address: owner });
  });

  test('an NFT sold from a kiosk leaves no lock or listing behind and goes into a kiosk of the buyer', () => {
    const world = worldOf();
    const kiosk = world.createKiosk({ holder: owner });
    const rock = world.mint({ address: owner, kioskId: kiosk.id });
    world.transfer({ nftId: rock.id, address: owner, kioskId: kiosk.id, locked: true });
    expect(kiosk.locked.has(rock.id)).toBe(true);
    world.list({ nftId: rock.id, priceMist: 5n });
    world.buy({ nftId: rock.id, buyer });
    expect([kiosk.locked.size, kiosk.listings.size, nftsInKiosk(world.state, kiosk.id).length]).toEqual([0, 0, 0]);
    expect(ownerOf(world.state, rock)).toBe(buyer);
    expect(rock.place.kind).toBe('kiosk');
  });

  test('floor, supply and owner count follow each change', () => {
    const world = worldOf();
    const before = world.facts('rocks');
    const rock = world.mint({ address: owner });
    world.list({ nftId: rock.id, priceMist: 1n });
    expect(world.facts('rocks')).toEqual({
      floorMist: 1n,
      supply: before.supply + 1,
      ownerCount: before.ownerCount + 1,
      listedCount: before.listedCount + 1,
    });
    world.transfer({ nftId: rock.id, address: buyer });
    expect(world.facts('rocks').floorMist).toBe(before.floorMist);
  });

  test.each([
    ['an NFT that does not exist', (world: ReturnType<typeof worldOf>) => world.list({ nftId: '0x1', priceMist: 1n })],
    [
      'an NFT that is not listed',
      (world: ReturnType<typeof worldOf>) => world.buy({ nftId: [...world.state.nfts.keys()][0]!, buyer }),
    ],
    ['a bid that does not exist', (world: ReturnType<typeof worldOf>) => world.acceptBid({ bidId: 'none' })],
    ['an invalid address', (world: ReturnType<typeof worldOf>) => world.mint({ address: '0xzz' })],
  ])('%s makes an operation impossible', (_what, order) => {
    expect(() => order(worldOf())).toThrow(expect.objectContaining({ name: 'Impossible' }));
  });
});
