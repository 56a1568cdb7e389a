import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Activity } from '../../src/market/contract.ts';
import { type ActivityWorld, startActivityWorld } from '../support/activity-world.ts';
import { describeOutages } from './outages.ts';

let world: ActivityWorld;
let activity: Activity;
beforeAll(async () => {
  world = await startActivityWorld();
  ({ activity } = world.copy());
});
afterAll(() => world.end());
afterEach(() => world.sandbox.world.reset());

const collection = (key: string) => world.sandbox.world.state.collections.get(key)!;
const typeOf = (key: string): string => collection(key).nftType;
const packageOf = (key: string): string => typeOf(key).split('::')[0]!;
const pieceOf = (key: string): string =>
  [...world.sandbox.world.state.nfts.values()].find((nft) => nft.collectionKey === key)!.id;

describe("the product's own collection is found by", () => {
  const link = 'https://www.tradeport.xyz/sui/collection';
  test.each([
    ['its type', () => typeOf('rocks')],
    [
      'its type, with the address in capital letters',
      () => typeOf('rocks').replace(/^0x[0-9a-f]+/, (hex) => `0X${hex.slice(2).toUpperCase()}`),
    ],
    ['its package', () => packageOf('rocks')],
    ['one of its pieces', () => pieceOf('rocks')],
    ['its link', () => `${link}/sui-rocks?bottomTab=trades&tab=items`],
    ['its link with the type', () => `${link}/${encodeURIComponent(typeOf('rocks'))}`],
    ["its link with the marketplace's id", () => `${link}/${collection('rocks').rowId}`],
    ['its link without a scheme', () => 'tradeport.xyz/sui/collection/sui-rocks/'],
    ['its slug', () => ' Sui-Rocks '],
  ])('%s', async (_by, text) => {
    const facts = world.sandbox.world.facts('rocks');
    expect(await activity.lookUp(text())).toEqual({
      kind: 'found',
      collection: {
        marketId: collection('rocks').rowId,
        slug: typeOf('rocks'),
        name: 'Sui Rocks',
        imageUrl: expect.stringContaining('/image/rock/') as string,
        isVerified: true,
        mintedCount: facts.supply,
        floorMist: facts.floorMist,
        maxSupply: 555,
      },
    });
  });

  test('its slug even before it is verified', async () => {
    world.sandbox.world.setVerified({ collection: 'rocks', verified: false });
    expect(await activity.lookUp('sui-rocks')).toMatchObject({ kind: 'found', collection: { isVerified: false } });
  });
});

describe('other collections', () => {
  test('that are verified are found, without a maximum supply', async () => {
    expect(await activity.lookUp(typeOf('lava-lizards'))).toMatchObject({
      kind: 'found',
      collection: { name: 'Lava Lizards', maxSupply: null },
    });
  });

  test('with type arguments are found by their full type', async () => {
    expect(await activity.lookUp(typeOf('glow-worms'))).toMatchObject({ kind: 'found' });
  });

  test('that are not verified get an answer of their own', async () => {
    expect(await activity.lookUp(typeOf('prime-boulders'))).toMatchObject({
      kind: 'unverified',
      collection: { name: 'Prime Boulders' },
      verified: [],
    });
  });

  test('that imitate a name come with the verified collections of that name', async () => {
    collection('prime-boulders').title = 'SUI ROCKS';
    expect(await activity.lookUp('prime-boulders')).toMatchObject({
      kind: 'unverified',
      collection: { slug: typeOf('prime-boulders') },
      verified: [{ slug: typeOf('rocks') }],
    });
  });

  test('of the same package give way to the verified one', async () => {
    collection('prime-boulders').nftType = `${packageOf('rocks')}::fake::Fake`;
    expect(await activity.lookUp(packageOf('rocks'))).toMatchObject({
      kind: 'found',
      collection: { slug: typeOf('rocks') },
    });
  });
});

describe('a text that the marketplace does not know', () => {
  const nowhere = `0x${'e'.repeat(64)}`;
  test.each([
    [
      'a type that only the chain knows',
      () => typeOf('airdrop-voucher'),
      { kind: 'unknown', existsOnChain: true, isName: false },
    ],
    [
      "that type's package",
      () => packageOf('airdrop-voucher'),
      { kind: 'unknown', existsOnChain: true, isName: false },
    ],
    ['a piece of that type', () => pieceOf('airdrop-voucher'), { kind: 'unknown', existsOnChain: true, isName: false }],
    [
      'a type of a package that does not exist',
      () => `${nowhere}::no::No`,
      { kind: 'unknown', existsOnChain: false, isName: false },
    ],
    [
      'a type named like properties of every JavaScript object',
      () => '0x2::constructor::toString',
      { kind: 'unknown', existsOnChain: true, isName: false },
    ],
    [
      'a type whose name begins with an underscore',
      () => '0x2::__proto__::x',
      { kind: 'unknown', existsOnChain: true, isName: false },
    ],
    ['an unknown slug', () => 'sui-rockz', { kind: 'unknown', existsOnChain: false, isName: true }],
    ['an address cut short', () => '0x12', { kind: 'unknown', existsOnChain: false, isName: false }],
    ['a wallet', () => world.sandbox.facts.treasuryAddress, { kind: 'malformed', problem: 'wallet' }],
    ['an address without an object', () => nowhere, { kind: 'malformed', problem: 'wallet' }],
    [
      'a coin',
      () =>
        [...world.sandbox.world.state.coins.values()].find(
          ({ metadata, coinType }) => metadata && !/::sui::/.test(coinType),
        )!.coinType,
      { kind: 'malformed', problem: 'coin' },
    ],
  ])('%s', async (_what, text, answer) => {
    expect(await activity.lookUp(text())).toEqual(answer);
  });
});

test('a text that cannot be a collection is refused without any request', async () => {
  world.sandbox.requests.reset();
  expect(await activity.lookUp(`0x${'a'.repeat(40)}`)).toEqual({ kind: 'malformed', problem: 'foreign-chain' });
  expect(await activity.lookUp('not an address')).toEqual({ kind: 'malformed', problem: 'unreadable' });
  expect(world.sandbox.requests.of('market').count + world.sandbox.requests.of('sui').count).toBe(0);
});

describeOutages('a look-up at the marketplace', {
  sandbox: () => world.sandbox,
  services: ['market'],
  kinds: ['429', '500', 'malformed', 'wrong-types', 'refused'],
  open: (limits) => {
    const copy = world.copy({ limits }).activity;
    return () => copy.lookUp('sui-rocks');
  },
});
describeOutages('a look-up on the chain', {
  sandbox: () => world.sandbox,
  services: ['sui'],
  kinds: ['429', '500', 'malformed', 'refused'],
  open: (limits) => {
    const copy = world.copy({ limits }).activity;
    return () => copy.lookUp(`0x${'e'.repeat(64)}`);
  },
});
