import type { WalletAccount } from '@mysten/wallet-standard';
import { useEffect, useRef } from 'react';
import { shortAddress } from '../../../shared/sui-address.ts';
import {
  connectWallet,
  notOnNetwork,
  signMessage,
  type SuiWallet,
  useWalletSteps,
} from '../../../ui/wallets/sui-wallets.tsx';
import { linkProblemOf, requestMessage, sendSignature, useLinkFate } from './verify-calls.ts';

export type Linking = ReturnType<typeof useLinking>;

/** Rulings R5: connect a wallet, request the message, have it signed, submit the signature. */
export function useLinking(token: string, network: string | null) {
  const { step, problem, go, startOver } = useWalletSteps<Step>({ kind: 'choose-wallet' });
  const { fate, keepFate } = useLinkFate(token);
  /** Either the link is over, or another wallet may be tried. */
  const endOrStartOver = (error: unknown): void => {
    const { sentence, end } = linkProblemOf(error);
    if (end === null) startOver(sentence);
    else keepFate({ kind: 'over', end, sentence });
  };

  const chooseWallet = async (wallet: SuiWallet): Promise<void> => {
    const isCurrent = go({ kind: 'connecting', wallet });
    const answer = await connectWallet(wallet);
    if (!isCurrent()) return;
    if (!answer.ok) return startOver(answer.problem);
    const [only, ...others] = answer.value;
    if (only !== undefined && others.length === 0) await chooseAccount({ wallet, account: only });
    else go({ kind: 'choose-account', wallet, accounts: answer.value });
  };
  const chooseAccount = async ({ wallet, account }: Chosen): Promise<void> => {
    const networkProblem = notOnNetwork(wallet, account, network);
    if (networkProblem !== null) return startOver(networkProblem);
    const isCurrent = go({ kind: 'preparing', wallet, account });
    try {
      const message = await requestMessage(token, account.address);
      if (isCurrent()) go({ kind: 'ready', wallet, account, message });
    } catch (error) {
      if (isCurrent()) endOrStartOver(error);
    }
  };
  const sign = async (): Promise<void> => {
    if (step.kind !== 'ready') return;
    const isCurrent = go({ ...step, kind: 'signing' });
    const signed = await signMessage(step.wallet, step.account, step.message);
    if (!isCurrent()) return;
    if (!signed.ok) return void go(step, signed.problem);
    go({ ...step, kind: 'checking' });
    try {
      keepFate({ kind: 'done', outcome: await sendSignature(token, step.account.address, signed.value) });
    } catch (error) {
      // Each message is checked once: a retry needs another message. If the answer was lost and the link is used up, it says so then.
      endOrStartOver(error);
    }
  };

  useGoneAccount(step, ({ wallet, account: { address } }) =>
    startOver(`${wallet.name} no longer shows the account ${shortAddress(address)}. Choose the wallet again.`),
  );
  // `startOver`: back to the wallets; later answers of a wallet are ignored.
  return { fate, step, problem, chooseWallet, chooseAccount, sign, startOver: () => startOver() };
}

/** An account that its wallet withdraws before signing can no longer sign. */
function useGoneAccount(step: Step, onGone: (chosen: Chosen) => void): void {
  const latest = useRef(onGone);
  useEffect(() => {
    latest.current = onGone;
  });
  const isChosen = step.kind === 'ready' || step.kind === 'preparing';
  const wallet: SuiWallet | null = isChosen ? step.wallet : null;
  const account: WalletAccount | null = isChosen ? step.account : null;
  useEffect(() => {
    if (wallet === null || account === null) return undefined;
    return wallet.features['standard:events']?.on('change', ({ accounts }) => {
      const isThere = accounts === undefined || accounts.some(({ address }) => address === account.address);
      if (!isThere) latest.current({ wallet, account });
    });
  }, [wallet, account]);
}

interface Chosen {
  readonly wallet: SuiWallet;
  readonly account: WalletAccount;
}

/** The member's current step; each one leads to another. */
export type Step =
  | { readonly kind: 'choose-wallet' }
  | { readonly kind: 'connecting'; readonly wallet: SuiWallet }
  | { readonly kind: 'choose-account'; readonly wallet: SuiWallet; readonly accounts: readonly WalletAccount[] }
  | (Chosen & { readonly kind: 'preparing' })
  | (Chosen & { readonly kind: 'ready' | 'signing' | 'checking'; readonly message: string });
