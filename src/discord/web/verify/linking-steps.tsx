import type { ReactNode } from 'react';
import { shortAddress } from '../../../shared/sui-address.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/placeholders.tsx';
import { useInBrowser } from '../../../ui/server-written.tsx';
import { useCopy } from '../../../ui/toast/toast-provider.tsx';
import { isOnNetwork, type SuiWallet, Waiting, WalletChoice } from '../../../ui/wallets/sui-wallets.tsx';
import type { Linking, Step } from './use-linking.ts';

interface StepsProps {
  readonly linking: Linking;
  readonly network: string | null;
}

export const LinkingSteps = ({ linking, network }: StepsProps) => (
  <div className="space-y-5" aria-live="polite" tabIndex={-1}>
    <Problem className="verify-trouble">{linking.problem}</Problem>
    <CurrentStep linking={linking} network={network} />
  </div>
);

function CurrentStep({ linking, network }: StepsProps) {
  const { step, startOver } = linking;
  switch (step.kind) {
    case 'choose-wallet':
      return (
        <WalletChoice
          feature="sui:signPersonalMessage"
          onChoose={(wallet) => void linking.chooseWallet(wallet)}
          none={<NoWallet />}
        />
      );
    case 'connecting':
      return (
        <WaitingStep onCancel={startOver} text={`Waiting for ${step.wallet.name} to connect.`}>
          Look for its window, and let this site see your account.
        </WaitingStep>
      );
    case 'choose-account':
      return <AccountChoice {...step} linking={linking} network={network} />;
    case 'preparing':
      return (
        <WaitingStep onCancel={startOver} text="Preparing the message.">
          For {shortAddress(step.account.address)}.
        </WaitingStep>
      );
    case 'ready':
      return <ReadyToSign wallet={step.wallet} message={step.message} linking={linking} />;
    case 'signing':
      return (
        <WaitingStep onCancel={startOver} text={`Waiting for your signature in ${step.wallet.name}.`}>
          Look for its window, read the message there, and sign it.
        </WaitingStep>
      );
    default:
      step.kind satisfies 'checking';
      return <WaitingStep text="Checking the signature and what your wallet holds." />;
  }
}

const OtherWallet = ({ onClick }: { readonly onClick: () => void }) => (
  <Button onClick={onClick}>Choose another wallet</Button>
);

interface WaitingStepProps {
  readonly text: string;
  readonly children?: ReactNode;
  /** Omitted where nothing can be undone. */
  readonly onCancel?: () => void;
}

const WaitingStep = ({ text, children, onCancel }: WaitingStepProps) => (
  <div className="space-y-4">
    <Waiting text={text} />
    {children !== undefined && <p className="text-quiet">{children}</p>}
    {onCancel !== undefined && <OtherWallet onClick={onCancel} />}
  </div>
);

type AccountChoiceProps = Extract<Step, { kind: 'choose-account' }> & StepsProps;

const AccountChoice = ({ wallet, accounts, linking, network }: AccountChoiceProps) => (
  <div className="space-y-4">
    <h2 className="title-3">Which account of {wallet.name}?</h2>
    <ul className="space-y-3">
      {accounts.map((account) => (
        <li key={account.address}>
          <Button className="verify-choice" onClick={() => void linking.chooseAccount({ wallet, account })}>
            <span className="min-w-0 wrap-anywhere">
              {account.label?.slice(0, 40) ?? 'Account'}{' '}
              <span className="text-quiet">{shortAddress(account.address)}</span>
              {!isOnNetwork(account, network) && <span className="text-quiet"> (not on {network})</span>}
            </span>
          </Button>
        </li>
      ))}
    </ul>
    <OtherWallet onClick={linking.startOver} />
  </div>
);

interface ReadyProps {
  readonly wallet: SuiWallet;
  readonly message: string;
  readonly linking: Linking;
}

const ReadyToSign = ({ wallet, message, linking }: ReadyProps) => (
  <div className="space-y-4">
    <h2 className="title-3">Read it, then sign it</h2>
    <p className="text-quiet">{wallet.name} will show exactly this text. If it shows anything else, reject it.</p>
    <pre className="bg-raised p-4 text-[0.875rem] leading-[1.6] wrap-anywhere whitespace-pre-wrap" translate="no">
      {message}
    </pre>
    <div className="flex flex-wrap gap-3">
      <Button look="torch" onClick={() => void linking.sign()}>
        Sign in wallet
      </Button>
      <OtherWallet onClick={linking.startOver} />
    </div>
  </div>
);

function NoWallet() {
  const copy = useCopy(
    useInBrowser(() => window.location.href, ''),
    'Paste it in your wallet’s browser',
    'Copy the link from the address bar',
  );
  return (
    <div className="space-y-4">
      <h2 className="title-3">No Sui wallet in this browser</h2>
      <ul className="list-disc space-y-2 pl-5">
        <li>On a computer: install your wallet&rsquo;s browser extension, unlock it, and it appears here by itself.</li>
        <li>On a phone: copy this link and open it in the browser inside your wallet&rsquo;s app.</li>
      </ul>
      <Button onClick={() => void copy()}>Copy link</Button>
      <p className="text-quiet">
        The link is yours alone: anyone who opens it can link a wallet to your Discord account.
      </p>
    </div>
  );
}
