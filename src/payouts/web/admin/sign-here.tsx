import { Transaction } from '@mysten/sui/transactions';
import type { WalletAccount } from '@mysten/wallet-standard';
import { canonicalWallet, shortAddress } from '../../../shared/sui-address.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/placeholders.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import {
  connectWallet,
  notOnNetwork,
  signTransaction,
  type SuiWallet,
  useWalletSteps,
  Waiting,
  WalletChoice,
} from '../../../ui/wallets/sui-wallets.tsx';
import type { useSend } from './payouts-calls.ts';

export interface SignHereProps {
  /** The transaction, base64. It pays what is shown. */
  readonly bytes: string;
  readonly sending: ReturnType<typeof useSend>;
}

/** Chooses a wallet with the treasury's account, has it sign exactly this transaction, and sends it. */
export function SignHere({ bytes, sending }: SignHereProps) {
  const signing = useSigning({ bytes, sending });
  return (
    <div className="mt-3 max-w-2xl space-y-4" aria-live="polite" tabIndex={-1}>
      <Problem className="verify-trouble">{signing.problem ?? sending.problem}</Problem>
      {sending.busy ? (
        <Waiting text="Sending it, then reading the result from the chain." />
      ) : (
        <CurrentStep signing={signing} />
      )}
    </div>
  );
}

function CurrentStep({ signing }: { readonly signing: ReturnType<typeof useSigning> }) {
  const { step } = signing;
  if (step.kind === 'choose-wallet') {
    return (
      <WalletChoice
        feature="sui:signTransaction"
        onChoose={(wallet) => void signing.chooseWallet(wallet)}
        none={
          <p>
            This browser has no Sui wallet that signs transactions. Install the treasury&rsquo;s wallet, and it appears
            here by itself; or sign elsewhere.
          </p>
        }
      />
    );
  }
  const another = <Button onClick={signing.startOver}>Choose another wallet</Button>;
  if (step.kind === 'ready') {
    return (
      <>
        <p className="wrap-anywhere">
          {step.wallet.name} has the treasury&rsquo;s account {shortAddress(step.account.address)}. It will show a
          transfer with the amounts above. If it shows anything else, refuse it.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button look="torch" onClick={() => void signing.sign()}>
            Sign the transfer and send it
          </Button>
          {another}
        </div>
      </>
    );
  }
  const words = { connecting: 'to connect', signing: 'to sign. Look for its window' }[step.kind];
  return (
    <>
      <Waiting text={`Waiting for ${step.wallet.name} ${words}.`} />
      {another}
    </>
  );
}

type SigningStep =
  | { readonly kind: 'choose-wallet' }
  | { readonly kind: 'connecting'; readonly wallet: SuiWallet }
  | { readonly kind: 'ready' | 'signing'; readonly wallet: SuiWallet; readonly account: WalletAccount };

/** Connects a wallet that has the treasury's account, and has exactly these bytes signed. */
function useSigning({ bytes, sending }: SignHereProps) {
  const { network, treasuryAddress: treasury } = useSiteConfig();
  const { step, problem, go, startOver } = useWalletSteps<SigningStep>({ kind: 'choose-wallet' });

  const chooseWallet = async (wallet: SuiWallet): Promise<void> => {
    const isCurrent = go({ kind: 'connecting', wallet });
    const answer = await connectWallet(wallet);
    if (!isCurrent()) return;
    if (!answer.ok) return startOver(answer.problem);
    const account = answer.value.find(({ address }) => canonicalWallet(address) === treasury);
    if (account === undefined) return startOver(notTheTreasury(wallet, answer.value, treasury));
    const networkProblem = notOnNetwork(wallet, account, network);
    if (networkProblem !== null) return startOver(networkProblem);
    go({ kind: 'ready', wallet, account });
  };
  const sign = async (): Promise<void> => {
    if (step.kind !== 'ready') return;
    const isCurrent = go({ ...step, kind: 'signing' });
    const json = await Transaction.from(bytes).toJSON();
    const signed = await signTransaction(step.wallet, { account: step.account, network, bytes, json });
    if (!isCurrent()) return;
    if (!signed.ok) return void go(step, `${signed.problem} Nothing was sent.`);
    go(step);
    sending.send(signed.value);
  };
  return { step, problem, chooseWallet, sign, startOver: () => startOver() };
}

function notTheTreasury({ name }: SuiWallet, accounts: readonly WalletAccount[], treasury: string): string {
  const shown = accounts.map(({ address }) => shortAddress(address)).join(', ');
  return `${name} shows ${shown}, which is not the treasury. Only ${shortAddress(treasury)} can sign this: choose that account in the wallet, or sign elsewhere.`;
}
