import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Fault } from '../../sandbox/faults/fault-board.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createSuiClient, type SuiClient } from '../../src/sources/sui/sui-client.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { describeOutages } from './outages.ts';

let sandbox: Sandbox;
let sui: SuiClient;
let owner: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  sui = open();
  owner = sandbox.facts.treasuryAddress;
});
const open = (limits: Partial<CallLimits> = {}): SuiClient =>
  createSuiClient({ network: 'mainnet', baseUrl: sandbox.urls.sui, limits });
afterAll(() => sandbox.stop());
afterEach(() => sandbox.faults.clear());

const kioskOwnerCap = '0x2::kiosk::KioskOwnerCap';
const treasuryKiosk = () => {
  const kiosk = [...sandbox.world.state.kiosks.values()].find(({ holder }) => holder === owner);
  return kiosk?.id ?? '';
};
const named = () => sandbox.world.state.names[0];

/** Each read checks answers itself; the failures of the transport are the same for all, and are tried on two of them. */
const badAnswers: readonly Fault['kind'][] = ['429', '500', 'malformed', 'wrong-types', 'empty', 'refused'];

interface Read {
  readonly name: string;
  readonly read: (sui: SuiClient) => Promise<unknown>;
  readonly all?: true;
}
const reads: readonly Read[] = [
  { name: 'readKeptCheckpoints', read: (sui) => sui.readKeptCheckpoints() },
  { name: 'listBalances', read: (sui) => sui.listBalances(owner), all: true },
  {
    name: 'listOwnedObjects',
    read: (sui) => sui.listOwnedObjects({ owner, objectType: kioskOwnerCap, include: 'contents' }),
  },
  { name: 'readKiosk', read: (sui) => sui.readKiosk(treasuryKiosk()) },
  { name: 'readCoinInfo', read: (sui) => sui.readCoinInfo(suiCoinType), all: true },
  { name: 'readDefaultName', read: (sui) => sui.readDefaultName(named()?.address ?? '') },
  { name: 'resolveName', read: (sui) => sui.resolveName(named()?.name ?? '') },
];

describe.each(reads)('$name', ({ name, read, all }) => {
  describeOutages(name, {
    sandbox: () => sandbox,
    services: ['sui'],
    open: (limits) => {
      const client = open(limits);
      return () => read(client);
    },
    ...(!all && { kinds: badAnswers }),
  });
});

describe('balances', () => {
  test('include coin objects and the address balance, unlike listCoins', async () => {
    const holder = `0x${'c'.repeat(64)}`;
    sandbox.world.setBalance({ coinType: suiCoinType, owner: holder, coinBalance: 5n, addressBalance: 7n });
    expect(await sui.listBalances(holder)).toEqual([{ coinType: suiCoinType, rawBalance: 12n }]);
  });

  test('of an empty wallet are an empty list', async () => {
    expect(await sui.listBalances(`0x${'d'.repeat(64)}`)).toEqual([]);
  });
});

describe('staked SUI', () => {
  test('is the sum of all staked principals, on all pages, and of nothing else that the wallet owns', async () => {
    expect(await sui.readStakedMist(owner)).toBe(0n);
    sandbox.world.stake({ amount: 5_000_000_000n });
    sandbox.world.stake({ amount: 1_000_000_001n });
    sandbox.world.setBalance({ coinType: suiCoinType, owner: '0x78', coinBalance: 9_000_000_000n });
    sandbox.world.stake({ owner: '0x78', amount: 2_000_000_000n });
    expect(await sui.readStakedMist(owner)).toBe(6_000_000_001n);
  });

  test.each(badAnswers)('is unknown, not zero, if the node gives %s', async (kind) => {
    await sandbox.faults.set('sui', { kind });
    await expect(open({ retries: 0 }).readStakedMist(owner)).rejects.toThrow(Unavailable);
  });
});

describe('coin metadata', () => {
  test('is null only if the chain has none: a rate limit does not make a token unknown', async () => {
    expect((await sui.readCoinInfo(suiCoinType))?.decimals).toBe(9);
    expect(await sui.readCoinInfo(`0x${'e'.repeat(64)}::no::NO`)).toBeNull();
    await sandbox.faults.set('sui', { kind: '429' });
    await expect(open({ retries: 0 }).readCoinInfo(suiCoinType)).rejects.toThrow(Unavailable);
  });

  test('is not null at a wrong URL, although its 404 looks like NOT_FOUND', async () => {
    const lost = createSuiClient({ network: 'mainnet', baseUrl: sandbox.urls.prices });
    await expect(lost.readCoinInfo(suiCoinType)).rejects.toMatchObject({ reason: 'refused-by-upstream' });
  });
});

describe('names', () => {
  test('are null for an address without one', async () => {
    expect(await sui.readDefaultName(`0x${'f'.repeat(64)}`)).toBeNull();
  });

  test('do not exist once expired, although the code is that of a rate limit', async () => {
    const { names } = sandbox.world.state;
    const expired = { name: 'old-rock.sui', address: `0x${'a1'.repeat(32)}`, expiresAtMs: Date.now() - 1_000 };
    names.push(expired);
    sandbox.requests.reset();
    expect(await sui.readDefaultName(expired.address)).toBeNull();
    expect(await sui.resolveName(expired.name)).toBeNull();
    expect(sandbox.requests.of('sui').count).toBe(2);
  });

  test('lead to an address, or to null if nobody has them', async () => {
    expect(await sui.resolveName('suirocks.sui')).toBe(owner);
    expect(await sui.resolveName('nobody.sui')).toBeNull();
  });
});

test('work can be watched for how far the nodes are that answer it', async () => {
  const { newest, newestAt } = await sui.readKeptCheckpoints();
  const [{ value, tips }] = await Promise.all([sui.watchTips(() => sui.listBalances(owner)), sui.readEpoch()]);
  expect([value.length > 0, tips.length]).toEqual([true, 1]);
  expect(tips[0]?.checkpoint).toBeGreaterThanOrEqual(newest);
  expect(Number(tips[0]?.at) - Number(newestAt)).toBeGreaterThanOrEqual(0);
  expect((await sui.watchTips(async () => {})).tips).toEqual([]);
});

describe('a rate limit', () => {
  test('is waited for as long as the node asks, once', async () => {
    await sandbox.faults.set('sui', { kind: '429', retryAfterSeconds: 1, times: 1 });
    const startedMs = performance.now();
    expect((await sui.readKeptCheckpoints()).newest).toBeGreaterThan(0n);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(950);
  });

  test('tells the caller when to come back if the wait is too long', async () => {
    await sandbox.faults.set('sui', { kind: '429', retryAfterSeconds: 600 });
    await expect(sui.readKeptCheckpoints()).rejects.toMatchObject({ reason: 'rate-limited', retryAfterMs: 600_000 });
  });
});

describe('kiosks', () => {
  test('give every item with its type and whether it is listed', async () => {
    const kiosk = sandbox.world.createKiosk({ holder: owner });
    const make = () => sandbox.world.mint({ collection: 'cave-bats', address: owner, kioskId: kiosk.id }).id;
    const [plain, listed] = [make(), make()];
    sandbox.world.list({ nftId: listed, priceMist: 4_200_000_000n });
    const items = new Map((await sui.readKiosk(kiosk.id)).map((item) => [item.objectId, item]));
    expect(items.size).toBe(2);
    expect(items.get(plain)).toMatchObject({ isListed: false });
    expect(items.get(listed)).toMatchObject({ isListed: true });
    expect(items.get(plain)?.objectType).toMatch(/::bat::CaveBat$/);
  });
});

describe('objects', () => {
  test('come in batches, and unknown ones are absent', async () => {
    const ids = [...sandbox.world.state.nfts.keys()].slice(0, 120);
    sandbox.requests.reset();
    const objects = await sui.readOwners([...ids, `0x${'7'.repeat(64)}`]);
    expect([...objects.keys()].toSorted()).toEqual(ids.toSorted());
    expect(sandbox.requests.of('sui').count).toBe(3);
  });

  test('of a wallet come with their Display, untrusted but limited in length', async () => {
    const [bat] = (await sui.listOwnedObjects({ owner, include: 'display' })).filter(({ objectType }) =>
      objectType.endsWith('::bat::CaveBat'),
    );
    expect(bat?.display?.name).toMatch(/^Cave Bat #/);
  });
});
