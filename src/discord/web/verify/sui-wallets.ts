import {
  getWallets,
  type StandardConnectFeature,
  type StandardEventsFeature,
  type SuiSignPersonalMessageFeature,
  type Wallet,
  type WalletAccount,
} from '@mysten/wallet-standard';
import { useEffect, useState } from 'react';

/** A wallet that can do what this page needs. Everything it says of itself is foreign text. */
export type SuiWallet = Omit<Wallet, 'features'> & {
  readonly features: StandardConnectFeature & SuiSignPersonalMessageFeature & Partial<StandardEventsFeature>;
};

const needed = ['standard:connect', 'sui:signPersonalMessage'];

/** Any extension can register anything: what Wallet Standard asks of a wallet is checked. */
const isWholeWallet = ({ name, icon, chains, features }: Partial<Record<keyof Wallet, unknown>>): boolean =>
  typeof name === 'string' &&
  typeof icon === 'string' &&
  Array.isArray(chains) &&
  chains.every((chain) => typeof chain === 'string') &&
  typeof features === 'object' &&
  features !== null;

/** Wallet Standard: a wallet offers features by name, and may offer them for some chains only. */
export const canSign = (wallet: Wallet): wallet is Wallet & SuiWallet =>
  isWholeWallet(wallet) &&
  wallet.chains.some((chain) => chain.startsWith('sui:')) &&
  needed.every((feature) => feature in wallet.features);

/** `sui:mainnet`, …: an account of another network signs for another network. null: not known which; the server judges. */
export const isOnNetwork = ({ chains }: WalletAccount, network: string | null): boolean =>
  network === null || chains.includes(`sui:${network}`);

const signingWallets = (): readonly SuiWallet[] =>
  getWallets()
    .get()
    .filter((wallet) => canSign(wallet));

/** The wallets of this browser; one that comes later appears by itself. */
export function useSuiWallets(): readonly SuiWallet[] {
  const [list, setList] = useState(signingWallets);
  useEffect(() => {
    const read = (): void => setList(signingWallets());
    const stops = [getWallets().on('register', read), getWallets().on('unregister', read)];
    // One may have come between the first read and now.
    read();
    return () => stops.forEach((stop) => stop());
  }, []);
  return list;
}

/** A wallet's answer: `problem` is a sentence that a member can act on. */
type WalletAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const problem = (text: string) => ({ ok: false, problem: text }) as const;

/** What wallets say for 'no': the Wallet Standard has no code for it (EIP-1193 has 4001, which some use). */
const rejected = /reject|den(?:y|ied)|cancel|declin|abort|closed|dismiss/i;

const wordsOf = (error: unknown): string => {
  const words = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
};
const isRejection = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 4001 || rejected.test(wordsOf(error));

export async function connectWallet(wallet: SuiWallet): Promise<WalletAnswer<readonly WalletAccount[]>> {
  try {
    const { accounts } = await wallet.features['standard:connect'].connect();
    const usable = (accounts.length > 0 ? accounts : wallet.accounts).filter(isWholeAccount);
    if (usable.length > 0) return { ok: true, value: usable };
    return problem(`${wallet.name} shows no Sui account. Unlock it, or add an account in it, then choose it again.`);
  } catch (error) {
    if (isRejection(error)) return problem(`You did not let ${wallet.name} connect. Choose it again to try once more.`);
    return problem(`${wallet.name} could not connect${because(error)}. Unlock it and choose it again.`);
  }
}

/** An account is foreign text as much as its wallet. */
const isWholeAccount = ({ address, chains, label = '' }: Partial<Record<keyof WalletAccount, unknown>>): boolean =>
  typeof address === 'string' && /^0x[\da-f]{64}$/i.test(address) && Array.isArray(chains) && typeof label === 'string';

/** The signature of exactly this message, in base64. */
export async function signMessage(
  wallet: SuiWallet,
  account: WalletAccount,
  message: string,
): Promise<WalletAnswer<string>> {
  const bytes = new TextEncoder().encode(message);
  try {
    const signed = await wallet.features['sui:signPersonalMessage'].signPersonalMessage({ account, message: bytes });
    if (typeof signed?.signature !== 'string') return problem(`${wallet.name} gave no signature. Try once more.`);
    if (typeof signed.bytes === 'string' && signed.bytes !== base64Of(bytes)) {
      return problem(
        `${wallet.name} signed another text than the one shown here. Try once more, or use another wallet.`,
      );
    }
    return { ok: true, value: signed.signature };
  } catch (error) {
    if (isRejection(error)) return problem(`You did not sign in ${wallet.name}. Nothing was changed.`);
    return problem(`${wallet.name} could not sign${because(error)}. Unlock it, or use another wallet.`);
  }
}

const because = (error: unknown): string => (wordsOf(error) === '' ? '' : ` (it says: ${wordsOf(error)})`);

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes));
