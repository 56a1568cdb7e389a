import { SuiGrpcClient } from '@mysten/sui/grpc';
import type { TransactionObjectArgument } from '@mysten/sui/transactions';
import { Transaction } from '@mysten/sui/transactions';
import type { Sandbox } from '../start-sandbox.ts';
import { suiCoinType } from '../world/sui-names.ts';

type GasTerms = { priceMist?: number; budgetMist?: number; expirationEpoch?: number };

/** For tests: sends transactions of the treasury with the SDK, over the wire. */
export function senderOf(sandbox: () => Sandbox) {
  const client = () => new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox().urls.sui });
  const treasury = () => sandbox().facts.treasuryAddress;
  const coinsOf = async (coinType = suiCoinType) => (await client().listCoins({ owner: treasury(), coinType })).objects;
  const draft = (fill: (tx: Transaction) => void): Transaction => {
    const tx = new Transaction();
    tx.setSender(treasury());
    fill(tx);
    return tx;
  };
  /** Builds a complete transaction, gas included, so that the node fills in nothing. */
  const whole = async (fill: (tx: Transaction) => void, gas: GasTerms = {}): Promise<Uint8Array> => {
    const tx = new Transaction();
    const { priceMist = 1000, budgetMist = 50_000_000, expirationEpoch } = gas;
    tx.setSender(treasury());
    tx.setGasPrice(priceMist);
    tx.setGasBudget(budgetMist);
    tx.setGasPayment((await coinsOf()).slice(0, 1));
    if (expirationEpoch !== undefined) tx.setExpiration({ Epoch: expirationEpoch });
    fill(tx);
    return tx.build({ maxSizeBytes: 1_000_000 } as object);
  };
  const sign = (bytes: Uint8Array, person = 'Treasury') => sandbox().wallets.signTransaction(person, bytes);
  return {
    client,
    treasury,
    coinsOf,
    sign,
    whole,
    build: (fill: (tx: Transaction) => void) => draft(fill).build({ client: client() }),
    balanceOf: async (coinType = suiCoinType) => {
      const { balance } = await client().getBalance({ owner: treasury(), coinType });
      return BigInt(balance.balance);
    },
    send: async (bytes: Uint8Array, signatures?: string[]) => {
      const result = await client().executeTransaction({
        transaction: bytes,
        signatures: signatures ?? [await sign(bytes)],
        include: { effects: true, balanceChanges: true, transaction: true, bcs: true },
      });
      return result.$kind === 'Transaction' ? result.Transaction : result.FailedTransaction;
    },
    /** Why execution and simulation refuse a transaction, in this order. */
    refusalsOf: async (bytes: Uint8Array): Promise<string[]> => {
      const signatures = [await sign(bytes)];
      const calls = [
        client().executeTransaction({ transaction: bytes, signatures }),
        client().simulateTransaction({ transaction: bytes }),
      ];
      const answers = await Promise.allSettled(calls);
      return answers.map((answer) => (answer.status === 'rejected' ? String(answer.reason) : 'taken'));
    },
    simulate: async (transaction: Uint8Array | Transaction) => {
      const result = await client().simulateTransaction({
        transaction,
        include: { effects: true, balanceChanges: true },
      });
      return result.$kind === 'Transaction' ? result.Transaction : result.FailedTransaction;
    },
  };
}

export const numberedAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${(index + 1000).toString(16).padStart(64, '0')}`);

/** Pays each recipient the same amount from one coin, as one coin object each; a command splits at most 500 coins. */
export function payEach(source: (tx: Transaction) => TransactionObjectArgument, recipients: string[], amount: bigint) {
  return (tx: Transaction): void => {
    const paying = source(tx);
    for (let from = 0; from < recipients.length; from += 500) {
      const part = recipients.slice(from, from + 500);
      const coins = tx.splitCoins(
        paying,
        part.map(() => tx.pure.u64(amount)),
      );
      part.forEach((address, index) => {
        const coin = coins[index];
        if (coin) tx.transferObjects([coin], address);
      });
    }
  };
}
