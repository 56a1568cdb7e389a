import { shortAddress } from '../../../shared/sui-address.ts';
import { Button, Spinner } from '../../../ui/button.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { WalletChoice } from '../../../ui/wallets/sui-wallets.tsx';
import type { PaidLine, useSend } from './transactions-calls.ts';
import { useSigning } from './use-signing.ts';

export interface SignHereProps {
  /** The transaction, base64, and what it pays. */
  readonly bytes: string;
  readonly lines: readonly PaidLine[];
  readonly sending: ReturnType<typeof useSend>;
}

/** Chosen wallet, the treasury's account, a signature of exactly this transaction, and then it is sent. */
export function SignHere({ bytes, lines, sending }: SignHereProps) {
  const { network, treasuryAddress } = useSiteConfig();
  const { trouble, ...signing } = useSigning({
    bytes,
    lines,
    network,
    treasury: treasuryAddress,
    onSigned: (signature) => sending.send([signature]),
  });
  const problem = trouble ?? sending.problem;
  return (
    <div className="mt-3 max-w-2xl space-y-4" aria-live="polite">
      {problem !== undefined && problem !== null && (
        <p role="alert" className="verify-trouble">
          {problem}
        </p>
      )}
      {sending.busy ? (
        <Waiting text="Sending it, then reading the result from the chain." />
      ) : (
        <CurrentStep signing={signing} />
      )}
    </div>
  );
}

function CurrentStep({
  signing: { step, ...signing },
}: {
  readonly signing: Omit<ReturnType<typeof useSigning>, 'trouble'>;
}) {
  if (step.kind === 'choose-wallet') {
    return (
      <WalletChoice
        feature="sui:signTransaction"
        onChoose={(wallet) => void signing.chooseWallet(wallet)}
        none={
          <p>
            No Sui wallet that signs transactions is in this browser. Install the treasury&rsquo;s wallet, and it
            appears here by itself; or sign elsewhere.
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

const Waiting = ({ text }: { readonly text: string }) => (
  <p className="flex items-center gap-3 font-semibold wrap-anywhere">
    <Spinner className="size-5 shrink-0" />
    {text}
  </p>
);
