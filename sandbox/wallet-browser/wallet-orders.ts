import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction } from '@mysten/sui/transactions';
import { fromBase64, toBase64 } from '@mysten/sui/utils';
import { z } from 'zod';
import type { ChainControl } from '../transactions/chain-control.ts';
import type { WalletControl } from '../wallets/wallets.ts';

/** `nodeUrl`: the node that completes and executes transactions; a function because it is only known once all ports are. */
export type BehindWallet = { wallets: WalletControl; chain: ChainControl; nodeUrl: () => string; network: string };

type Order = (behind: BehindWallet, body: unknown) => Promise<unknown>;

const address = z.string().max(80);
const bytes = z.base64().max(200_000);
const signOrder = z.strictObject({ address, message: z.base64().max(100_000) });
/** `transaction`: the result of `transaction.toJSON()` of the Wallet Standard. */
const readOrder = z.strictObject({ address, transaction: z.string().max(2_000_000) });
const signTransactionOrder = z.strictObject({ address, bytes });
const executeOrder = z.strictObject({ bytes, signature: z.base64().max(20_000) });

/** The wallet's operations for its page, by name. */
export const walletOrders: Readonly<Record<string, Order>> = {
  sign: async ({ wallets }, body) => {
    const { address: of, message } = signOrder.parse(body);
    return { bytes: message, signature: await wallets.sign(of, fromBase64(message)) };
  },
  /** The complete transaction and what it does in plain words, for the person to decide. */
  'read-transaction': async (behind, body) => {
    const { address: of, transaction } = readOrder.parse(body);
    const whole = await bytesOf(behind, of, transaction);
    return { bytes: toBase64(whole), ...behind.chain.tell(whole, namesOf(behind.wallets)) };
  },
  'sign-transaction': async ({ wallets }, body) => {
    const wanted = signTransactionOrder.parse(body);
    return { bytes: wanted.bytes, signature: await wallets.signTransaction(wanted.address, fromBase64(wanted.bytes)) };
  },
  execute: async (behind, body) => {
    const { bytes: signed, signature } = executeOrder.parse(body);
    const { response } = await clientOf(behind).transactionExecutionService.executeTransaction({
      transaction: { bcs: { value: fromBase64(signed) } },
      signatures: [{ bcs: { value: fromBase64(signature) }, signature: { oneofKind: undefined } }],
      readMask: { paths: ['digest', 'effects.bcs'] },
    });
    const { digest = '', effects } = response.transaction ?? {};
    return { digest, effects: toBase64(effects?.bcs?.value ?? new Uint8Array()) };
  },
};

function clientOf({ nodeUrl, network }: BehindWallet): SuiGrpcClient {
  return new SuiGrpcClient({ network, baseUrl: nodeUrl() });
}

/** The node fills in what is left open. The sender is the account unless the application named another one. */
async function bytesOf(behind: BehindWallet, sender: string, json: string): Promise<Uint8Array> {
  const transaction = Transaction.from(json);
  transaction.setSenderIfNotSet(sender);
  return transaction.build({ client: clientOf(behind) });
}

function namesOf(wallets: WalletControl): (of: string) => string | null {
  const names = new Map(wallets.people().map(({ address: of, name }) => [of, name]));
  return (of) => names.get(of) ?? null;
}
