import { Transaction } from '@mysten/sui/transactions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { suiCoinType } from '../world/sui-names.ts';
import { walletPeople } from '../wallets/people.ts';
import { senderOf } from './sending-transactions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const friend = `0x${'f'.repeat(64)}`;
const { treasury, coinsOf, send, sign, client, whole } = senderOf(() => sandbox);
const pay = (tx: Transaction) => {
  tx.transferObjects([tx.splitCoins(tx.gas, [1000])[0]], friend);
};

describe('signatures are really verified', () => {
  const refused = async (signatures: string[], words: string, bytes?: Uint8Array) => {
    const sent = send(bytes ?? (await whole(pay)), signatures);
    await expect(sent).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(words) });
    expect(sandbox.world.state.transactions.at(-1)!.signed).toBeNull();
  };

  test("another person's signature does not replace the sender's", async () => {
    await refused(
      [await sign(await whole(pay), 'Granite Gwen')],
      `Invalid user signature: Required Signature from ${treasury()} is absent`,
    );
  });

  test('a signature of other bytes or of a personal message is not valid', async () => {
    const bytes = await whole(pay);
    await refused([await sign(await whole(pay, { budgetMist: 40_000_000 }))], 'Signature is not valid', bytes);
    await refused([await sandbox.wallets.sign('Treasury', bytes)], 'Signature is not valid', bytes);
  });

  test('no signature, too many and nonsense are refused', async () => {
    const signature = await sign(await whole(pay));
    await refused([], 'Expect 1 signer signatures but got 0');
    await refused([signature, signature], 'Expect 1 signer signatures but got 2');
    await refused([Buffer.from('nonsense').toString('base64')], 'Signature is not valid');
  });

  test('bytes that are not a transaction are refused', async () => {
    await refused([await sign(await whole(pay))], 'invalid transaction', new Uint8Array([1, 2, 3]));
    const bytes = await whole(pay);
    await refused([await sign(bytes)], 'invalid transaction', new Uint8Array([...bytes, 0]));
  });

  const schemes = walletPeople().filter(({ name }) => name !== 'Treasury');
  test.each(schemes.map(({ name, scheme, address }) => [scheme, name, address] as const))(
    '%s: %s can send their own coins',
    async (_scheme, name, address) => {
      sandbox.world.setBalance({ owner: address, coinType: suiCoinType, coinBalance: 1_000_000_000n });
      const payment = () => {
        const tx = new Transaction();
        tx.setSender(address);
        tx.transferObjects([tx.splitCoins(tx.gas, [5])[0]], friend);
        return tx.build({ client: client() });
      };
      const bytes = await payment();
      const done = await send(bytes, [await sign(bytes, name)]);
      expect(done.status.success).toBe(true);
      await expect(send(await payment(), [await sign(bytes, name)])).rejects.toThrow('Invalid user signature');
    },
  );

  test('a sponsor who pays the gas must also sign', async () => {
    const { address } = sandbox.wallets.person('Basalt Ben');
    sandbox.world.setBalance({ owner: address, coinType: suiCoinType, coinBalance: 1_000_000_000n });
    const [, coin] = await coinsOf();
    const tx = new Transaction();
    tx.setSender(treasury());
    tx.setGasOwner(address);
    tx.transferObjects([tx.object(coin!.objectId)], friend);
    const bytes = await tx.build({ client: client() });
    await expect(send(bytes)).rejects.toThrow('Expect 2 signer signatures but got 1');
    const done = await send(bytes, [await sign(bytes), await sign(bytes, 'Basalt Ben')]);
    expect(done.balanceChanges.find((change) => change.address === treasury())?.amount).toBe(`-${coin!.balance}`);
  });
});
