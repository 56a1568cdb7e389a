import { bcs } from '@mysten/sui/bcs';
import { concurrently } from '../../process/taking-turns.ts';
import { Unavailable } from '../../shared/failure.ts';
import { baseType } from '../../shared/sui-address.ts';
import type { OwnedObject } from '../../sources/sui/owned-objects.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { countHoldings, type HeldCollection } from '../core/held-types.ts';
import { deriveDynamicFieldID } from '@mysten/sui/utils';

/** How the contents of a cap name the kiosk it opens. */
type CapKind = 'kiosk-owner-cap' | 'personal-kiosk-cap' | 'origin-byte-owner-token';

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

export const isCap = (capTypes: readonly CapType[], objectType: string): boolean =>
  capTypes.some((cap) => cap.objectType === baseType(objectType));

const ownerCap = bcs.struct('KioskOwnerCap', { id: bcs.Address, for: bcs.Address });
const personalCap = bcs.struct('PersonalKioskCap', { id: bcs.Address, cap: bcs.option(ownerCap) });
const ownerToken = bcs.struct('OwnerToken', { id: bcs.Address, kiosk: bcs.Address, owner: bcs.Address });

const parsers: Readonly<Record<CapKind, (contents: Uint8Array) => string | null>> = {
  'kiosk-owner-cap': (contents) => ownerCap.parse(contents).for,
  // Its inner cap can be taken out for the length of a transaction only, but the type allows for none.
  'personal-kiosk-cap': (contents) => personalCap.parse(contents).cap?.for ?? null,
  'origin-byte-owner-token': (contents) => ownerToken.parse(contents).kiosk,
};

/** A cap in a wallet: it proves that the kiosk is the wallet's. */
export interface HeldCap {
  readonly capId: string;
  readonly kioskId: string;
  readonly kind: CapKind;
}

export type CapSource = Pick<SuiClient, 'listOwnedObjects'>;

/**
 * Every cap of these kinds in the wallet; two may open the same kiosk. A node filters by one type alone: for most wallets
 * everything they own fits one page, which is one request instead of one a kind. Throws Unavailable.
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
    // Too much for one page, or unreadable objects of strangers: then only the caps are requested.
    const isTooMuch = error instanceof Unavailable && ['too-many-pages', 'malformed-answer'].includes(error.reason);
    if (isTooMuch) return null;
    throw error;
  }
}

/** None for an empty personal cap. */
function parseCap(
  kind: CapKind,
  { objectId, contents }: Pick<OwnedObject, 'objectId' | 'contents'>,
): readonly HeldCap[] {
  try {
    if (contents === null) throw new Error('without contents');
    const kioskId = parsers[kind](contents);
    return kioskId === null ? [] : [{ capId: objectId, kioskId, kind }];
  } catch (error) {
    // An unreadable cap is a kiosk that was not read: the whole answer is unknown, not smaller.
    throw new Unavailable('malformed-answer', `The cap ${objectId} of a kiosk cannot be read`, error);
  }
}

/**
 * Which kiosk each of these caps opens now. Absent: it is there no more, or opens none. Throws Unavailable.
 */
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

export type NftSource = Pick<SuiClient, 'listOwnedObjects' | 'readKiosk'>;

/** Fifty kiosks are two rounds; more at once would only queue at the node. */
const kiosksAtOnceMax = 25;
/** Beyond this a wallet is a marketplace's, a mistake, or does not want to be read. */
export const kiosksMax = 200;

/**
 * Rulings R3: NFTs directly owned and in every kiosk whose cap the wallet holds, listed or not, all pages. One call a
 * kiosk. Throws Unavailable when anything could not be read: part of the truth is not the truth.
 */
export async function readHoldings(
  sui: NftSource,
  capTypes: readonly CapType[],
  owner: string,
  stop?: AbortSignal,
): Promise<readonly HeldCollection[]> {
  const readKiosks = async () => {
    const caps = await readCaps(sui, capTypes, owner, stop);
    const kioskIds = [...new Set(caps.map(({ kioskId }) => kioskId))];
    if (kioskIds.length > kiosksMax) {
      throw new Unavailable('too-many-kiosks', `The wallet holds the caps of more than ${kiosksMax} kiosks`);
    }
    return concurrently(kioskIds, kiosksAtOnceMax, (kioskId) => sui.readKiosk(kioskId, stop));
  };
  const [direct, kiosks] = await Promise.all([sui.listOwnedObjects({ owner, include: 'display' }, stop), readKiosks()]);
  return countHoldings(
    direct,
    kiosks,
    capTypes.map(({ objectType }) => objectType),
  );
}

/** The chain, as far as ownership goes. Owner fields of kiosks are only hints. */
export type OwnerSource = Pick<SuiClient, 'listOwnedObjects' | 'readKiosk' | 'readOwners' | 'readKioskOwnerFields'>;

const itemKey = bcs.struct('Item', { id: bcs.Address });
const wrappedItem = '0x2::dynamic_object_field::Wrapper<0x2::kiosk::Item>';

/** The id of the field by which this kiosk would own this piece: equal ids prove that it does. */
export const kioskFieldId = (kioskId: string, objectId: string): string =>
  deriveDynamicFieldID(kioskId, wrappedItem, itemKey.serialize({ id: objectId }).toBytes());
