import { Transaction } from '@mysten/sui/transactions';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import {
  bytesOf,
  newestOf,
  type PayingScene,
  refusalOf,
  someHolders,
  startPayingScene,
} from '../support/paying-scene.ts';
import { coinForms } from '../support/open-payouts.ts';

const [sui = '', usdc = ''] = Object.keys(coinForms);
const simulation = 'TransactionExecutionService/SimulateTransaction';
const execution = 'TransactionExecutionService/ExecuteTransaction';
const dayMs = 86_400_000;

let scene: PayingScene;
let otherCopy: PayingScene;
let aheadMs = 0;
beforeAll(async () => {
  scene = await startPayingScene({ sandbox: { now: () => new Date(Date.now() + aheadMs) } });
  otherCopy = await startPayingScene({ on: scene });
}, 120_000);
afterAll(async () => {
  await otherCopy.end();
  await scene.end();
});
/** What a test leaves waiting is over a few days later. */
afterEach(async () => {
  await scene.sandbox.faults.clear();
  aheadMs += 3 * dayMs;
});

const handOut = async (holders: readonly string[], coinType = sui) => {
  const id = await scene.publish({ holders, coinType });
  return { id, built: newestOf(await scene.build(id)) };
};
/** Nobody has got more or less than this, in one coin object. */
const oddlyPaid = (holders: readonly string[], raw: string, coinType = sui): readonly string[] =>
  holders.filter((address) => scene.gotBy(address, coinType).join() !== raw);
let newest = 0x10_000;
const newHolders = (count: number): readonly string[] => someHolders(count, (newest += 0x10_000));
/** Made with the SDK by somebody of the team, out of exactly these coin objects. */
async function payByHand(coin: { objectId: string; version: string; digest: string }, to: string, raw: bigint) {
  const tx = new Transaction();
  tx.setSender(scene.sandbox.facts.treasuryAddress);
  tx.setGasPrice(1_000);
  tx.setGasBudget(20_000_000);
  tx.setGasPayment([coin]);
  tx.transferObjects([tx.splitCoins(tx.gas, [raw])[0]], to);
  const bytes = await tx.build();
  return scene.sandbox.chain.execute(bytes, [await scene.sign(bytes)]);
}
const coinsOf = async (coinType = sui) => {
  const client = new SuiGrpcClient({ network: 'mainnet', baseUrl: scene.sandbox.urls.sui });
  return (await client.listCoins({ owner: scene.sandbox.facts.treasuryAddress, coinType })).objects;
};
/** The one on which transactions are chained. */
const firstCoin = async () => {
  const [row] = await scene.database.rows<{ id: string }>(
    "select objects->0->>'objectId' id from payout_transactions order by payout_transactions.id desc limit 1",
  );
  const found = (await coinsOf()).find(({ objectId }) => objectId === row?.id);
  if (found === undefined) throw new Error('There is no such coin');
  return found;
};
const rows = async () =>
  Number((await scene.database.rows<{ n: string }>('select count(*) n from payout_transactions'))[0]?.n);

describe('a published payout is paid by the team, one transaction after the other', () => {
  test('555 holders are one transaction; its effects are the lines of the plan, and the chain pays exactly them', async () => {
    const holders = newHolders(555);
    const { id, built } = await handOut(holders);
    expect(built).toMatchObject({ state: 'waiting', lines: 555, totalRaw: '555000000', problem: null });
    expect(built.effects?.received.map(({ address, raw }) => [address, raw])).toEqual(
      holders.map((address) => [address, '1000000']),
    );
    expect(built.effects).toMatchObject({ leavesRaw: '555000000', gasMist: built.gasMist });
    const told = scene.sandbox.chain.describe(bytesOf(built.bytes));
    expect(told.payments.map(({ address, amount }) => [address, amount])).toEqual(
      holders.map((each) => [each, 1_000_000n]),
    );
    expect(String(told.gasMist)).toBe(built.gasMist);
    const paid = await scene.pay(id, built);
    expect(newestOf(paid)).toMatchObject({ digest: built.digest, state: 'executed', bytes: null, effects: null });
    expect(paid.open).toEqual({ lines: 0, raw: '0' });
    expect(await scene.page(id)).toMatchObject({ state: 'paid', lines: { paid: 555 }, strays: [] });
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'nothing-open' });
  }, 60_000);

  test('2,500 holders are three transactions, each chained on the coin object that paid before', async () => {
    const holders = newHolders(2_500);
    const id = await scene.publish({ holders });
    const sizes: number[] = [];
    for (let open = 2_500; open > 0;) {
      const paid = await scene.pay(id, newestOf(await scene.build(id)));
      sizes.push(newestOf(paid).lines);
      open = paid.open.lines;
    }
    expect(sizes).toEqual([1_000, 1_000, 500]);
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
    const firstCoins = await scene.database.rows<{ first: string }>(
      `select distinct objects->0->>'objectId' first from payout_transactions where payout = ${id}`,
    );
    expect(firstCoins).toHaveLength(1);
  }, 120_000);

  test('another coin than SUI is paid out of its own coin objects, and gas out of SUI', async () => {
    const holders = newHolders(30);
    const { id, built } = await handOut(holders, usdc);
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000', usdc)).toEqual([]);
    expect(await scene.page(id)).toMatchObject({ state: 'paid', paidRaw: '30000000' });
  });

  test('two tabs and two copies of the server at once get the same bytes', async () => {
    const holders = newHolders(3);
    const id = await scene.publish({ holders });
    const all = await Promise.all([scene.build(id), otherCopy.build(id), scene.build(id), otherCopy.build(id)]);
    expect(new Set(all.map((data) => newestOf(data).bytes)).size).toBe(1);
    expect(all.map(({ transactions }) => transactions.length)).toEqual([1, 1, 1, 1]);
    const sent = await Promise.all([
      scene.pay(id, newestOf(await scene.build(id))),
      otherCopy.pay(id, newestOf(await scene.build(id))),
    ]);
    expect(sent.map((data) => newestOf(data).state)).toEqual(['executed', 'executed']);
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('what was executed elsewhere is found by its digest, and never offered again', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    expect(await scene.look(id, built.digest)).toMatchObject({ found: 'not-found' });
    const bytes = bytesOf(built.bytes);
    await scene.sandbox.chain.execute(bytes, [await scene.sign(bytes)]);
    const looked = await scene.look(id, built.digest);
    expect(looked).toMatchObject({ found: 'executed', open: { lines: 0 } });
    expect(newestOf(looked)).toMatchObject({ state: 'executed', bytes: null });
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'nothing-open' });
    const foreign = scene.sandbox.world.state.transactions.find(
      ({ sender }) => sender !== scene.sandbox.facts.treasuryAddress,
    );
    expect((await scene.look(id, foreign?.digest ?? '')).found).toBe('not-of-the-treasury');
    expect((await scene.look(id, null)).found).toBeNull();
  });

  test('the same signed bytes sent twice are one payment', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    await scene.pay(id, built);
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });
});

describe('nothing is built anew while the older one may still be executed', () => {
  test('once one of its coin objects is spent, only what is still open is built', async () => {
    const holders = newHolders(10);
    const { id, built } = await handOut(holders);
    expect(newestOf(await scene.build(id)).digest).toBe(built.digest);
    await payByHand(await firstCoin(), holders[4] ?? '', 1_000_000n);
    const next = await scene.build(id);
    expect(next.transactions.map(({ state, lines }) => [state, lines])).toEqual([
      ['waiting', 9],
      ['spent', 10],
    ]);
    await scene.pay(id, newestOf(next));
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
    expect(await scene.page(id)).toMatchObject({ state: 'paid', lines: { paid: 10 } });
    const old = bytesOf(built.bytes);
    await expect(scene.sandbox.chain.execute(old, [await scene.sign(old)])).rejects.toThrow(
      /unavailable for consumption/,
    );
    expect(await refusalOf(scene.pay(id, built))).toMatchObject({ code: 'transaction-over' });
  });

  test('once its epoch is over, it is built anew, and the old one can be sent no more', async () => {
    const { id, built } = await handOut(newHolders(3));
    aheadMs += dayMs;
    expect(newestOf(await scene.build(id)).digest).toBe(built.digest);
    aheadMs += dayMs;
    const next = await scene.build(id);
    expect(next.transactions.map(({ state }) => state)).toEqual(['waiting', 'expired']);
    expect(await refusalOf(scene.pay(id, built))).toMatchObject({ code: 'transaction-over' });
    expect(newestOf(await scene.pay(id, newestOf(next))).state).toBe('executed');
  });

  test('a line that is paid meanwhile out of another coin: it must not be signed, and says so', async () => {
    const holders = newHolders(4);
    const { id, built } = await handOut(holders);
    // It comes after the transaction was built, so it is none of its coin objects.
    scene.sandbox.world.receive({ coinType: sui, amount: 900_000_000n });
    const coins = await coinsOf();
    const fresh = coins.find(({ balance }) => balance === '900000000');
    if (fresh === undefined) throw new Error('There is no coin');
    await payByHand(fresh, holders[1] ?? '', 1_000_000n);
    const looked = newestOf(await scene.look(id, null));
    expect(looked).toMatchObject({ state: 'waiting', bytes: null });
    expect(looked.problem).toContain(`Do not sign this transaction: ${holders[1]} was paid by another one`);
    expect(await refusalOf(scene.pay(id, built))).toMatchObject({ code: 'paid-meanwhile' });
    aheadMs += 2 * dayMs;
    await scene.pay(id, newestOf(await scene.build(id)));
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('a line that was paid otherwise or twice is not paid again', async () => {
    const holders = newHolders(4);
    const id = await scene.publish({ holders });
    const byHand = (to: string | undefined, amount: bigint) =>
      scene.sandbox.world.pay({ to: to ?? '', coinType: sui, amount });
    byHand(holders[0], 999_999n);
    byHand(holders[1], 1_000_000n);
    byHand(holders[1], 1_000_000n);
    const built = newestOf(await scene.build(id));
    expect(built.effects?.received.map(({ address }) => address)).toEqual(holders.slice(2));
    await scene.pay(id, built);
    expect(await scene.page(id)).toMatchObject({ state: 'paid', lines: { paid: 2, paidOtherwise: 1, paidTwice: 1 } });
    const problems = scene.copy.payouts.problems()?.filter(({ key }) => key.startsWith(`${id}-`));
    expect(problems?.map(({ what }) => what.replace(/transaction \S+/, 'transaction …'))).toEqual([
      `Payout ${id}, 'October': transaction … pays 1 line otherwise than planned.`,
      `Payout ${id}, 'October': transaction … pays 1 line a second time.`,
    ]);
  });

  test('another payout waits, and so does withdrawing', async () => {
    const { id, built } = await handOut(newHolders(2));
    const other = await scene.publish({ holders: newHolders(2) });
    expect(await refusalOf(scene.build(other))).toMatchObject({
      code: 'other-payout-waiting',
      message: expect.stringContaining(`payout ${id} was handed out and may still be executed`),
    });
    expect(await refusalOf(scene.withdraw(id))).toMatchObject({
      code: 'transaction-waiting',
      message: expect.stringContaining(`epoch ${built.expiresEpoch} is over`),
    });
    aheadMs += 2 * dayMs;
    await scene.withdraw(id);
    expect((await scene.page(id)).state).toBe('withdrawn');
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'withdrawn' });
    expect(newestOf(await scene.build(other)).state).toBe('waiting');
  });
});

describe('nothing is handed out that the node does not prove', () => {
  test.each(['recipient', 'amount', 'budget'] as const)(
    'a node that lies about the %s: nothing is stored',
    async (about) => {
      const id = await scene.publish({ holders: newHolders(5) });
      const before = await rows();
      await scene.sandbox.faults.set('sui', { kind: 'lie', about, operation: simulation });
      expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'simulation-differs' });
      expect(await rows()).toBe(before);
      await scene.sandbox.faults.clear();
      expect(newestOf(await scene.build(id)).state).toBe('waiting');
    },
  );

  test.each(['503', 'reset', 'wrong-types', 'empty'] as const)(
    'a simulation that comes as %s: nothing is stored',
    async (kind) => {
      const id = await scene.publish({ holders: newHolders(2) });
      const before = await rows();
      await scene.sandbox.faults.set('sui', { kind, operation: simulation });
      await expect(scene.build(id)).rejects.toMatchObject({ name: 'Unavailable' });
      expect(await rows()).toBe(before);
    },
  );

  test('more than there is in coin objects: both amounts, and what lies in the address balance', async () => {
    const id = await scene.publish({ holders: newHolders(2), coinType: usdc, raw: 4_000_000_000n });
    const { code, message } = await refusalOf(scene.build(id));
    expect(code).toBe('not-enough-coins');
    expect(message).toMatch(
      /^The treasury has [\d.]+ USDC in coin objects, and what is open needs 8000 USDC\. 2000 USDC lie in its address balance/,
    );
  });

  test('drafts and payouts that do not exist are not paid', async () => {
    scene.copy.giveRocksTo(newHolders(1));
    const body = { title: 'Draft', reason: 'None', coinType: sui, amount: { mode: 'total', raw: '5' }, leftOut: [] };
    const { data } = (await scene.call('POST', '/api/admin/payouts', { body })) as { data: { id: number } };
    expect(await refusalOf(scene.build(data.id))).toMatchObject({ code: 'not-published' });
    expect(await refusalOf(scene.list(data.id))).toMatchObject({ code: 'not-published' });
    expect(await refusalOf(scene.build(999_999))).toMatchObject({ code: 'not-found' });
  });
});

describe('what is sent was signed by the treasury, to the byte', () => {
  test.each(['accepted-503', 'accepted-reset', 'accepted-hang'] as const)(
    '%s: the answer is lost, the digest says what happened',
    async (kind) => {
      const holders = newHolders(2);
      const { id, built } = await handOut(holders);
      await scene.sandbox.faults.set('sui', { kind, operation: execution, times: 1 });
      expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
      expect(oddlyPaid(holders, '1000000')).toEqual([]);
    },
    30_000,
  );

  test('a node that is away: it waits on, and can be sent again', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    await scene.sandbox.faults.set('sui', { kind: '503', operation: execution, times: 1 });
    await expect(scene.pay(id, built)).rejects.toMatchObject({ name: 'Unavailable' });
    expect(newestOf(await scene.list(id))).toMatchObject({ state: 'waiting', bytes: built.bytes });
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('another signer, other bytes, another digest, two signatures and nonsense go nowhere', async () => {
    const { id, built } = await handOut(newHolders(2));
    const bytes = bytesOf(built.bytes);
    const changed = Uint8Array.from(bytes);
    changed[40] = (changed[40] ?? 0) ^ 1;
    const { sandbox } = scene;
    const own = await scene.sign(bytes);
    const asked = sandbox.requests.of('sui').byOperation[execution];
    const attempts: readonly (readonly [code: string, digest: string, signatures: readonly string[]])[] = [
      ['wrong-signature', built.digest, [await sandbox.wallets.signTransaction('Granite Gwen', bytes)]],
      ['wrong-signature', built.digest, [await scene.sign(changed)]],
      ['wrong-signature', built.digest, [await sandbox.wallets.sign('Treasury', bytes)]],
      ['one-signature', built.digest, [own, own]],
      ['not-a-signature', built.digest, ['AAAA']],
      ['not-a-signature', built.digest, ['no base64 at all!']],
      ['not-found', '4'.repeat(44), [own]],
    ];
    for (const [code, digest, signatures] of attempts) {
      expect(await refusalOf(scene.send(id, digest, signatures))).toMatchObject({ code });
    }
    expect(sandbox.requests.of('sui').byOperation[execution]).toBe(asked);
    expect(newestOf(await scene.list(id)).state).toBe('waiting');
  });

  test('a copy of it is compared before anybody signs it: an address or an amount that somebody changed is named', async () => {
    const holders = newHolders(3);
    const { id, built } = await handOut(holders);
    const copyOf = (change: (data: string) => string): string =>
      Buffer.from(change(Buffer.from(built.bytes ?? '', 'base64').toString('hex')), 'hex').toString('base64');
    const check = async (bytes: string) => ((await scene.check(id, bytes)) as { data: unknown }).data;
    expect(await check(`${built.bytes?.slice(0, 40)}\n${built.bytes?.slice(40)}`)).toEqual({
      isSame: true,
      differences: [],
    });
    const thief = 'e'.repeat(64);
    const readdressed = copyOf((hex) => hex.replace((holders[1] ?? '').slice(2), thief));
    expect(await check(readdressed)).toEqual({
      isSame: false,
      differences: [
        `It pays 0.001 SUI to 0x${thief}, who gets nothing by the plan.`,
        `It does not pay 0.001 SUI to ${holders[1]}.`,
      ],
    });
    const raised = copyOf((hex) => hex.replace('40420f0000000000', '41420f0000000000'));
    expect(JSON.stringify(await check(raised))).toMatch(/It pays 0x\S+ 0\.001000001 SUI instead of 0\.001 SUI/);
    expect(JSON.stringify(await check('AAAA'))).toContain('no bytes of a transaction');
    expect(JSON.stringify(await check(built.bytes?.slice(0, -8) ?? ''))).toContain('no bytes of a transaction');
    // Signed all the same: the chain pays the thief, and the owner is told.
    const stolen = bytesOf(readdressed);
    await scene.sandbox.chain.execute(stolen, [await scene.sign(stolen)]);
    await scene.look(id, null);
    expect(await scene.page(id)).toMatchObject({ lines: { paid: 2, paidOtherwise: 1, open: 0 } });
    const problems = scene.copy.payouts.problems()?.filter(({ key }) => key.startsWith(`${id}-`));
    expect(problems?.map(({ what }) => what)).toEqual([expect.stringContaining('pays 1 line otherwise than planned.')]);
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'nothing-open' });
  });

  test('everything that was built and sent is in the audit log', async () => {
    const { id, built } = await handOut(newHolders(2));
    await scene.pay(id, built);
    const entries = await scene.database.rows<{ action: string; after: { digest?: string } }>(
      "select action, after from audit_entries where subject_kind = 'payout' and subject_id = $1 order by id",
      [String(id)],
    );
    expect(entries.slice(-2).map(({ action, after }) => [action, after.digest])).toEqual([
      ['payout-transaction-built', built.digest],
      ['payout-transaction-sent', built.digest],
    ]);
  });
});
