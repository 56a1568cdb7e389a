import type { SignatureScheme, WalletSigner } from './signer.ts';
import { sharedSigner, signerOf } from './signer.ts';

/** A person with a wallet, named like the people in the sandbox's Discord. */
export type Person = Pick<WalletSigner, 'address' | 'publicKey'> & {
  name: string;
  scheme: SignatureScheme;
  /** A description of what the wallet holds at the start. */
  story: string;
};

export type PersonWithKey = Person & { signer: WalletSigner };

const stories = [
  ['Granite Gwen', 'ED25519', 'three rocks: one in the wallet, two in kiosks, one of these listed'],
  ['Granite Gwen, second wallet', 'ED25519', 'nothing yet'],
  ['Basalt Ben', 'Secp256k1', 'a rock in a personal kiosk'],
  ['Marble Mo', 'Secp256r1', 'a rock in an OriginByte kiosk'],
  ['Slate Sue', 'MultiSig', 'a rock locked in a kiosk'],
  ['Quartz Quinn', 'ZkLogin', 'a rock in a listing object of the marketplace'],
  ['Pumice Pete', 'Passkey', 'a rock in the wallet'],
  ['Max Ridge', 'ED25519', 'a lizard, no rock'],
  ['Olga Summit', 'ED25519', 'nothing'],
] as const satisfies readonly (readonly [string, SignatureScheme, string])[];

export type PersonName = (typeof stories)[number][0];

/** The keys of the treasury's address: a single key of its own, or those of two people who must both sign. */
export type TreasuryKeys = 'single' | 'multisig';

export const treasuryName = 'Treasury';

const coSigners = [
  { label: 'Flint Fay', scheme: 'ED25519', story: 'nothing; signs for the treasury, with Ochre Otto' },
  { label: 'Ochre Otto', scheme: 'Secp256k1', story: 'nothing; signs for the treasury, with Flint Fay' },
] as const;

/** Keys never change, so each is computed once per process: computing them all takes half of a sandbox's start. */
const signers = new Map<string, WalletSigner>();

function knownSigner(name: string, make: () => WalletSigner): WalletSigner {
  const signer = signers.get(name) ?? make();
  signers.set(name, signer);
  return signer;
}

function personOf(name: string, scheme: SignatureScheme, story: string, signer: WalletSigner): PersonWithKey {
  return { name, scheme, story, address: signer.address, publicKey: signer.publicKey, signer };
}

/** Always the same people with the same keys: those who trade, and those who sign for the treasury. */
export function walletPeople(keys: TreasuryKeys = 'single'): PersonWithKey[] {
  return [...peopleWithWallets(), treasuryPerson(keys), ...(keys === 'multisig' ? coSigners.map(coSigner) : [])];
}

/** All people except those who sign for the treasury. */
export function peopleWithWallets(): PersonWithKey[] {
  return stories.map(([name, scheme, story]) =>
    personOf(
      name,
      scheme,
      story,
      knownSigner(name, () => signerOf(scheme, name)),
    ),
  );
}

function coSigner({ label, scheme, story }: (typeof coSigners)[number]): PersonWithKey {
  return personOf(
    label,
    scheme,
    story,
    knownSigner(label, () => signerOf(scheme, label)),
  );
}

/** The treasury's own wallet. As a multisig it signs for both people at once, which no real wallet could. */
export function treasuryPerson(keys: TreasuryKeys): PersonWithKey {
  const story = 'everything that the treasury holds';
  if (keys === 'single') {
    return personOf(
      treasuryName,
      'ED25519',
      story,
      knownSigner(treasuryName, () => signerOf('ED25519', treasuryName)),
    );
  }
  const shared = knownSigner(`${treasuryName}/multisig`, () => sharedSigner(...coSigners));
  return personOf(treasuryName, 'MultiSig', story, shared);
}
