import type { Page } from '@playwright/test';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';

/** How the wallet and its user behave. */
export interface WalletManners {
  readonly name?: string;
  readonly chain?: string;
  readonly connect?: 'allow' | 'reject' | 'never';
  readonly sign?: 'allow' | 'reject' | 'never' | 'other-key';
  readonly accountCount?: number;
  /** Accounts whose keys the wallet does not have: it signs with its own key. */
  readonly addresses?: readonly string[];
  /** Alters a transaction before it is signed. */
  readonly change?: (transaction: Transaction) => void;
}

const keypairOf = (seed: number): Ed25519Keypair => Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(seed));

export const walletAddress = (seed = 1): string => keypairOf(seed).toSuiAddress();

/** Installs a browser extension's wallet with real keys, by the Wallet Standard. Call before the page is opened. */
export async function installWallet(page: Page, manners: WalletManners = {}): Promise<void> {
  const { name = 'Cave Wallet', chain = 'sui:mainnet', connect = 'allow', sign = 'allow', accountCount = 1 } = manners;
  const own = Array.from({ length: accountCount }, (_, index) => walletAddress(index + 1));
  const addresses = [...(manners.addresses ?? own)];
  await page.exposeFunction(`signTransactionIn ${name}`, async (json: string) => {
    const transaction = Transaction.from(json);
    manners.change?.(transaction);
    return keypairOf(1).signTransaction(await transaction.build());
  });
  await page.exposeFunction(`signIn ${name}`, async (address: string, message: readonly number[]) => {
    const seed = sign === 'other-key' ? 99 : addresses.indexOf(address) + 1;
    return keypairOf(seed).signPersonalMessage(Uint8Array.from(message));
  });
  await page.addInitScript(register, { name, chain, connect, sign, addresses });
}

/** Runs in the page. */
function register(facts: { name: string; chain: string; connect: string; sign: string; addresses: string[] }): void {
  const listeners = new Set<(changes: object) => void>();
  const never = new Promise<never>(() => {});
  const accounts = facts.addresses.map((address) => ({
    address,
    publicKey: new Uint8Array(32),
    chains: [facts.chain],
    features: ['sui:signPersonalMessage', 'sui:signTransaction'],
  }));
  const answer = async (manner: string): Promise<void> => {
    if (manner === 'never') await never;
    if (manner === 'reject') throw new Error('User rejected the request');
  };
  const outside = window as unknown as Record<string, (...given: unknown[]) => Promise<object>>;
  const signWith = outside[`signIn ${facts.name}`];
  const signTransaction = outside[`signTransactionIn ${facts.name}`];
  const wallet = {
    version: '1.0.0',
    name: facts.name,
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    chains: ['sui:mainnet', 'sui:testnet'],
    accounts,
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          await answer(facts.connect);
          return { accounts };
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (changes: object) => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      'sui:signPersonalMessage': {
        version: '1.1.0',
        signPersonalMessage: async ({ account, message }: { account: { address: string }; message: Uint8Array }) => {
          await answer(facts.sign);
          return signWith?.(account.address, [...message]);
        },
      },
      'sui:signTransaction': {
        version: '2.0.0',
        signTransaction: async ({ transaction }: { transaction: { toJSON: () => Promise<string> } }) => {
          await answer(facts.sign);
          return signTransaction?.(await transaction.toJSON());
        },
      },
    },
  };
  const offer = ({ register: take }: { register: (wallet: object) => void }): void => take(wallet);
  window.addEventListener('wallet-standard:app-ready', (event) => offer((event as CustomEvent).detail));
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: offer }));
  Object.assign(window, { loseAccounts: () => listeners.forEach((listener) => listener({ accounts: [] })) });
}
