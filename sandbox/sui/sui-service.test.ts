import { bcs } from '@mysten/sui/bcs';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { troubleCoins } from '../seed/treasury-tokens.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { kioskItemType, kioskListingType, kioskOwnerCapType, personalKioskCapType } from '../world/sui-names.ts';
import { originByteTokenType, suiCoinType } from '../world/sui-names.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const formats = ['text', 'binary'] as const;
const clientOf = (format: (typeof formats)[number] = 'text') =>
  new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui, format });
const owner = () => sandbox.facts.treasuryAddress;

describe.each(formats)('the SDK client, %s format', (format) => {
  test('reads each balance as coin objects plus address balance', async () => {
    const { balances, hasNextPage } = await clientOf(format).listBalances({ owner: owner() });
    expect(hasNextPage).toBe(false);
    expect(balances.find((each) => each.coinType === suiCoinType)).toEqual({
      coinType: suiCoinType,
      balance: '12354518203117',
      coinBalance: '11204518203117',
      addressBalance: '1150000000000',
    });
    for (const each of balances) expect(each.coinType).toMatch(/^0x[0-9a-f]{64}::/);
  });

  test('is refused with a gRPC status, not an HTTP status', async () => {
    await expect(clientOf(format).stateService.getCoinInfo({ coinType: '0x9::no::COIN' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('balances', () => {
  test('a balance set through the control interface is visible at once', async () => {
    sandbox.world.setBalance({ coinType: '0x2::sui::SUI', coinBalance: 7n, addressBalance: 5n });
    const { balance } = await clientOf().getBalance({ owner: owner() });
    expect(balance).toMatchObject({ balance: '12', coinBalance: '7', addressBalance: '5' });
  });

  test('coin objects do not include the address balance', async () => {
    const { objects } = await clientOf().listCoins({ owner: owner() });
    const total = objects.reduce((sum, each) => sum + BigInt(each.balance), 0n);
    expect(total).toBe(11_204_518_203_117n);
  });

  test('pages respect the requested size and reach every entry once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await clientOf().listBalances({ owner: owner(), limit: 3, cursor });
      expect(page.balances.length).toBeLessThanOrEqual(3);
      seen.push(...page.balances.map((each) => each.coinType));
      ({ cursor } = page);
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(16);
    expect(seen).toHaveLength(16);
  });

  test('a page token of another call is refused', async () => {
    const first = await clientOf().listBalances({ owner: owner(), limit: 3 });
    const other = clientOf().listBalances({ owner: '0x5', limit: 3, cursor: first.cursor });
    await expect(other).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('coin info', () => {
  test('returns the true decimals of known coins', async () => {
    const { coinMetadata } = await clientOf().getCoinMetadata({ coinType: suiCoinType });
    expect(coinMetadata).toMatchObject({ symbol: 'SUI', decimals: 9 });
  });

  test('is NOT_FOUND for a held coin without metadata', async () => {
    const call = clientOf().stateService.getCoinInfo({ coinType: troubleCoins.withoutMetadata });
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('kiosks and caps', () => {
  const owned = async (type: string) =>
    (await clientOf().listOwnedObjects({ owner: owner(), type, include: { content: true } })).objects;

  test('the wallet holds three kiosk caps, a personal one and an OriginByte token, each in its BCS form', async () => {
    const caps = await owned(kioskOwnerCapType);
    const cap = bcs.struct('KioskOwnerCap', { id: bcs.Address, for: bcs.Address });
    const personal = bcs.struct('PersonalKioskCap', { id: bcs.Address, cap: bcs.option(cap) });
    const token = bcs.struct('OwnerToken', { id: bcs.Address, kiosk: bcs.Address, owner: bcs.Address });
    const kiosks = [...sandbox.world.state.kiosks.values()].filter((each) => each.holder === owner());
    const idsOf = (capKind: string) => kiosks.filter((each) => each.capKind === capKind).map((each) => each.id);
    expect(caps.map((each) => cap.parse(each.content).for).toSorted()).toEqual(idsOf('kiosk').toSorted());
    const [personalCap] = await owned(personalKioskCapType);
    expect(personal.parse(personalCap!.content).cap?.for).toBe(idsOf('personal-kiosk')[0]);
    const [ownerToken] = await owned(originByteTokenType);
    expect(token.parse(ownerToken!.content)).toMatchObject({ kiosk: idsOf('origin-byte-kiosk')[0], owner: owner() });
  });

  test("NFTs in kiosks are not among the wallet's objects", async () => {
    const objects = await owned(sandbox.facts.collectionType);
    expect(objects).toHaveLength(2);
  });

  test('a kiosk lists its items with type, id and display, and its listings with their price', async () => {
    const [kiosk] = [...sandbox.world.state.kiosks.values()].filter((each) => each.holder === owner());
    const paths = ['kind', 'name', 'value', 'value_type', 'child_id', 'child_object.object_id', 'child_object.display'];
    const { response } = await clientOf().stateService.listDynamicFields({
      parent: kiosk!.id,
      pageSize: 1000,
      readMask: { paths },
    });
    const items = response.dynamicFields.filter((each) => each.name?.name === kioskItemType);
    expect(items).toHaveLength(7);
    const rock = items.find((each) => each.valueType === sandbox.facts.collectionType);
    expect(rock?.childObject?.objectId).toBe(rock?.childId);
    expect(rock?.childObject?.objectType).toBeUndefined();
    expect(JSON.stringify(rock?.childObject?.display?.output)).toContain('Sui Rock #');
    const listings = response.dynamicFields.filter((each) => each.name?.name === kioskListingType);
    expect(listings).toHaveLength(2);
    for (const listing of listings) expect(bcs.u64().parse(listing.value!.value!)).toBe('24000000000');
  });

  test('the SDK derives the same field ids that the kiosk lists', async () => {
    const [kiosk] = [...sandbox.world.state.kiosks.values()].filter((each) => each.holder === owner());
    const { dynamicFields } = await clientOf().listDynamicFields({ parentId: kiosk!.id, include: { value: true } });
    expect(dynamicFields.filter((each) => each.$kind === 'DynamicObject')).toHaveLength(7);
  });

  test('a generic type is found by its full type, base name, module and package', async () => {
    const { nftType } = sandbox.world.state.collections.get('glow-worms')!;
    const base = nftType.split('<')[0]!;
    for (const filter of [nftType, base, base.split('::').slice(0, 2).join('::'), base.split('::')[0]!]) {
      expect(await owned(filter)).toHaveLength(1);
    }
    expect(await owned(base.slice(0, -1))).toHaveLength(0);
  });

  test('a page ends at about 512 KiB even when more entries were requested', async () => {
    const kiosk = sandbox.world.createKiosk({ holder: '0x5' });
    for (let minted = 0; minted < 600; minted += 1) {
      sandbox.world.mint({ collection: 'cave-bats', address: '0x5', kioskId: kiosk.id });
    }
    const lengths: number[] = [];
    let pageToken: Uint8Array | undefined;
    do {
      const { response } = await clientOf('binary').stateService.listDynamicFields({
        parent: kiosk.id,
        pageSize: 5000,
        readMask: { paths: ['*'] },
        ...(pageToken && { pageToken }),
      });
      lengths.push(response.dynamicFields.length);
      pageToken = response.nextPageToken;
    } while (pageToken);
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(600);
  });

  test('a read mask that names no field is refused', async () => {
    const call = clientOf().stateService.listOwnedObjects({ owner: owner(), readMask: { paths: ['colour'] } });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('ledger, names and signatures', () => {
  test('in a batch, an object that does not exist is an error in its place', async () => {
    const { objects } = await clientOf().getObjects({
      objectIds: [...sandbox.world.state.nfts.keys()].slice(0, 1).concat('0x77'),
    });
    expect(objects[0]).toMatchObject({ type: sandbox.facts.collectionType });
    expect(objects[1]).toBeInstanceOf(Error);
  });

  test('the node reports its chain and newest checkpoint', async () => {
    const { response } = await clientOf().ledgerService.getServiceInfo({});
    expect(response.chain).toBe('mainnet');
    expect(response.checkpointHeight).toBeGreaterThan(180_000_000n);
  });

  test('a name is found; a missing name is NOT_FOUND; an expired name answers with the code of a rate limit', async () => {
    const client = clientOf();
    expect(await client.defaultNameServiceName({ address: owner() })).toEqual({ data: { name: 'suirocks.sui' } });
    await expect(client.defaultNameServiceName({ address: '0x5' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const expired = client.defaultNameServiceName({ address: sandbox.world.state.names[1]!.address });
    await expect(expired).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED', message: 'name has expired' });
  });

  test('a personal message signature is verified against its address', async () => {
    const keypair = new Ed25519Keypair();
    const message = new TextEncoder().encode('This is not a transaction');
    const { bytes, signature } = await keypair.signPersonalMessage(message);
    const check = (address: string) =>
      clientOf().core.verifyZkLoginSignature({ bytes, signature, intentScope: 'PersonalMessage', address });
    expect((await check(keypair.toSuiAddress())).success).toBe(true);
    expect((await check(owner())).success).toBe(false);
  });
});

describe('transactions and events', () => {
  const rock = () => [...sandbox.world.state.nfts.values()].find((nft) => nft.place.kind === 'kiosk')!;

  test("a sale is a transaction of the buyer with the marketplace's event", async () => {
    const nftId = rock().id;
    sandbox.world.list({ nftId, priceMist: 5n });
    sandbox.world.buy({ nftId, buyer: '0x77' });
    const { digest } = sandbox.world.state.transactions.at(-1)!;
    const found = await clientOf().getTransaction({ digest, include: { events: true } });
    const { events, status } = found.Transaction!;
    expect(status.success).toBe(true);
    expect(events[0]).toMatchObject({ module: 'kiosk_listings', json: { nft_id: nftId, price: '5' } });
    const missing = clientOf().ledgerService.getTransaction({ digest: 'none' });
    await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('mint events of the collection are listed page by page, once each, in either direction', async () => {
    const [packageId, module] = sandbox.facts.collectionType.split('::');
    const filter = { eventType: `${packageId}::${module}::MintEvent` };
    for (const order of ['ascending', 'descending'] as const) {
      const numbers: number[] = [];
      let cursor: string | null = null;
      do {
        const bound = cursor === null ? {} : order === 'ascending' ? { after: cursor } : { before: cursor };
        const page = await clientOf().listEvents({ filter, order, limit: 150, ...bound });
        numbers.push(...page.events.map((event) => Number((event.json as { number: string }).number)));
        cursor = page.hasNextPage ? page.endCursor : null;
      } while (cursor !== null);
      const expected = Array.from({ length: 412 }, (_, index) => index + 1);
      expect(numbers).toEqual(order === 'ascending' ? expected : expected.toReversed());
    }
  });

  test('transactions are listed by sender', async () => {
    sandbox.world.mint({ address: '0x99' });
    const { transactions } = await clientOf().listTransactions({ filter: { sender: '0x99' }, limit: 5 });
    expect(transactions).toHaveLength(1);
  });
});
