import { bcs } from '@mysten/sui/bcs';

/** How the contents of a cap name the kiosk it opens. */
export type CapKind = 'kiosk-owner-cap' | 'personal-kiosk-cap' | 'origin-byte-owner-token';

/** A type whose owner owns a kiosk. An upgrade keeps the type's original package, so these stay. */
export interface CapType {
  readonly kind: CapKind;
  /** Canonical. */
  readonly objectType: string;
}

const kioskOwnerCap: CapType = {
  kind: 'kiosk-owner-cap',
  objectType: `0x${'2'.padStart(64, '0')}::kiosk::KioskOwnerCap`,
};

/** Personal kiosk and OriginByte packages of mainnet (reference: kiosk apps, OriginByte's ob_kiosk). */
export const mainnetCapTypes: readonly CapType[] = [
  kioskOwnerCap,
  {
    kind: 'personal-kiosk-cap',
    objectType: '0x0cb4bcc0560340eb1a1b929cabe56b33fc6449820ec8c1980d69bb98b649b802::personal_kiosk::PersonalKioskCap',
  },
  {
    kind: 'origin-byte-owner-token',
    objectType: '0x95a441d389b07437d00dd07e0b6f05f513d7659b13fd7c5d3923c7d9d847199b::ob_kiosk::OwnerToken',
  },
];

/** Where only the framework's own cap is known: the other packages have other addresses on every network. */
export const frameworkCapTypes: readonly CapType[] = [kioskOwnerCap];

const ownerCap = bcs.struct('KioskOwnerCap', { id: bcs.Address, for: bcs.Address });
const personalCap = bcs.struct('PersonalKioskCap', { id: bcs.Address, cap: bcs.option(ownerCap) });
const ownerToken = bcs.struct('OwnerToken', { id: bcs.Address, kiosk: bcs.Address, owner: bcs.Address });

const parsers: Readonly<Record<CapKind, (contents: Uint8Array) => string | null>> = {
  'kiosk-owner-cap': (contents) => ownerCap.parse(contents).for,
  // Its inner cap can be taken out for the length of a transaction only, but the type allows for none.
  'personal-kiosk-cap': (contents) => personalCap.parse(contents).cap?.for ?? null,
  'origin-byte-owner-token': (contents) => ownerToken.parse(contents).kiosk,
};

/** The kiosk that a cap opens, or null for an empty personal cap. Throws on other bytes. */
export function kioskIdOf(kind: CapKind, contents: Uint8Array): string | null {
  return parsers[kind](contents);
}
