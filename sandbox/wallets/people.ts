import type { SignatureScheme, WalletSigner } from './signer.ts';
import { signerOf } from './signer.ts';

/** Somebody with a wallet. The names are those of the people in the sandbox's Discord. */
export type Person = Omit<WalletSigner, 'sign'> & {
  name: string;
  scheme: SignatureScheme;
  /** What the wallet holds when the world begins, in words. */
  story: string;
};

export type PersonWithKey = Person & { signer: WalletSigner };

const stories = [
  ['Granite Gwen', 'ED25519', 'three rocks: one in the wallet, two in kiosks, one of these listed'],
  ['Granite Gwen, second wallet', 'ED25519', 'nothing yet'],
  ['Basalt Ben', 'Secp256k1', 'a rock in a personal kiosk'],
  ['Marble Mo', 'Secp256r1', 'a rock in an OriginByte kiosk'],
  ['Slate Sue', 'MultiSig', 'a rock locked in a kiosk'],
  ['Quartz Quinn', 'ZkLogin', 'a rock that a listing object of the marketplace holds'],
  ['Pumice Pete', 'Passkey', 'a rock in the wallet'],
  ['Max Ridge', 'ED25519', 'a lizard, no rock'],
  ['Olga Summit', 'ED25519', 'nothing'],
] as const satisfies readonly (readonly [string, SignatureScheme, string])[];

export type PersonName = (typeof stories)[number][0];

/** Nobody changes a key: the arithmetic of all of them, half of the start of a sandbox, is done once a process. */
const signers = new Map<PersonName, WalletSigner>();

/** The same people with the same keys every time. */
export function walletPeople(): (PersonWithKey & { name: PersonName })[] {
  return stories.map(([name, scheme, story]) => {
    const signer = signers.get(name) ?? signerOf(scheme, name);
    signers.set(name, signer);
    return { name, scheme, story, address: signer.address, publicKey: signer.publicKey, signer };
  });
}
