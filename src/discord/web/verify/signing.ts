import type { WalletAccount } from '@mysten/wallet-standard';
import type { SuiWallet } from './sui-wallets.ts';

/** Whatever a wallet does, as an outcome: `problem` is a sentence that a member can act on. */
export type WalletAnswer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const problem = (text: string) => ({ ok: false, problem: text }) as const;

/** Words of wallets for 'no': there is no code for it in the Wallet Standard (EIP-1193 has 4001, which some use). */
const rejected = /reject|den(?:y|ied)|cancel|declin|abort|closed|dismiss/i;

const wordsOf = (error: unknown): string => {
  const words = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
};
const isRejection = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 4001 || rejected.test(wordsOf(error));

/** The accounts that the wallet lets this page see. */
export async function connectWallet(wallet: SuiWallet): Promise<WalletAnswer<readonly WalletAccount[]>> {
  try {
    const { accounts } = await wallet.features['standard:connect'].connect();
    const usable = (accounts.length > 0 ? accounts : wallet.accounts).filter(isWhole);
    if (usable.length > 0) return { ok: true, value: usable };
    return problem(`${wallet.name} shows no Sui account. Unlock it, or add an account in it, then choose it again.`);
  } catch (error) {
    if (isRejection(error)) return problem(`You did not let ${wallet.name} connect. Choose it again to try once more.`);
    return problem(`${wallet.name} could not connect${because(error)}. Unlock it and choose it again.`);
  }
}

/** An account is text of strangers as much as its wallet. */
const isWhole = ({ address, chains, label = '' }: Partial<Record<keyof WalletAccount, unknown>>): boolean =>
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
