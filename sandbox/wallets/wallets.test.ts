import { SuiGrpcClient } from '@mysten/sui/grpc';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { verifyPersonalMessageSignature } from '@mysten/sui/verify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { createWorld } from '../world/control.ts';
import { nftsOfCollection, nftsOfOwner, ownerOf } from '../world/ownership.ts';
import { createLivingMarket } from '../living-market/living-market.ts';
import { walletPeople } from './people.ts';
import type { HeldNft } from './wallets.ts';

const message = new TextEncoder().encode('Sui Rocks: link this wallet to a Discord account.\n\nNonce: abc – ä');
const otherMessage = new TextEncoder().encode('Another text');

let sandbox: Sandbox;
let client: SuiGrpcClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  client = new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui });
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

describe('a signature of each scheme', () => {
  for (const { name, scheme, address } of walletPeople()) {
    test(`${scheme}: a signature by ${name} is valid only for this wallet and this text`, async () => {
      const signature = await sandbox.wallets.sign(name, message);
      expect(parseSerializedSignature(signature).signatureScheme).toBe(scheme);
      const check = (text: Uint8Array, of: string) =>
        verifyPersonalMessageSignature(text, signature, { address: of, client });
      expect((await check(message, address)).toSuiAddress()).toBe(address);
      await expect(check(otherMessage, address)).rejects.toThrow();
      const another = walletPeople().find((each) => each.address !== address)?.address ?? '';
      await expect(check(message, another)).rejects.toThrow();
    });
  }

  test("a zkLogin signature that the sandbox's wallets did not return is not valid", async () => {
    const quinn = walletPeople().find(({ scheme }) => scheme === 'ZkLogin')!;
    const signature = await quinn.signer.sign(message);
    await expect(
      verifyPersonalMessageSignature(message, signature, { address: quinn.address, client }),
    ).rejects.toThrow();
  });
});

const shape = ({ nft, place, isLocked, listedAtMist }: HeldNft) =>
  [nft.collectionKey, place, isLocked && 'locked', listedAtMist !== null && 'listed'].filter(Boolean).join(' ');
const holdingsOf = (name: string) => sandbox.wallets.holdings(name).map(shape).toSorted();

describe("the people's holdings", () => {
  test('match their stories', () => {
    expect(holdingsOf('Granite Gwen')).toEqual(['rocks kiosk', 'rocks kiosk listed', 'rocks wallet']);
    const kiosks = sandbox.wallets.holdings('Granite Gwen').flatMap(({ kioskId }) => kioskId ?? []);
    expect(new Set(kiosks).size).toBe(2);
    expect(holdingsOf('Basalt Ben')).toEqual(['rocks personal-kiosk']);
    expect(holdingsOf('Marble Mo')).toEqual(['rocks origin-byte-kiosk']);
    expect(holdingsOf('Slate Sue')).toEqual(['rocks kiosk locked']);
    expect(holdingsOf('Quartz Quinn')).toEqual(['rocks simple-listing listed']);
    expect(holdingsOf('Pumice Pete')).toEqual(['rocks wallet']);
    expect(holdingsOf('Max Ridge')).toEqual(['lava-lizards wallet']);
    expect(holdingsOf('Olga Summit')).toEqual([]);
    expect(holdingsOf('Granite Gwen, second wallet')).toEqual([]);
  });

  test('come from collectors, so the number of rocks does not change', () => {
    const { control } = createWorld({ mintedRocks: 555 }, () => new Date());
    expect(nftsOfCollection(control.state, 'rocks')).toHaveLength(555);
    const gwen = sandbox.wallets.person('Granite Gwen').address;
    expect(nftsOfOwner(control.state, gwen)).toHaveLength(3);
  });

  test('are smaller in a small world, and never come from the treasury', () => {
    const { control } = createWorld({ mintedRocks: 8 }, () => new Date());
    const rocks = nftsOfCollection(control.state, 'rocks');
    expect(rocks).toHaveLength(8);
    expect(rocks.filter((nft) => ownerOf(control.state, nft) === control.state.treasuryAddress)).toHaveLength(6);
  });

  test('do not change while the living market runs', () => {
    const { control } = createWorld({}, () => new Date());
    const held = () =>
      walletPeople().map(({ address }) => nftsOfOwner(control.state, address).map(({ id, place }) => [id, place]));
    const before = held();
    const market = createLivingMarket(control, 7);
    for (let tick = 0; tick < 1500; tick += 1) market.tick();
    expect(held()).toEqual(before);
  });

  test('change through control operations', () => {
    const { world, wallets } = sandbox;
    const [listed] = wallets.holdings('Granite Gwen').filter(({ listedAtMist }) => listedAtMist !== null);
    world.buy({ nftId: listed!.nft.id, buyer: wallets.person('Olga Summit').address });
    expect(holdingsOf('Olga Summit')).toEqual(['rocks kiosk']);
    expect(holdingsOf('Granite Gwen')).toEqual(['rocks kiosk', 'rocks wallet']);
    expect(() => wallets.person('Nobody')).toThrow('No such wallet: Nobody');
  });
});
