import { bcs } from '@mysten/sui/bcs';
import { Unavailable } from '../../shared/failure.ts';
import { baseType, kioskOwnerCapType } from '../../shared/sui-address.ts';
import type { OwnedObject } from '../../sources/sui/owned-objects.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { deriveDynamicFieldID } from '@mysten/sui/utils';

/** Decides how a cap's contents name the kiosk it opens. */
type CapKind = 'kiosk-owner-cap' | 'personal-kiosk-cap' | 'origin-byte-owner-token';

/** A type whose owner owns a kiosk. Types keep the address of their original package, so upgrades do not change these. */
export interface CapType {
  readonly kind: CapKind;
  /** Canonical. */
  readonly objectType: string;
}

const kioskOwnerCap: CapType = { kind: 'kiosk-owner-cap', objectType: kioskOwnerCapType };

/** Personal kiosk and OriginByte packages of mainnet (reference: kiosk apps, OriginByte's ob_kiosk). */
const mainnetCapTypes: readonly CapType[] = [
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

/** On other networks only the framework's own cap is known: the other packages have different addresses on each network. */
export const capTypesOf = (network: string): readonly CapType[] =>
  network === 'mainnet' ? mainnetCapTypes : [kioskOwnerCap];

export const isCap = (capTypes: readonly CapType[], objectType: string): boolean =>
  capTypes.some((cap) => cap.objectType === baseType(objectType));

const ownerCap = bcs.struct('KioskOwnerCap', { id: bcs.Address, for: bcs.Address });
const personalCap = bcs.struct('PersonalKioskCap', { id: bcs.Address, cap: bcs.option(ownerCap) });
const ownerToken = bcs.struct('OwnerToken', { id: bcs.Address, kiosk: bcs.Address, owner: bcs.Address });

const parsers: Readonly<Record<CapKind, (contents: Uint8Array) => string | null>> = {
  'kiosk-owner-cap': (contents) => ownerCap.parse(contents).for,
  // The inner cap can only be missing within a transaction, but its type is an option.
  'personal-kiosk-cap': (contents) => personalCap.parse(contents).cap?.for ?? null,
  'origin-byte-owner-token': (contents) => ownerToken.parse(contents).kiosk,
};

/** A cap in a wallet: proof that the wallet owns the kiosk. */
export interface HeldCap {
  readonly capId: string;
  readonly kioskId: string;
  readonly kind: CapKind;
}

export type CapSource = Pick<SuiClient, 'listOwnedObjects'>;

/**
 * Every cap of these kinds in the wallet; two may open the same kiosk. A node can filter by one type only, but what most
 * wallets own fits one page: one request instead of one per kind. Throws Unavailable.
 */
export async function readCaps(
  sui: CapSource,
  capTypes: readonly CapType[],
  owner: string,
  stop?: AbortSignal,
): Promise<readonly HeldCap[]> {
  const all = await readOnePage(sui, owner, stop);
  const byKind = await Promise.all(
    capTypes.map(async ({ kind, objectType }) => {
      const ofType =
        all?.filter((object) => baseType(object.objectType) === objectType) ??
        (await sui.listOwnedObjects({ owner, objectType, include: 'contents' }, stop));
      return ofType.flatMap((object) => parseCap(kind, object));
    }),
  );
  return byKind.flat();
}

async function readOnePage(sui: CapSource, owner: string, stop?: AbortSignal): Promise<readonly OwnedObject[] | null> {
  try {
    return await sui.listOwnedObjects({ owner, include: 'contents', pagesMax: 1 }, stop);
  } catch (error) {
    // Too much for one page, or unreadable objects sent by strangers: then only the caps are requested.
    const isTooMuch = error instanceof Unavailable && ['too-many-pages', 'malformed-answer'].includes(error.reason);
    if (isTooMuch) return null;
    throw error;
  }
}

/** Empty for an empty personal cap. */
function parseCap(
  kind: CapKind,
  { objectId, contents }: Pick<OwnedObject, 'objectId' | 'contents'>,
): readonly HeldCap[] {
  try {
    if (contents === null) throw new Error('The cap has no contents');
    const kioskId = parsers[kind](contents);
    return kioskId === null ? [] : [{ capId: objectId, kioskId, kind }];
  } catch (error) {
    // An unreadable cap means an unread kiosk: the whole answer is unknown, not smaller.
    throw new Unavailable('malformed-answer', `The kiosk cap ${objectId} cannot be read`, error);
  }
}

/** The kiosk that each of these caps opens now. Absent: the cap no longer exists, or opens none. Throws Unavailable. */
export async function readKiosksOfCaps(
  sui: Pick<SuiClient, 'readContents'>,
  capTypes: readonly CapType[],
  capIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const objects = await sui.readContents(capIds, stop);
  const caps = objects.flatMap((object) => {
    const kind = capTypes.find(({ objectType }) => objectType === baseType(object.objectType))?.kind;
    return kind === undefined ? [] : parseCap(kind, object);
  });
  return new Map(caps.map(({ capId, kioskId }) => [capId, kioskId]));
}

/** A wallet with more kiosks is a marketplace's, a mistake, or an attempt not to be read. */
export const kiosksMax = 200;

/** The chain calls that ownership needs. Owner fields of kiosks are only hints. */
export type OwnerSource = Pick<SuiClient, 'listOwnedObjects' | 'readKiosk' | 'readOwners' | 'readKioskOwnerFields'>;

const itemKey = bcs.struct('Item', { id: bcs.Address });
const wrappedItem = '0x2::dynamic_object_field::Wrapper<0x2::kiosk::Item>';

/** The id of the field that holds this NFT if it is in this kiosk: an equal id proves that it is. */
export const kioskFieldId = (kioskId: string, objectId: string): string =>
  deriveDynamicFieldID(kioskId, wrappedItem, itemKey.serialize({ id: objectId }).toBytes());
