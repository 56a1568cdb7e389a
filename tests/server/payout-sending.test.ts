import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { SuiClient } from '../../src/sources/sui/sui-client.ts';
import { coinForms } from '../support/open-payouts.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { payingSteps } from '../support/paying-steps.ts';
import { bytesOf, newestOf, refusalOf } from '../support/treasurer-calls.ts';

const [, usdc = ''] = Object.keys(coinForms);
const simulation = 'TransactionExecutionService/SimulateTransaction';
const execution = 'TransactionExecutionService/ExecuteTransaction';
const lookUp = 'LedgerService/GetTransaction';
const tip = 'LedgerService/GetServiceInfo';
const dayMs = 86_400_000;

let scene: PayingScene;
let aheadMs = 0;
let afterSending = async (): Promise<void> => {};
const chain = (sui: SuiClient): SuiClient => ({
  ...sui,
  executeTransaction: async (...of) => {
    try {
      return await sui.executeTransaction(...of);
    } finally {
      await afterSending();
    }
  },
});
beforeAll(async () => {
  scene = await startPayingScene({ sandbox: { now: () => new Date(Date.now() + aheadMs) }, chain });
}, 120_000);
afterAll(() => scene.end());
/** A transaction that a test leaves waiting expires within a few days. */
afterEach(async () => {
  afterSending = async () => {};
  await scene.sandbox.faults.clear();
  aheadMs += 3 * dayMs;
});

const { handOut, oddlyPaid, newHolders, countKept } = payingSteps(() => scene);

interface Logged {
  readonly action: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const loggedOf = (payout: number) =>
  scene.database.rows<Logged>(
    "select action, before, after from audit_entries where subject_kind = 'payout' and subject_id = $1 order by id",
    [String(payout)],
  );

describe('only what the node proves is handed out', () => {
  test.each(['recipient', 'amount', 'budget'] as const)(
    'nothing is stored if the node lies about the %s',
    async (about) => {
      const id = await scene.publish({ holders: newHolders(5) });
      const before = await countKept();
      await scene.sandbox.faults.set('sui', { kind: 'lie', about, operation: simulation });
      expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'simulation-differs' });
      expect(await countKept()).toBe(before);
      await scene.sandbox.faults.clear();
      expect(newestOf(await scene.build(id)).state).toBe('waiting');
    },
  );

  test.each(['503', 'reset', 'wrong-types', 'empty'] as const)(
    'nothing is stored if the simulation fails with %s',
    async (kind) => {
      const id = await scene.publish({ holders: newHolders(2) });
      const before = await countKept();
      await scene.sandbox.faults.set('sui', { kind, operation: simulation });
      await expect(scene.build(id)).rejects.toMatchObject({ name: 'Unavailable' });
      expect(await countKept()).toBe(before);
    },
  );

  test('a payout of more than the coin objects hold is refused with both amounts and the address balance', async () => {
    const id = await scene.publish({ holders: newHolders(2), coinType: usdc, raw: 4_000_000_000n });
    const { code, message } = await refusalOf(scene.build(id));
    expect(code).toBe('not-enough-coins');
    expect(message).toMatch(
      /^The treasury has [\d,.]+ USDC in coin objects, but the open lines need 8,000 USDC\. 2,000 USDC are in its address balance or in party objects/,
    );
  });

  test('while too little SUI is left for gas, the refusal says how much and what to do', async () => {
    const { setBalance } = scene.sandbox.world;
    const gas = 'but about 0.004952 SUI are needed: send it some as a coin. ';
    const fails = "The transaction fails in the node's simulation: ";
    for (const [left, words] of [
      [2_000_000n, `The treasury has 0.002 SUI left for gas, ${gas}${fails}InsufficientGas`],
      [1n, `The treasury has 0.000000001 SUI left for gas, ${gas}${fails}Error checking transaction input objects`],
    ] as const) {
      const id = await scene.publish({ holders: newHolders(4), coinType: usdc });
      setBalance({ coinType: suiCoinType, coinBalance: left, coinObjects: 1 });
      expect((await refusalOf(scene.build(id))).message).toContain(words);
      setBalance({ coinType: suiCoinType, coinBalance: 10n ** 13n, coinObjects: 3 });
      expect(newestOf(await scene.build(id)).state).toBe('waiting');
      aheadMs += 3 * dayMs;
    }
  });

  test('party coins that strangers send to the treasury do not prevent a payout', async () => {
    for (const coinType of [suiCoinType, usdc]) {
      scene.sandbox.world.receive({ coinType, amount: 1n, into: 'party-coin' });
      const holders = newHolders(2);
      const { id, built } = await handOut(holders, coinType);
      expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
      expect(oddlyPaid(holders, '1000000', coinType)).toEqual([]);
    }
  });

  test('drafts and payouts that do not exist are not paid', async () => {
    scene.copy.giveRocksTo(newHolders(1));
    const body = {
      title: 'Draft',
      reason: 'None',
      coinType: suiCoinType,
      amount: { mode: 'total', raw: '5' },
      leftOut: [],
    };
    const { data } = (await scene.call('POST', '/api/admin/payouts', { body })) as { data: { id: number } };
    expect(await refusalOf(scene.build(data.id))).toMatchObject({ code: 'not-published' });
    expect(await refusalOf(scene.list(data.id))).toMatchObject({ code: 'not-published' });
    expect(await refusalOf(scene.build(999_999))).toMatchObject({ code: 'not-found' });
  });
});

describe('only what the treasury signed is sent, byte for byte', () => {
  test.each(['accepted-503', 'accepted-reset', 'accepted-hang'] as const)(
    '%s: the answer is lost, and the digest shows what happened',
    async (kind) => {
      const holders = newHolders(2);
      const { id, built } = await handOut(holders);
      await scene.sandbox.faults.set('sui', { kind, operation: execution, times: 1 });
      expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
      expect(oddlyPaid(holders, '1000000')).toEqual([]);
    },
    30_000,
  );

  test('a transaction counts as sent although the node cannot be read after taking it, and the chain shows it later', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    afterSending = async () => {
      await scene.sandbox.faults.set('sui', { kind: '503', operation: lookUp, times: 1 });
      await scene.sandbox.faults.set('sui', { kind: '503', operation: tip });
    };
    expect(newestOf(await scene.pay(id, built)).state).toBe('waiting');
    await scene.sandbox.faults.clear();
    expect(newestOf(await scene.checkChain(id, null)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('a lost answer is looked up again if the node fails the first time', async () => {
    const { id, built } = await handOut(newHolders(2));
    await scene.sandbox.faults.set('sui', { kind: 'accepted-503', operation: execution, times: 1 });
    afterSending = () => scene.sandbox.faults.set('sui', { kind: '503', operation: lookUp, times: 1 });
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
  });

  test('a transaction keeps waiting while the node is down, and can be sent again', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    await scene.sandbox.faults.set('sui', { kind: '503', operation: execution, times: 1 });
    await expect(scene.pay(id, built)).rejects.toMatchObject({ name: 'Unavailable' });
    expect(newestOf(await scene.list(id))).toMatchObject({ state: 'waiting', bytes: built.bytes });
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('another signer, other bytes, another digest, two signatures and nonsense are refused and never reach the node', async () => {
    const { id, built } = await handOut(newHolders(2));
    const bytes = bytesOf(built.bytes);
    const changed = Uint8Array.from(bytes);
    changed[40] = (changed[40] ?? 0) ^ 1;
    const { sandbox } = scene;
    const own = await scene.sign(bytes);
    const asked = sandbox.requests.of('sui').byOperation[execution];
    const attempts: readonly (readonly [code: string, digest: string, signature: string])[] = [
      ['wrong-signature', built.digest, await sandbox.wallets.signTransaction('Granite Gwen', bytes)],
      ['wrong-signature', built.digest, await scene.sign(changed)],
      ['wrong-signature', built.digest, await sandbox.wallets.sign('Treasury', bytes)],
      ['not-a-signature', built.digest, own + own],
      ['not-a-signature', built.digest, 'AAAA'],
      ['not-a-signature', built.digest, 'no base64 at all!'],
      ['not-found', '4'.repeat(44), own],
    ];
    for (const [code, digest, signature] of attempts) {
      expect(await refusalOf(scene.send(id, digest, signature))).toMatchObject({ code });
    }
    expect(sandbox.requests.of('sui').byOperation[execution]).toBe(asked);
    expect(newestOf(await scene.list(id)).state).toBe('waiting');
  });

  test('a copy with a replaced address that is signed elsewhere pays the thief, and the owner is notified', async () => {
    const holders = newHolders(3);
    const { id, built } = await handOut(holders);
    const hex = Buffer.from(built.bytes ?? '', 'base64').toString('hex');
    const stolen = Buffer.from(hex.replace((holders[1] ?? '').slice(2), 'e'.repeat(64)), 'hex');
    await scene.sandbox.chain.execute(stolen, [await scene.sign(stolen)]);
    await scene.checkChain(id, null);
    expect(await scene.page(id)).toMatchObject({ lines: { paid: 2, paidOtherwise: 1, open: 0 } });
    const problems = scene.copy.payouts.problems()?.filter(({ key }) => key.startsWith(`${id}-`));
    expect(problems?.map(({ what }) => what)).toEqual([expect.stringContaining('does not pay as planned.')]);
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'nothing-open' });
  });

  test('every draft, change, publication, withdrawal and deletion is in the audit log, the publication with its hash', async () => {
    const id = await scene.publish({ holders: newHolders(2) });
    await scene.withdraw(id);
    const { sha256 } = await scene.page(id);
    const logged = await loggedOf(id);
    expect(logged.find(({ action }) => action === 'payout-published')?.before).toMatchObject({ sha256: null });
    expect(logged.map(({ action, after }) => [action, after?.sha256, after?.withdrawnReason])).toEqual([
      ['payout-drafted', null, null],
      ['payout-snapshot-asked', null, null],
      ['payout-published', sha256, null],
      ['payout-withdrawn', sha256, 'Wrong'],
    ]);
    const draft = await scene.draft({ holders: newHolders(2) });
    const params = { id: String(draft) };
    const terms = (await scene.all()).find((each) => each.id === draft)?.terms;
    await scene.call('PUT', '/api/admin/payouts/{id}', { params, body: { ...terms, title: 'November' } });
    await scene.call('DELETE', '/api/admin/payouts/{id}', { params });
    expect((await loggedOf(draft)).map(({ action, before, after }) => [action, before?.title, after?.title])).toEqual([
      ['payout-drafted', undefined, 'October'],
      ['payout-changed', 'October', 'November'],
      ['payout-deleted', 'November', undefined],
    ]);
  });

  test('every building and sending of a transaction is in the audit log', async () => {
    const { id, built } = await handOut(newHolders(2));
    await scene.pay(id, built);
    const entries = await loggedOf(id);
    expect(entries.slice(-2).map(({ action, after }) => [action, after?.digest])).toEqual([
      ['payout-transaction-built', built.digest],
      ['payout-transaction-sent', built.digest],
    ]);
  });
});
