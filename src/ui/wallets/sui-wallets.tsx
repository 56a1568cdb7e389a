import {
  getWallets,
  type StandardConnectFeature,
  type StandardEventsFeature,
  type SuiSignPersonalMessageFeature,
  type SuiSignTransactionFeature,
  type Wallet,
  type WalletAccount,
} from '@mysten/wallet-standard';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { shortAddress } from '../../shared/sui-address.ts';
import { Button, Spinner } from '../button.tsx';
import { Problem } from '../placeholders.tsx';

type Signing = SuiSignPersonalMessageFeature & SuiSignTransactionFeature;
type WalletFeature = keyof (StandardConnectFeature & Signing);

/** A wallet that can do what a page needs. Everything it says about itself is untrusted text. */
export type SuiWallet = Omit<Wallet, 'features'> & {
  readonly features: StandardConnectFeature & Partial<StandardEventsFeature & Signing>;
};

/** Any extension can register anything, so the fields that Wallet Standard requires are checked. */
const isWholeWallet = ({ name, icon, chains, features }: Partial<Record<keyof Wallet, unknown>>): boolean =>
  typeof name === 'string' &&
  typeof icon === 'string' &&
  Array.isArray(chains) &&
  chains.every((chain) => typeof chain === 'string') &&
  typeof features === 'object' &&
  features !== null;

/** Wallet Standard: a wallet offers features by name, and may offer them for some chains only. */
export const hasFeature = (wallet: Wallet, feature: WalletFeature): wallet is Wallet & SuiWallet =>
  isWholeWallet(wallet) &&
  wallet.chains.some((chain) => chain.startsWith('sui:')) &&
  ['standard:connect', feature].every((needed) => needed in wallet.features);

/** `sui:mainnet`, …: an account of another network signs for another network. null: not known; the server decides. */
export const isOnNetwork = ({ chains }: WalletAccount, network: string | null): boolean =>
  network === null || chains.includes(`sui:${network}`);

export const notOnNetwork = ({ name }: SuiWallet, account: WalletAccount, network: string | null): string | null =>
  isOnNetwork(account, network)
    ? null
    : `This account is not on Sui ${network}. Switch ${name} to ${network}, then choose it again.`;

/** The current step of a wallet flow, and what went wrong in it. `startOver`: back to the first step. */
export function useWalletSteps<Step>(first: Step) {
  const [state, setState] = useState<{ readonly step: Step; readonly problem: string | null }>({
    step: first,
    problem: null,
  });
  const stepCount = useRef(0);
  /** Returns a check whether this step is still current: a wallet may answer minutes later. */
  const go = (step: Step, problem: string | null = null): (() => boolean) => {
    setState({ step, problem });
    stepCount.current += 1;
    const own = stepCount.current;
    return () => own === stepCount.current;
  };
  return { ...state, go, startOver: (problem: string | null = null): void => void go(first, problem) };
}

const suiWallets = (feature: WalletFeature): readonly SuiWallet[] =>
  getWallets()
    .get()
    .filter((wallet) => hasFeature(wallet, feature));

/** The wallets of this browser; one that registers later appears by itself. */
function useSuiWallets(feature: WalletFeature): readonly SuiWallet[] {
  const [list, setList] = useState(() => suiWallets(feature));
  useEffect(() => {
    const read = (): void => setList(suiWallets(feature));
    const stops = [getWallets().on('register', read), getWallets().on('unregister', read)];
    // One may have registered between the first read and now.
    read();
    return () => stops.forEach((stop) => stop());
  }, [feature]);
  return list;
}

/** A wallet's answer: `problem` is a sentence that a member can act on. */
type WalletAnswer<T = string> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const refused = (problem: string) => ({ ok: false, problem }) as const;

/** What wallets say for 'no': the Wallet Standard has no code for it (EIP-1193 has 4001, which some use). */
const rejected = /reject|den(?:y|ied)|cancel|declin|abort|closed|dismiss/i;

/** An error that an extension passed on to the page is a plain object. */
const errorText = (error: unknown): string => {
  const words = (error as { message?: unknown } | null | undefined)?.message ?? error;
  if (typeof words !== 'string') return '';
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
};
const isRejection = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 4001 || rejected.test(errorText(error));

export async function connectWallet(wallet: SuiWallet): Promise<WalletAnswer<readonly WalletAccount[]>> {
  try {
    const { accounts } = await wallet.features['standard:connect'].connect();
    const usable = (accounts.length > 0 ? accounts : wallet.accounts).filter(isWholeAccount);
    if (usable.length > 0) return { ok: true, value: usable };
    return refused(`${wallet.name} shows no Sui account. Unlock it, or add an account in it, then choose it again.`);
  } catch (error) {
    if (isRejection(error)) return refused(`You did not let ${wallet.name} connect. Choose it again to try once more.`);
    return refused(`${wallet.name} could not connect${because(error)}. Unlock it and choose it again.`);
  }
}

/** An account is as untrusted as its wallet. */
const isWholeAccount = ({ address, chains, label = '' }: Partial<Record<keyof WalletAccount, unknown>>): boolean =>
  typeof address === 'string' && /^0x[\da-f]{64}$/i.test(address) && Array.isArray(chains) && typeof label === 'string';

/** The signature of exactly this message, in base64. */
export const signMessage = (wallet: SuiWallet, account: WalletAccount, message: string): Promise<WalletAnswer> => {
  const bytes = new TextEncoder().encode(message);
  return signed(wallet, 'text', base64Of(bytes), () =>
    wallet.features['sui:signPersonalMessage']?.signPersonalMessage({ account, message: bytes }),
  );
};

interface UnsignedTransaction {
  readonly account: WalletAccount;
  /** `mainnet`. */
  readonly network: string;
  /** In base64, whole: nothing is left for the wallet to fill in. */
  readonly bytes: string;
  /** The same transaction as JSON, the form that wallets take. */
  readonly json: string;
}

/** The signature of exactly this transaction, in base64; a problem if the wallet changed it. */
export const signTransaction = (wallet: SuiWallet, transaction: UnsignedTransaction): Promise<WalletAnswer> => {
  const { account, network, bytes, json } = transaction;
  return signed(wallet, 'transaction', bytes, () =>
    wallet.features['sui:signTransaction']?.signTransaction({
      account,
      chain: `sui:${network}`,
      transaction: { toJSON: () => Promise.resolve(json) },
    }),
  );
};

async function signed(
  { name }: SuiWallet,
  what: 'text' | 'transaction',
  bytes: string,
  sign: () => Promise<Partial<Record<'bytes' | 'signature', unknown>>> | undefined,
): Promise<WalletAnswer> {
  try {
    const answer = await sign();
    if (typeof answer?.signature !== 'string') return refused(`${name} gave no signature. Try once more.`);
    // For a text, some wallets return only the signature.
    const isBytesLeftOut = what === 'text' && typeof answer.bytes !== 'string';
    if (answer.bytes === bytes || isBytesLeftOut) return { ok: true, value: answer.signature };
    return refused(`${name} signed another ${what} than the one shown here. Try once more, or use another wallet.`);
  } catch (error) {
    if (isRejection(error)) return refused(`You did not sign in ${name}. Nothing was changed.`);
    return refused(`${name} could not sign${because(error)}. Unlock it, or use another wallet.`);
  }
}

const because = (error: unknown): string => (errorText(error) === '' ? '' : ` (it says: ${errorText(error)})`);

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes));

/** Shown while a wallet or the server is at work. */
export const Waiting = ({ text }: { readonly text: string }) => (
  <p className="flex items-center gap-3 font-semibold wrap-anywhere">
    <Spinner className="size-5 shrink-0" />
    {text}
  </p>
);

interface WalletChoiceProps {
  readonly feature: WalletFeature;
  readonly onChoose: (wallet: SuiWallet) => void;
  /** Shown if this browser has no such wallet. */
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

interface Connecting {
  readonly wallet: SuiWallet;
  /** null: the wallet has not answered yet. */
  readonly accounts: readonly WalletAccount[] | null;
}

/** Choose a wallet, then one of its accounts. Nothing is signed, so this proves nothing: it only yields an address. */
export function ConnectWallet({ onAddress }: { readonly onAddress: (address: string) => void }) {
  const { step, problem, go, startOver } = useWalletSteps<Connecting | null>(null);
  const connect = async (wallet: SuiWallet): Promise<void> => {
    const isCurrent = go({ wallet, accounts: null });
    const answer = await connectWallet(wallet);
    if (!isCurrent()) return;
    if (!answer.ok) return startOver(answer.problem);
    const [only, ...others] = answer.value;
    if (only === undefined || others.length > 0) return void go({ wallet, accounts: answer.value });
    startOver();
    onAddress(only.address);
  };
  const none = <p>This browser has no Sui wallet. On a phone, open this page in your wallet app’s browser.</p>;
  return (
    <div className="max-w-2xl space-y-4" aria-live="polite" tabIndex={-1}>
      <Problem className="verify-trouble">{problem}</Problem>
      {step === null && (
        <WalletChoice feature="standard:connect" onChoose={(wallet) => void connect(wallet)} none={none} />
      )}
      {step?.accounts === null && <Waiting text={`Waiting for ${step.wallet.name} to connect.`} />}
      {step?.accounts?.map(({ address, label }) => (
        <Button key={address} className="verify-choice" onClick={() => onAddress(address)}>
          {label?.slice(0, 40) ?? 'Account'} <span className="text-quiet">{shortAddress(address)}</span>
        </Button>
      ))}
      {step !== null && <Button onClick={() => startOver()}>Choose another wallet</Button>}
    </div>
  );
}
