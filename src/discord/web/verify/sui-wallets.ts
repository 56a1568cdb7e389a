import { getWallets } from '@mysten/wallet-standard';
import type {
  StandardConnectFeature,
  StandardEventsFeature,
  SuiSignPersonalMessageFeature,
  Wallet,
  WalletAccount,
} from '@mysten/wallet-standard';
import { useState, useSyncExternalStore } from 'react';

/** A wallet that can do what this page needs. Everything it says of itself is text of strangers. */
export type SuiWallet = Omit<Wallet, 'features'> & {
  readonly features: StandardConnectFeature & SuiSignPersonalMessageFeature & Partial<StandardEventsFeature>;
};

const needed = ['standard:connect', 'sui:signPersonalMessage'];

/** Any extension can register anything: what Wallet Standard asks of a wallet is looked at before it is believed. */
const isWhole = ({ name, icon, chains, features }: Partial<Record<keyof Wallet, unknown>>): boolean =>
  typeof name === 'string' &&
  typeof icon === 'string' &&
  Array.isArray(chains) &&
  chains.every((chain) => typeof chain === 'string') &&
  typeof features === 'object' &&
  features !== null;

/** Wallet Standard: a wallet offers features by name, and may offer them for some chains only. */
export const canSign = (wallet: Wallet): wallet is Wallet & SuiWallet =>
  isWhole(wallet) &&
  wallet.chains.some((chain) => chain.startsWith('sui:')) &&
  needed.every((feature) => feature in wallet.features);

/** `sui:mainnet`, …: an account of another network signs for another network. null: not known which; the server judges. */
export const isOnNetwork = ({ chains }: WalletAccount, network: string | null): boolean =>
  network === null || chains.includes(`sui:${network}`);

function createWalletList() {
  const wallets = getWallets();
  let list: readonly SuiWallet[] = [];
  const read = (): void => {
    list = wallets.get().filter((wallet) => canSign(wallet));
  };
  read();
  return {
    get: () => list,
    onChange: (changed: () => void): (() => void) => {
      const again = (): void => {
        read();
        changed();
      };
      const stops = [wallets.on('register', again), wallets.on('unregister', again)];
      // One may have come between the first look and now.
      again();
      return () => stops.forEach((stop) => stop());
    },
  };
}

const none: readonly SuiWallet[] = [];

/** The wallets of this browser; one that comes later appears by itself. */
export function useSuiWallets(): readonly SuiWallet[] {
  const [list] = useState(createWalletList);
  return useSyncExternalStore(list.onChange, list.get, () => none);
}
