import type { ChainControl } from '../transactions/chain-control.ts';
import { isSignerOf } from '../transactions/user-signatures.ts';
import type { ChainTransaction } from '../world/state.ts';
import { Impossible } from '../world/state.ts';
import type { WalletControl } from './wallets.ts';

type Pending = {
  /** Base64, as wallets and the product show them. */
  bytes: string;
  sender: string;
  /** The signatures so far, by person. */
  signatures: { name: string; signature: string }[];
  /** Null: not executed here yet. */
  digest: string | null;
};

/** One pasted transaction and its signatures so far, for several people to sign in turn. */
export type PendingTransaction = {
  /** Null: nothing was pasted. */
  current: () => Pending | null;
  /** Replaces any earlier transaction. Throws Impossible for text that is not a transaction. */
  paste: (bytes: string) => void;
  sign: (person: string) => Promise<string>;
  /** The sender's signature, combined from its members' for a multisig; null: the signatures so far do not make one. */
  combined: () => string | null;
  execute: () => Promise<ChainTransaction>;
};

export function createPendingTransaction(wallets: WalletControl, chain: ChainControl): PendingTransaction {
  let pending: Pending | null = null;
  const requirePending = (): Pending => {
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
      const { bytes } = requirePending();
      const signature = await wallets.signTransaction(name, bytesOf(bytes));
      const now = requirePending();
      now.signatures = [...now.signatures.filter((each) => each.name !== name), { name, signature }];
      return signature;
    },
    combined,
    execute: async () => {
      const executing = requirePending();
      const signature = combined();
      if (signature === null) throw new Impossible('No signature so far can send this transaction');
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
    // A signer is not a member, or the sender is not a multisig: there is no signature of the sender.
    if (error instanceof Impossible) return null;
    throw error;
  }
}
