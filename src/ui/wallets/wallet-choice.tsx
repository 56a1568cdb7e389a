import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { type SigningFeature, type SuiWallet, useSuiWallets } from './sui-wallets.ts';

interface WalletChoiceProps {
  readonly feature: SigningFeature;
  readonly onChoose: (wallet: SuiWallet) => void;
  /** Where this browser has no such wallet. */
  readonly none: ReactNode;
}

/** The wallets of this browser that can do what the page needs. */
export function WalletChoice({ feature, onChoose, none }: WalletChoiceProps) {
  const wallets = useSuiWallets(feature);
  if (wallets.length === 0) return none;
  return (
    <div className="space-y-4">
      <h2 className="title-3">Choose your wallet</h2>
      <ul className="space-y-3">
        {wallets.map((wallet, index) => (
          // Two wallets may have the same name.
          <li key={`${wallet.name} ${index}`}>
            <Button className="verify-choice" onClick={() => onChoose(wallet)}>
              {wallet.icon.startsWith('data:image/') && <img src={wallet.icon} alt="" width="28" height="28" />}
              <span className="min-w-0 wrap-anywhere">{wallet.name.slice(0, 60)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
