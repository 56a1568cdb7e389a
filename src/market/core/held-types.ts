import { baseType, canonicalAddress, canonicalType } from '../../shared/sui-address.ts';

/** An object directly in a wallet. `display` null: it has none. */
export interface DirectObject {
  readonly objectId: string;
  readonly objectType: string;
  readonly display: { readonly name: string | null; readonly imageUrl: string | null } | null;
}

/** An object in a kiosk. */
export interface KioskContent {
  readonly objectId: string;
  readonly objectType: string;
  readonly isListed: boolean;
}

interface Counted {
  readonly collectionType: string;
  readonly isInKiosk: boolean;
  readonly isListed: boolean;
}

/**
 * Counts each NFT once, by its id: an NFT that moved while the wallet was read may have been seen in two places, and two caps
 * may open the same kiosk. Sorted by type, so that equal holdings are equal lists.
 */
export function countHoldings(
  direct: readonly DirectObject[],
  kiosks: readonly (readonly KioskContent[])[],
  capTypes: readonly string[],
) {
  const nfts = new Map<string, Counted>();
  for (const object of direct) {
    if (!countsAsNft(object, capTypes)) continue;
    nfts.set(object.objectId, { collectionType: object.objectType, isInKiosk: false, isListed: false });
  }
  for (const { objectId, objectType, isListed } of kiosks.flat()) {
    if (!mayBeNft(objectType)) continue;
    nfts.set(objectId, { collectionType: objectType, isInKiosk: true, isListed });
  }
  const held = Map.groupBy(nfts.values(), ({ collectionType }) => collectionType);
  return [...held]
    .map(([collectionType, all]) => ({
      collectionType,
      count: all.length,
      kioskCount: all.filter(({ isInKiosk }) => isInKiosk).length,
      listedCount: all.filter(({ isListed }) => isListed).length,
    }))
    .sort((one, other) => (one.collectionType < other.collectionType ? -1 : 1));
}

/**
 * Whether a directly owned object is an NFT (decision 0006): its Display gives it a name or an image, and it is not a system
 * object, coin, cap or name. Those may have a Display too, but are held for what they do.
 */
export function countsAsNft(object: DirectObject, capTypes: readonly string[]): boolean {
  if ((object.display?.name ?? object.display?.imageUrl ?? null) === null) return false;
  return mayBeNft(object.objectType) && !capTypes.includes(baseType(object.objectType));
}

/** Whether a type can be an NFT at all. In a kiosk this alone decides, because objects are put there to be traded. */
export function mayBeNft(objectType: string): boolean {
  const [address = '', module = '', name = ''] = baseType(objectType).split('::');
  return name !== '' && !isSystemAddress(address) && !isName(module, name) && !isCapName(name);
}

/** 0x1 to 0xffff are the chain's own packages (framework, system, bridge, deny list): coins, staked SUI, publishers. */
function isSystemAddress(address: string): boolean {
  return /^0x0{60}[0-9a-f]{4}$/.test(address);
}

/** SuiNS registrations and sub-names, of any package version. */
function isName(module: string, name: string): boolean {
  return (
    (module === 'suins_registration' && name === 'SuinsRegistration') ||
    (module === 'subdomain_registration' && name === 'SubDomainRegistration')
  );
}

/** Move's naming convention for rights (`AdminCap`, `PersonalKioskCap`), never used for collectibles. */
function isCapName(name: string): boolean {
  return /[a-z]Cap$/.test(name);
}

/** A type without arguments matches every instance: `pkg::worm::Worm` also `pkg::worm::Worm<pkg::glow::GLOW>`. Both are canonical. */
export function isOfType(wantedType: string, objectType: string): boolean {
  return objectType === wantedType || (!wantedType.includes('<') && baseType(objectType) === wantedType);
}

/** The `<…>` of a canonical type, or ''. */
export function typeArguments(canonical: string): string {
  const open = canonical.indexOf('<');
  return open === -1 ? '' : canonical.slice(open);
}

/**
 * Whether a marketplace's collection may hold NFTs of a type: it knows a collection by a full type, a generic type without
 * arguments, or a whole package (reference: TradePort's `slug`).
 */
export function mayHoldType(slug: string, nftType: string): boolean {
  const type = canonicalType(slug);
  if (type === null) return canonicalAddress(slug) === nftType.slice(0, nftType.indexOf('::'));
  return isOfType(nftType, type) || type === baseType(nftType);
}
