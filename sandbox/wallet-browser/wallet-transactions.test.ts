import { verifyTransactionSignature } from '@mysten/sui/verify';
import { Transaction } from '@mysten/sui/transactions';
import { fromBase64 } from '@mysten/sui/utils';
import { parseTransactionEffectsBcs } from '@mysten/sui/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { gasCostOf } from '../world/execution.ts';
import { coinTypeOfSymbol } from '../seed/coins.ts';
import { numberedAddresses, payEach, senderOf } from '../transactions/sending-transactions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const { treasury, build, coinsOf, balanceOf } = senderOf(() => sandbox);
const usdc = coinTypeOfSymbol('USDC');
const friend = `0x${'f'.repeat(64)}`;

async function order<T>(name: string, body: object): Promise<T> {
  const answer = await fetch(`${sandbox.urls.walletBrowser}/.sandbox-wallet/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data, message } = (await answer.json()) as { data: T; message?: string };
  if (!answer.ok) throw new Error(message);
  return data;
}

type Read = { bytes: string; sentences: string[]; payments: string[] };
const read = (transaction: string) => order<Read>('read-transaction', { address: treasury(), transaction });

/** A transaction as an application passes it to a wallet, with the gas left open. */
async function handed(fill: (tx: Transaction) => void): Promise<string> {
  const tx = new Transaction();
  fill(tx);
  return tx.toJSON();
}

const pay = (tx: Transaction) => void tx.transferObjects([tx.splitCoins(tx.gas, [1_500_000_000])[0]], friend);

test('the wallet completes a transaction, describes it in words, signs it and sends it', async () => {
  const { bytes, sentences, payments } = await read(await handed(pay));
  expect(sentences[0]).toBe(`From Treasury (${treasury()}).`);
  expect(sentences[1]).toBe(`Pays 1.5 SUI to ${friend}.`);
  expect(sentences[2]).toMatch(/^Gas: gives back about 0\.\d+ SUI, at most 0\.\d+ SUI\.$/);
  expect(payments).toEqual([`${friend}: 1.5 SUI`]);
  const signed = await order<{ bytes: string; signature: string }>('sign-transaction', { address: treasury(), bytes });
  expect(signed.bytes).toBe(bytes);
  await verifyTransactionSignature(fromBase64(bytes), signed.signature, { address: treasury() });
  const before = await balanceOf();
  const { digest, effects } = await order<{ digest: string; effects: string }>('execute', signed);
  expect(digest).toBe(await Transaction.from(bytes).getDigest());
  expect(parseTransactionEffectsBcs(fromBase64(effects))).toMatchObject({
    transactionDigest: digest,
    status: { success: true },
  });
  const { used } = sandbox.world.state.transactions.at(-1)!.gas;
  expect(await balanceOf()).toBe(before - 1_500_000_000n - gasCostOf(used));
});

test('a payout is described in one sentence, with a list of all recipients', async () => {
  const [coin] = await coinsOf(usdc);
  const recipients = numberedAddresses(555);
  const whole = await build(payEach((tx) => tx.object(coin!.objectId), recipients, 2_500_000n));
  const json = await Transaction.from(whole).toJSON();
  const { bytes, sentences, payments } = await read(json);
  // Already complete: the wallet signs exactly the bytes that the application built.
  expect(fromBase64(bytes)).toEqual(whole);
  expect(sentences).toContain('Pays 2.5 USDC each to 555 addresses, 1,387.5 USDC in all.');
  expect(payments).toEqual(recipients.map((address) => `${address}: 2.5 USDC`));
});

test('the description starts with any problem, and is true even when the node falsifies replies', async () => {
  const [coin] = await coinsOf(usdc);
  const tooMuch = new Transaction();
  tooMuch.setSender(treasury());
  tooMuch.setGasPayment((await coinsOf()).slice(0, 1));
  tooMuch.setGasBudget(10_000_000);
  tooMuch.setGasPrice(1000);
  tooMuch.transferObjects([tooMuch.splitCoins(tooMuch.objectRef(coin!), [10n ** 18n])[0]], friend);
  expect((await read(await tooMuch.toJSON())).sentences[0]).toBe(
    'It would fail and still cost gas: InsufficientCoinBalance in command 0',
  );
  const whole = await Transaction.from(await build(pay)).toJSON();
  await sandbox.faults.set('sui', { kind: 'lie' });
  expect((await read(whole)).sentences[1]).toBe(`Pays 1.5 SUI to ${friend}.`);
  await sandbox.faults.clear();
  await expect(read('no transaction')).rejects.toThrow();
});

async function control<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(`${sandbox.urls.console}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data, message } = (await answer.json()) as { data: T; message?: string };
  if (!answer.ok) throw new Error(message);
  return data;
}

test('control: a transaction is described, signed and executed by commands', async () => {
  const bytes = Buffer.from(await build(pay)).toString('base64');
  const told = await control<{ payments: unknown[] }>('chain/describe', { bytes });
  expect(told.payments).toEqual([
    { address: friend, coinType: expect.stringContaining('::sui::SUI'), amount: '1500000000' },
  ]);
  const { signature } = await control<{ signature: string }>('wallets/sign-transaction', { person: 'Treasury', bytes });
  const { digest } = await control<{ digest: string }>('chain/execute', { bytes, signatures: [signature] });
  expect(sandbox.world.state.transactions.at(-1)!.digest).toBe(digest);
  await expect(control('chain/describe', { bytes: 'AAAA' })).rejects.toThrow('invalid transaction');
  await expect(control('chain/execute', { bytes, signatures: ['AAAA'] })).rejects.toThrow('Signature is not valid');
});

test('console: a transaction is pasted, described, signed by both members of a multisig and executed', async () => {
  const shared = await startSandbox({ treasury: 'multisig' });
  const sender = senderOf(() => shared);
  const page = async () => (await fetch(`${shared.urls.console}/wallets`)).text();
  const bytes = Buffer.from(await sender.build(pay)).toString('base64');
  const { pendingTransaction } = shared;
  expect(await page()).toContain('Nothing has been pasted.');
  pendingTransaction.paste(`${bytes.slice(0, 20)}\n ${bytes.slice(20)}`);
  expect(await page()).toContain(`Pays 1.5 SUI to ${friend}.`);
  await expect(pendingTransaction.execute()).rejects.toThrow('No signature so far');
  await pendingTransaction.sign('Ochre Otto');
  await expect(pendingTransaction.execute()).rejects.toThrow('Signature is not valid');
  await pendingTransaction.sign('Flint Fay');
  expect(await page()).toContain('Signature of the sender');
  const { digest } = await pendingTransaction.execute();
  expect(await page()).toContain(digest);
  expect(() => pendingTransaction.paste('nonsense')).toThrow('invalid transaction');
  await shared.stop();
});
