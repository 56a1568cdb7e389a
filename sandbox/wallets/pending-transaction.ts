import type { ChainControl } from '../transactions/chain-control.ts';
import { isSignerOf } from '../transactions/user-signatures.ts';
import type { ChainTransaction } from '../world/state.ts';
import { Impossible } from '../world/state.ts';
import type { WalletControl } from './wallets.ts';

type Pending = {
  /** Base64, as wallets and the product show them. */
  bytes: string;
  sender: string;
  /** Who has signed, by name. */
  signatures: { name: string; signature: string }[];
  /** Null: not yet executed, as far as is known here. */
  digest: string | null;
};

/** One transaction that somebody pasted, and the signatures that it has got so far: what several people do one after the other. */
export type PendingTransaction = {
  /** Null: nobody has pasted anything. */
  current: () => Pending | null;
  /** Throws Impossible for what is no transaction; what was there before is forgotten. */
  paste: (bytes: string) => void;
  sign: (person: string) => Promise<string>;
  /** The sender's signature, combined from those of its members when it is a multisig; null: there are none that could be. */
  combined: () => string | null;
  execute: () => Promise<ChainTransaction>;
};

export function createPendingTransaction(wallets: WalletControl, chain: ChainControl): PendingTransaction {
  let pending: Pending | null = null;
  const there = (): Pending => {
    if (!pending) throw new Impossible('Paste a transaction first');
    return pending;
  };
  const combined = (): string | null => {
    if (!pending || pending.signatures.length === 0) return null;
    return senderSignature(wallets, pending);
  };
  return {
    current: () => pending,
    paste: (pasted) => {
      const bytes = pasted.replaceAll(/\s/g, '');
      const { sender } = chain.describe(bytesOf(bytes));
      pending = { bytes, sender, signatures: [], digest: null };
    },
    sign: async (wanted) => {
      const { name } = wallets.person(wanted);
      const { bytes } = there();
      const signature = await wallets.signTransaction(name, bytesOf(bytes));
      const now = there();
      now.signatures = [...now.signatures.filter((each) => each.name !== name), { name, signature }];
      return signature;
    },
    combined,
    execute: async () => {
      const executing = there();
      const signature = combined();
      if (signature === null) throw new Impossible('Nobody has signed who could send this transaction');
      const transaction = await chain.execute(bytesOf(executing.bytes), [signature]);
      executing.digest = transaction.digest;
      return transaction;
    },
  };
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

function senderSignature(wallets: WalletControl, { sender, signatures }: Pending): string | null {
  const own = signatures.find(({ signature }) => isSignerOf(signature, sender));
  if (own) return own.signature;
  try {
    return wallets.combine(
      signatures.map(({ signature }) => signature),
      sender,
    );
  } catch (error) {
    // Not all of them are members, or the sender is no multisig: nobody's signature stands for the sender.
    if (error instanceof Impossible) return null;
    throw error;
  }
}
