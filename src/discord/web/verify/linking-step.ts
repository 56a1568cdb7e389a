import type { WalletAccount } from '@mysten/wallet-standard';
import { useRef, useState } from 'react';
import type { SuiWallet } from './sui-wallets.ts';
import { type LinkEnd, type Outcome, troubleOf } from './verify-calls.ts';

export interface Chosen {
  readonly wallet: SuiWallet;
  readonly account: WalletAccount;
}

/** Where a member is on the way; from each there is a next step. */
export type Step =
  | { readonly kind: 'choose-wallet' }
  | { readonly kind: 'connecting'; readonly wallet: SuiWallet }
  | { readonly kind: 'choose-account'; readonly wallet: SuiWallet; readonly accounts: readonly WalletAccount[] }
  | (Chosen & { readonly kind: 'preparing' })
  | (Chosen & { readonly kind: 'ready' | 'signing' | 'checking'; readonly message: string })
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'over'; readonly end: LinkEnd; readonly sentence: string };

/** Answers whether the member is still there, where this step led them. */
type IsCurrent = () => boolean;

export function useStep() {
  const [{ step, trouble }, setState] = useState<{ readonly step: Step; readonly trouble: string | null }>({
    step: { kind: 'choose-wallet' },
    trouble: null,
  });
  // A wallet may answer minutes later, when the member has long gone another way.
  const run = useRef(0);
  const go = (next: Step, sentence: string | null = null): IsCurrent => {
    setState({ step: next, trouble: sentence });
    const own = ++run.current;
    return () => own === run.current;
  };
  return {
    step,
    trouble,
    go,
    startOver: (sentence: string | null = null): void => void go({ kind: 'choose-wallet' }, sentence),
    /** A call failed: either the link is done, or another wallet may be tried. */
    failed: (error: unknown): void => {
      const { sentence, over: end } = troubleOf(error);
      if (end === null) go({ kind: 'choose-wallet' }, sentence);
      else go({ kind: 'over', end, sentence });
    },
  };
}
