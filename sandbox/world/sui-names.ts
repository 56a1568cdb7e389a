import { isValidStructTag, isValidSuiAddress, normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { addressFrom } from './derived-ids.ts';
import type { CapKind } from './state.ts';
import { Impossible } from './state.ts';

const framework = normalizeSuiAddress('0x2');

export const suiCoinType = `${framework}::sui::SUI`;
export const coinStruct = `${framework}::coin::Coin`;
export const kioskType = `${framework}::kiosk::Kiosk`;
export const kioskOwnerCapType = `${framework}::kiosk::KioskOwnerCap`;
export const kioskItemType = `${framework}::kiosk::Item`;
export const kioskListingType = `${framework}::kiosk::Listing`;
export const kioskLockType = `${framework}::kiosk::Lock`;

/** The mainnet packages of the two other kiosk caps. */
export const personalKioskCapType =
  '0x0cb4bcc0560340eb1a1b929cabe56b33fc6449820ec8c1980d69bb98b649b802::personal_kiosk::PersonalKioskCap';
export const originByteTokenType =
  '0x95a441d389b07437d00dd07e0b6f05f513d7659b13fd7c5d3923c7d9d847199b::ob_kiosk::OwnerToken';

/** The type of the cap that opens a kiosk, by kind. */
export const capTypes: Record<CapKind, string> = {
  kiosk: kioskOwnerCapType,
  'personal-kiosk': personalKioskCapType,
  'origin-byte-kiosk': originByteTokenType,
};

/** TradePort's listings of NFTs outside kiosks, and the store object that owns them. */
export const simpleListingType =
  '0xff2251ea99230ed1cbe3a347a209352711c6723fcdcd9286e16636e65bb55cab::tradeport_listings::SimpleListing';
export const simpleListingsStore = '0xf96f9363ac5a64c058bf7140723226804d74c0dab2dd27516fb441a180cd763b';

export const stakedSuiType = `${normalizeSuiAddress('0x3')}::staking_pool::StakedSui`;

/** The sandbox's exchange, with one shared pool for each pair of coins. */
export const poolPackage = addressFrom('package/exchange');

export function poolTypeOf(coinA: string, coinB: string): string {
  return `${poolPackage}::pool::Pool<${coinA}, ${coinB}>`;
}

/** Canonical 64-hex form of an address. Throws Impossible for anything else. */
export function canonicalAddress(address: string): string {
  const canonical = normalizeSuiAddress(address);
  if (!isValidSuiAddress(canonical)) throw new Impossible(`Not a Sui address: ${address}`);
  return canonical;
}

/** Canonical 64-hex form of a struct type. Throws Impossible for anything else. */
export function canonicalType(type: string): string {
  // Move and nodes allow names that begin with an underscore; the SDK's check does not.
  if (!isValidStructTag(type.replaceAll(/::_+(?=\w)/g, '::a'))) throw new Impossible(`Not a Move type: ${type}`);
  return normalizeStructTag(type);
}
