import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Fault } from '../../sandbox/faults/fault-board.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { buildPayment } from '../../src/sources/sui/execution.ts';
import { createSuiClient, type SuiClient } from '../../src/sources/sui/sui-client.ts';
import { describeOutages } from './outages.ts';

let sandbox: Sandbox;
let sui: SuiClient;
let owner: string;
let bytes: Uint8Array;
const friend = `0x${'f'.repeat(64)}`;
const open = (limits: Partial<CallLimits> = {}): SuiClient =>
  createSuiClient({ network: 'mainnet', baseUrl: sandbox.urls.sui, limits });
beforeAll(async () => {
  sandbox = await startSandbox();
  sui = open();
  owner = sandbox.facts.treasuryAddress;
  bytes = await paying(5n);
});
afterAll(() => sandbox.stop());
afterEach(() => sandbox.faults.clear());

const coins = () => sui.listCoinObjects({ owner, coinType: suiCoinType });
async function paying(raw: bigint, budgetMist = 50_000_000n): Promise<Uint8Array> {
  const { epoch, gasPriceMist } = await sui.readEpoch();
  const gasCoins = (await coins()).slice(0, 1);
  const payments = [{ address: friend, raw }];
  const terms = { sender: owner, gasCoins, gasPriceMist, budgetMist, coins: [], payments, expiresEpoch: epoch + 1n };
  return (await buildPayment(terms)).bytes;
}

const badAnswers: readonly Fault['kind'][] = ['429', '500', 'malformed', 'wrong-types', 'empty', 'refused'];
const newest = () => sandbox.world.state.transactions.at(-1)?.digest ?? '';
const reads: readonly { readonly name: string; readonly read: (sui: SuiClient) => Promise<unknown> }[] = [
  { name: 'listCoinObjects', read: (sui) => sui.listCoinObjects({ owner, coinType: suiCoinType }) },
  { name: 'readVersions', read: async (sui) => sui.readVersions([sandbox.facts.treasuryAddress, friend]) },
  { name: 'readTransaction', read: (sui) => sui.readTransaction(newest()) },
  { name: 'readEpoch', read: (sui) => sui.readEpoch() },
  { name: 'simulateTransaction', read: (sui) => sui.simulateTransaction(bytes) },
];
describe.each(reads)('$name', ({ name, read }) => {
  describeOutages(name, {
    sandbox: () => sandbox,
    services: ['sui'],
    open: (limits) => {
      const client = open(limits);
      return () => read(client);
    },
    // The requested objects do not exist, so the answer has no value that could have a wrong type.
    kinds: name === 'readVersions' ? badAnswers.filter((kind) => kind !== 'wrong-types') : badAnswers,
  });
});

describe('coin objects', () => {
  test('add up to the balance together with the address balance; each has its version and its transaction', async () => {
    const all = await coins();
    const inObjects = all.reduce((sum, { raw }) => sum + raw, 0n);
    const holding = sandbox.world.state.holdings.get(owner)?.get(suiCoinType);
    const balance = (await sui.listBalances(owner)).find(({ coinType }) => coinType === suiCoinType);
    expect(balance?.rawBalance).toBe(inObjects + (holding?.addressBalance ?? 0n));
    const [first] = all;
    if (first === undefined) throw new Error('There is no coin');
    const { raw: _raw, ...version } = first;
    expect([...(await sui.readVersions([first.objectId, friend])).values()]).toEqual([version]);
    expect((await sui.readTransaction(first.madeBy ?? ''))?.isSuccess).toBe(true);
  });

  test('that are party objects, which anyone can send and no payment can name, are left out; the balance has them', async () => {
    const before = await coins();
    const held = async () => (await sui.listBalances(owner)).find((each) => each.coinType === suiCoinType)?.rawBalance;
    const heldBefore = await held();
    sandbox.world.receive({ coinType: suiCoinType, amount: 7n, into: 'party-coin' });
    expect([await coins(), await held()]).toEqual([before, (heldBefore ?? 0n) + 7n]);
  });

  test('of an empty wallet are an empty list', async () => {
    expect(await sui.listCoinObjects({ owner: friend, coinType: suiCoinType })).toEqual([]);
  });
});

describe('a transaction', () => {
  test('is null if it was never executed, or if the digest is invalid', async () => {
    expect(await sui.readTransaction('4'.repeat(44))).toBeNull();
    expect(await sui.readTransaction('nonsense')).toBeNull();
  });

  test("is refused in the node's words if it cannot begin, and gives the reason if it would fail", async () => {
    expect(await sui.simulateTransaction(await paying(5n, 1n))).toMatchObject({
      kind: 'refused',
      words: expect.stringContaining('Gas budget'),
    });
    expect(await sui.simulateTransaction(await paying(2n ** 62n))).toMatchObject({
      kind: 'ran',
      failure: expect.stringContaining('InsufficientCoinBalance'),
    });
    expect(await sui.simulateTransaction(bytes)).toMatchObject({ kind: 'ran', failure: null, sender: owner });
  });

  test('is executed once, and only with the signature of its sender', async () => {
    const sign = (person: string) => sandbox.wallets.signTransaction(person, bytes);
    const [own, other] = [await sign('Treasury'), await sign('Granite Gwen')];
    expect(await sui.verifyTransaction({ transaction: bytes, signature: own, address: owner })).toMatchObject({
      kind: 'valid',
    });
    expect(await sui.verifyTransaction({ transaction: bytes, signature: other, address: owner })).toMatchObject({
      kind: 'invalid',
    });
    expect(await sui.executeTransaction(bytes, [other])).toMatchObject({ kind: 'refused' });
    const before = sandbox.world.state.transactions.length;
    expect(await sui.executeTransaction(bytes, [own])).toEqual({ kind: 'taken' });
    expect(await sui.executeTransaction(bytes, [own])).toEqual({ kind: 'taken' });
    expect(sandbox.world.state.transactions.length).toBe(before + 1);
    const place = await sui.readTransaction(newest());
    expect(place).toMatchObject({ sender: owner, isSuccess: true, checkpoint: expect.any(BigInt) });
  });
});
