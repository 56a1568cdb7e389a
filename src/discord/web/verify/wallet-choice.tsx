import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { type SuiWallet, useSuiWallets } from './sui-wallets.ts';

/** The wallets of this browser, or what to do without one. */
export function WalletChoice({ onChoose }: { readonly onChoose: (wallet: SuiWallet) => void }) {
  const wallets = useSuiWallets();
  if (wallets.length === 0) return <NoWallet />;
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

function NoWallet() {
  return (
    <div className="space-y-4">
      <h2 className="title-3">No Sui wallet in this browser</h2>
      <ul className="list-disc space-y-2 pl-5">
        <li>On a computer: install your wallet&rsquo;s browser extension, unlock it, and it appears here by itself.</li>
        <li>On a phone: copy this link and open it in the browser inside your wallet&rsquo;s app.</li>
      </ul>
      <CopyLink />
      <p className="text-quiet">
        The link is yours alone: anybody who opens it can link a wallet to your Discord account.
      </p>
    </div>
  );
}

function CopyLink() {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      setSaid('Copied. Paste it in your wallet’s browser.');
    } catch {
      setSaid('This browser does not let us copy. Copy the link from the address bar.');
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button onClick={() => void copy()}>Copy link</Button>
      <p role="status">{said}</p>
    </div>
  );
}
