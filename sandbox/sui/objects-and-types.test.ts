import { GrpcTypes, SuiGrpcClient } from '@mysten/sui/grpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { kioskOwnerCapType, stakedSuiType } from '../world/sui-names.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const clientOf = () => new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui });
const owner = () => sandbox.facts.treasuryAddress;

describe('objects and types', () => {
  test('an NFT in a kiosk belongs to a field object, which belongs to the kiosk', async () => {
    const nft = [...sandbox.world.state.nfts.values()].find(({ place }) => place.kind === 'kiosk')!;
    const client = clientOf();
    const { object } = await client.getObject({ objectId: nft.id });
    const field = await client.getObject({ objectId: object.owner.ObjectOwner ?? '' });
    expect(field.object.type).toMatch(/::dynamic_field::Field<.*::kiosk::Item/);
    expect(field.object.owner.ObjectOwner).toBe(nft.place.kind === 'kiosk' ? nft.place.kioskId : '');
  });

  test('a cap that changes hands is in the other wallet, and the kiosk still names its creator', async () => {
    const kiosk = sandbox.world.createKiosk({ holder: owner() });
    sandbox.world.handOverKiosk({ kioskId: kiosk.id, to: '0x77' });
    const { objects } = await clientOf().listOwnedObjects({ owner: '0x77', type: kioskOwnerCapType });
    expect(objects.map(({ objectId }) => objectId)).toEqual([kiosk.capId]);
    const { object } = await clientOf().getObject({ objectId: kiosk.id, include: { json: true } });
    expect(object.json).toMatchObject({ owner: owner() });
  });

  test('staked SUI is an object in the wallet and part of no balance', async () => {
    const before = await clientOf().getBalance({ owner: owner() });
    const { digest } = sandbox.world.stake({ amount: 3_000_000_000n });
    const { objects } = await clientOf().listOwnedObjects({ owner: owner(), type: '0x3::staking_pool::StakedSui' });
    expect(objects).toMatchObject([{ type: stakedSuiType, owner: { AddressOwner: owner() } }]);
    const objectId = objects[0]?.objectId ?? '';
    const { object } = await clientOf().getObject({ objectId, include: { json: true, previousTransaction: true } });
    expect(object).toMatchObject({ json: { principal: '3000000000' }, previousTransaction: digest });
    const after = await clientOf().getBalance({ owner: owner() });
    expect(BigInt(before.balance.balance) - BigInt(after.balance.balance)).toBeGreaterThan(3_000_000_000n);
  });

  test('a batch of more than 50 ids is refused', async () => {
    const requests = [...sandbox.world.state.nfts.keys()].slice(0, 51).map((objectId) => ({ objectId }));
    const batch = (count: number) => clientOf().ledgerService.batchGetObjects({ requests: requests.slice(0, count) });
    expect((await batch(50)).response.objects).toHaveLength(50);
    await expect(batch(51)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('an NFT type has the key ability, a coin type does not, and an unknown type is NOT_FOUND', async () => {
    const [packageId = '', moduleName = '', name = ''] = sandbox.facts.collectionType.split('::');
    const read = (wanted: { packageId: string; moduleName: string; name: string }) =>
      clientOf().movePackageService.getDatatype(wanted);
    const { datatype } = (await read({ packageId, moduleName, name })).response;
    expect(datatype?.abilities).toContain(GrpcTypes.Ability.KEY);
    const sui = await read({ packageId: '0x2', moduleName: 'sui', name: 'SUI' });
    expect(sui.response.datatype?.abilities).not.toContain(GrpcTypes.Ability.KEY);
    await expect(read({ packageId, moduleName, name: 'No' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
