import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Ownership } from '../../src/market/owners/ownership.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { type OwnershipWorld, startOwnershipWorld } from '../support/ownership-world.ts';

let world: OwnershipWorld;
let ownership: Ownership;
beforeAll(async () => {
  world = await startOwnershipWorld({ seed: { mintedRocks: 20 } });
  ownership = world.copy();
});
afterAll(() => world.end());
afterEach(() => world.sandbox.faults.clear());

const read = (text: string) => ownership.readNftType(text);
const collection = (key: string) => {
  const found = world.sandbox.world.state.collections.get(key);
  if (found === undefined) throw new Error(`No collection ${key}`);
  return found;
};

describe('specification 2: the NFT contract of a server can be', () => {
  test('a full type, with the name from the marketplace', async () => {
    const { nftType } = collection('rocks');
    expect(await read(`  ${nftType}  `)).toEqual({ kind: 'nft', nftType, name: 'Sui Rocks' });
  });

  test('a type in capital letters or without leading zeros', async () => {
    const { nftType } = collection('cave-bats');
    const [address = '', ...rest] = nftType.split('::');
    expect(await read([`0x${address.slice(2).toUpperCase()}`, ...rest].join('::'))).toMatchObject({ nftType });
  });

  test('a generic type with or without its arguments', async () => {
    const { nftType } = collection('glow-worms');
    expect(await read(nftType)).toMatchObject({ kind: 'nft', nftType, name: 'Glow Worms' });
    const base = nftType.replace(/<.*/, '');
    expect(await read(base)).toMatchObject({ kind: 'nft', nftType: base, name: 'Glow Worms' });
  });

  test('a type that only the chain knows', async () => {
    const { nftType } = collection('airdrop-voucher');
    expect(await read(nftType)).toEqual({ kind: 'nft', nftType, name: null });
  });

  test('a type on the chain if there is no marketplace key', async () => {
    const { nftType } = collection('rocks');
    const keyless = await world.copy({ marketKey: null }).readNftType(nftType);
    expect(keyless).toEqual({ kind: 'nft', nftType, name: null });
  });
});

describe('an NFT contract cannot be', () => {
  test.each(['0x2::sui::SUI', '0x2::coin::Coin<0x2::sui::SUI>', '0x2::coin::Coin'])('a coin: %s', async (text) => {
    expect(await read(text)).toEqual({ kind: 'not-an-nft', problem: 'coin' });
  });

  test('a coin of another package', async () => {
    const coinType = [...world.sandbox.world.state.coins.values()].find(
      ({ coinType: type, metadata }) => metadata !== null && !/^0x0+2::/.test(type),
    )?.coinType;
    expect(await read(coinType ?? '')).toEqual({ kind: 'not-an-nft', problem: 'coin' });
  });

  test.each(['0x2::kiosk::Item', '0x2::kiosk::KioskOwnerCap', '0x2::kiosk::Kiosk'])(
    'a type of the chain itself: %s',
    async (text) => {
      expect(await read(text)).toEqual({ kind: 'not-an-nft', problem: 'no-object' });
    },
  );

  test('an enum, a type that does not exist, or arguments on a type without parameters', async () => {
    const [address, module] = collection('rocks').nftType.split('::');
    expect(await read(`${address}::${module}::Mood`)).toEqual({ kind: 'not-an-nft', problem: 'no-object' });
    expect(await read(`${address}::${module}::Rock`)).toEqual({ kind: 'missing' });
    expect(await read(`${address}::nft::Nft`)).toEqual({ kind: 'missing' });
    expect(await read(`${collection('rocks').nftType}<0x2::sui::SUI>`)).toEqual({ kind: 'missing' });
  });

  test.each([
    '',
    '0x',
    '0x12345::module',
    'xyz::b::c',
    'hello',
    'https://www.tradeport.xyz/sui/collection/lava-lizards',
    `0x2::a::${'b'.repeat(2_000)}`,
    "'; drop table x",
  ])('malformed text: %s', async (text) => {
    expect(await read(text)).toEqual({ kind: 'malformed' });
  });

  test('a package, because it may have several types', async () => {
    const [packageId = ''] = collection('rocks').nftType.split('::');
    expect(await read(packageId)).toEqual({ kind: 'malformed' });
  });
});

test('an outage of the chain is Unavailable, never "missing", and names the full node', async () => {
  const fresh = world.copy();
  await world.sandbox.faults.set('sui', { kind: '500' });
  const upstream = 'The Sui full node';
  await expect(fresh.readNftType(collection('rocks').nftType)).rejects.toMatchObject({
    constructor: Unavailable,
    upstream,
  });
});

test("during an outage of the marketplace the chain's answer is given, without a name", async () => {
  const fresh = world.copy();
  await world.sandbox.faults.set('market', { kind: '500' });
  expect(await fresh.readNftType(collection('rocks').nftType)).toMatchObject({
    kind: 'nft',
    nftType: collection('rocks').nftType,
    name: null,
  });
});
