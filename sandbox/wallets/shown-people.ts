import { toBase64 } from '@mysten/sui/utils';
import type { WalletControl } from './wallets.ts';

/** The people with wallets, as plain data for JSON, without their private keys. */
export function shownPeople(wallets: WalletControl) {
  return wallets.people().map(({ name, scheme, story, address, publicKey }) => ({
    name,
    scheme,
    story,
    address,
    publicKey: toBase64(publicKey),
  }));
}
