import { bcs } from '@mysten/sui/bcs';
import { Transaction } from '@mysten/sui/transactions';
import { fromBase64 } from '@mysten/sui/utils';
import type { WalletAccount } from '@mysten/wallet-standard';
import { canonicalWallet, shortAddress } from '../../../shared/sui-address.ts';
import { Button, Spinner } from '../../../ui/button.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import {
  connectWallet,
  notOnNetwork,
  signTransaction,
  type SuiWallet,
  useWalletSteps,
  WalletChoice,
} from '../../../ui/wallets/sui-wallets.tsx';
import type { PaidLine, useSend } from './payouts-calls.ts';

export interface SignHereProps {
  /** The transaction, base64, and what it pays, as it is shown. */
  readonly bytes: string;
  readonly lines: readonly PaidLine[];
  readonly sending: ReturnType<typeof useSend>;
}

/** Chosen wallet, the treasury's account, a signature of exactly this transaction, and then it is sent. */
export function SignHere({ bytes, lines, sending }: SignHereProps) {
  const { trouble, ...signing } = useSigning({ bytes, lines, sending });
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

type SigningStep =
  | { readonly kind: 'choose-wallet' }
  | { readonly kind: 'connecting'; readonly wallet: SuiWallet }
  | { readonly kind: 'ready' | 'signing'; readonly wallet: SuiWallet; readonly account: WalletAccount };

/** Connects a wallet that has the treasury's account, and has exactly these bytes signed. */
function useSigning({ bytes, lines, sending }: SignHereProps) {
  const { network, treasuryAddress: treasury } = useSiteConfig();
  const { step, trouble, go, startOver } = useWalletSteps<SigningStep>({ kind: 'choose-wallet' });

  const chooseWallet = async (wallet: SuiWallet): Promise<void> => {
    const isCurrent = go({ kind: 'connecting', wallet });
    const answer = await connectWallet(wallet);
    if (!isCurrent()) return;
    if (!answer.ok) return startOver(answer.problem);
    const account = answer.value.find(({ address }) => canonicalWallet(address) === treasury);
    if (account === undefined) return startOver(notTheTreasury(wallet, answer.value, treasury));
    const elsewhere = notOnNetwork(wallet, account, network);
    if (elsewhere !== null) return startOver(elsewhere);
    go({ kind: 'ready', wallet, account });
  };
  const sign = async (): Promise<void> => {
    if (step.kind !== 'ready') return;
    const isCurrent = go({ ...step, kind: 'signing' });
    const json = await jsonOf(bytes, lines, treasury);
    if (json === null)
      return void go(
        step,
        'The bytes of this transaction do not pay what is shown above, so the wallet was not asked.',
      );
    const signed = await signTransaction(step.wallet, { account: step.account, network, bytes, json });
    if (!isCurrent()) return;
    if (!signed.ok) return void go(step, `${signed.problem} Nothing was sent.`);
    go(step);
    sending.send([signed.value]);
  };
  return { step, trouble, chooseWallet, sign, startOver: () => startOver() };
}

function notTheTreasury({ name }: SuiWallet, accounts: readonly WalletAccount[], treasury: string): string {
  const shown = accounts.map(({ address }) => shortAddress(address)).join(', ');
  return `${name} shows ${shown}, which is not the treasury. Only ${shortAddress(treasury)} can sign this: choose that account in the wallet, or sign elsewhere.`;
}

/** As wallets take it. null: these bytes do not do what is shown. */
async function jsonOf(bytes: string, lines: readonly PaidLine[], treasury: string): Promise<string | null> {
  try {
    const transaction = Transaction.from(bytes);
    return paysExactly(transaction.getData(), lines, treasury) ? await transaction.toJSON() : null;
  } catch {
    return null;
  }
}

type Data = ReturnType<Transaction['getData']>;
type Argument = NonNullable<Data['commands'][number]['SplitCoins']>['coin'];

const allowed: ReadonlySet<string> = new Set(['SplitCoins', 'MergeCoins', 'TransferObjects']);

/**
 * Whether the transaction is the treasury's own and pays exactly these lines, each once, and does nothing else: read from the bytes that
 * the wallet gets, because a person cannot compare 555 lines in a wallet's window. Throws what the SDK throws for nonsense.
 */
export function paysExactly(
  { sender, gasData, commands, inputs }: Data,
  lines: readonly PaidLine[],
  treasury: string,
): boolean {
  if (sender !== treasury || gasData.owner !== treasury) return false;
  if (commands.some(({ $kind }) => !allowed.has($kind))) return false;
  const pureOf = (argument: Argument | undefined): Uint8Array => {
    const pure = argument?.$kind === 'Input' ? inputs[argument.Input]?.Pure : undefined;
    if (!pure) throw new Error('not a value of the transaction itself');
    return fromBase64(pure.bytes);
  };
  const amountOf = (coin: Argument): string => {
    if (coin.$kind !== 'NestedResult') throw new Error('not a part of a split coin');
    const [from, index] = coin.NestedResult;
    return bcs.u64().parse(pureOf(commands[from]?.SplitCoins?.amounts[index]));
  };
  const paid = commands.flatMap(({ TransferObjects: given }) => {
    if (!given) return [];
    const address = bcs.Address.parse(pureOf(given.address));
    return given.objects.map((coin) => `${address} ${amountOf(coin)}`);
  });
  const wanted = lines.map(({ address, raw }) => `${address} ${raw}`);
  return paid.toSorted().join('\n') === wanted.toSorted().join('\n');
}
