import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Fault } from '../../sandbox/faults/fault-board.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { readNfts } from '../../src/sources/tradeport/nfts.ts';
import { createMarketCall, type MarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient, type SuiClient } from '../../src/sources/sui/sui-client.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { describeOutages } from './outages.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
afterEach(() => sandbox.faults.clear());

const openSui = (limits: Partial<CallLimits> = {}): SuiClient =>
  createSuiClient({ network: 'mainnet', baseUrl: sandbox.urls.sui, limits });
const openMarket = (limits: Partial<CallLimits> = {}): MarketCall => {
  const { marketUser: user, marketKey: key } = sandbox.facts;
  return createMarketCall({ url: sandbox.urls.market, user, key, limits });
};
const rocks = () => [...sandbox.world.state.nfts.values()].filter(({ collectionKey }) => collectionKey === 'rocks');
const rocksId = () => sandbox.world.state.collections.get('rocks')?.rowId ?? '';
const kiosk = () => [...sandbox.world.state.kiosks.values()][0];
const badAnswers: readonly Fault['kind'][] = ['429', '500', 'malformed', 'wrong-types', 'empty', 'refused'];

const reads: readonly { readonly name: string; readonly read: (sui: SuiClient) => Promise<unknown> }[] = [
  { name: 'readOwners', read: (sui) => sui.readOwners(rocks().map(({ id }) => id)) },
  { name: 'readKioskOwnerFields', read: (sui) => sui.readKioskOwnerFields([kiosk()?.id ?? '']) },
  { name: 'readDatatype', read: (sui) => sui.readDatatype(sandbox.facts.collectionType) },
];
describe.each(reads)('$name', ({ name, read }) => {
  describeOutages(name, {
    sandbox: () => sandbox,
    services: ['sui'],
    open: (limits) => {
      const client = openSui(limits);
      return () => read(client);
    },
    kinds: badAnswers,
  });
});

describe('the pieces of a collection', () => {
  describeOutages('readNfts', {
    sandbox: () => sandbox,
    services: ['market'],
    open: (limits) => {
      const client = openMarket(limits);
      return () => readNfts(client, rocksId());
    },
    kinds: badAnswers,
  });

  test('come with their owner and whether they are listed, as many as the marketplace counts', async () => {
    const { nfts, supply, unreadableCount } = await readNfts(openMarket(), rocksId());
    expect(nfts).toHaveLength(rocks().length);
    expect([supply, unreadableCount]).toEqual([rocks().length, 0]);
    expect(nfts.filter(({ isListed }) => isListed)).toHaveLength(sandbox.world.facts('rocks').listedCount);
  });

  test('include burned pieces, marked as such and no longer counted', async () => {
    const { id } = sandbox.world.mint({ address: '0x79' });
    const count = rocks().length;
    sandbox.world.burn({ nftId: id });
    const { nfts, supply } = await readNfts(openMarket(), rocksId());
    expect(nfts.filter(({ isBurned }) => isBurned).map(({ objectId }) => objectId)).toEqual([id]);
    expect([nfts.length, supply]).toEqual([count, count - 1]);
  });

  test('that were sent to 0x0 have no owner', async () => {
    const { id } = sandbox.world.mint({ address: '0x0' });
    const { nfts } = await readNfts(openMarket(), rocksId());
    expect(nfts.find(({ objectId }) => objectId === id)?.owner).toBeNull();
    expect((await openSui().readOwners([id])).get(id)?.owner).toEqual({ kind: 'none' });
  });

  test('are read from all pages, each piece once', async () => {
    const { rowId, key } = sandbox.world.state.collections.get('cave-bats') ?? { rowId: '', key: '' };
    for (let count = 0; count < 1_100; count += 1) sandbox.world.mint({ address: '0x77', collection: key });
    sandbox.requests.reset();
    const { nfts, supply } = await readNfts(openMarket(), rowId);
    expect(new Set(nfts.map(({ objectId }) => objectId)).size).toBe(supply);
    expect(sandbox.requests.of('market').count).toBe(3);
  });
});

describe('owners of objects', () => {
  test('are the wallet, the field between a piece and its kiosk, or none; 50 take one request', async () => {
    const inWallet = sandbox.world.mint({ address: '0x78' }).id;
    const inKiosk = sandbox.world.mint({ address: '0x78', into: 'kiosk' }).id;
    const [own] = [...sandbox.world.state.kiosks.values()].filter(
      ({ holder }) => holder === `0x${'78'.padStart(64, '0')}`,
    );
    const kioskId = own?.id ?? '';
    sandbox.requests.reset();
    const owners = await openSui().readOwners([inWallet, kioskId, ...rocks().map(({ id }) => id)]);
    expect(sandbox.requests.of('sui').count).toBe(Math.ceil((rocks().length + 1) / 50));
    expect(owners.get(inWallet)?.owner).toEqual({ kind: 'wallet', address: own?.holder });
    expect(owners.get(kioskId)?.owner).toEqual({ kind: 'none' });
    const owner = owners.get(inKiosk)?.owner;
    const fieldId = owner?.kind === 'object' ? owner.objectId : '';
    expect((await openSui().readOwners([fieldId])).get(fieldId)?.owner).toEqual({ kind: 'object', objectId: kioskId });
  });

  test('of kiosks are stated in a field of their own, which names the creator', async () => {
    const id = kiosk()?.id ?? '';
    expect(await openSui().readKioskOwnerFields([id])).toEqual(new Map([[id, kiosk()?.statedOwner]]));
  });
});
