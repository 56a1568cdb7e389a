import { Transaction } from '@mysten/sui/transactions';
import type { WalletAccount } from '@mysten/wallet-standard';
import { useRef, useState } from 'react';
import { canonicalWallet, shortAddress } from '../../../shared/sui-address.ts';
import { connectWallet, isOnNetwork, signTransaction, type SuiWallet } from '../../../ui/wallets/sui-wallets.ts';

export type SigningStep =
  | { readonly kind: 'choose-wallet' }
  | { readonly kind: 'connecting'; readonly wallet: SuiWallet }
  | { readonly kind: 'ready' | 'signing'; readonly wallet: SuiWallet; readonly account: WalletAccount };

interface ToSign {
  readonly bytes: string;
  readonly network: string;
  /** Whose account must sign. */
  readonly treasury: string;
  readonly onSigned: (signature: string) => void;
}

/** Connects a wallet that has the treasury's account, and has exactly these bytes signed. */
export function useSigning({ bytes, network, treasury, onSigned }: ToSign) {
  const [{ step, trouble }, setState] = useState<{ readonly step: SigningStep; readonly trouble: string | null }>({
    step: { kind: 'choose-wallet' },
    trouble: null,
  });
  // A wallet may answer minutes later, when somebody has moved on.
  const run = useRef(0);
  const go = (next: SigningStep, sentence: string | null = null): (() => boolean) => {
    setState({ step: next, trouble: sentence });
    const own = ++run.current;
    return () => own === run.current;
  };
  const startOver = (sentence: string | null = null): void => void go({ kind: 'choose-wallet' }, sentence);

  const chooseWallet = async (wallet: SuiWallet): Promise<void> => {
    const isCurrent = go({ kind: 'connecting', wallet });
    const answer = await connectWallet(wallet);
    if (!isCurrent()) return;
    if (!answer.ok) return startOver(answer.problem);
    const account = answer.value.find(({ address }) => canonicalWallet(address) === treasury);
    if (account === undefined) return startOver(notTheTreasury(wallet, answer.value, treasury));
    if (!isOnNetwork(account, network)) {
      return startOver(
        `This account is not on Sui ${network}. Switch ${wallet.name} to ${network}, then choose it again.`,
      );
    }
    go({ kind: 'ready', wallet, account });
  };
  const sign = async (): Promise<void> => {
    if (step.kind !== 'ready') return;
    const isCurrent = go({ ...step, kind: 'signing' });
    const json = await jsonOf(bytes);
    if (json === null)
      return void go(step, 'This page cannot read the transaction, so it was not handed to the wallet.');
    const signed = await signTransaction(step.wallet, { account: step.account, network, bytes, json });
    if (!isCurrent()) return;
    if (!signed.ok) return void go(step, `${signed.problem} Nothing was sent.`);
    go(step);
    onSigned(signed.value);
  };
  return { step, trouble, chooseWallet, sign, startOver: () => startOver() };
}

function notTheTreasury({ name }: SuiWallet, accounts: readonly WalletAccount[], treasury: string): string {
  const shown = accounts.map(({ address }) => shortAddress(address)).join(', ');
  return `${name} shows ${shown}, which is not the treasury. Only ${shortAddress(treasury)} can sign this: choose that account in the wallet, or sign elsewhere.`;
}

/** As wallets take it. null: these bytes are no transaction. */
async function jsonOf(bytes: string): Promise<string | null> {
  try {
    return await Transaction.from(bytes).toJSON();
  } catch {
    return null;
  }
}
