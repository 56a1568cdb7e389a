import { baseType } from '../../shared/sui-address.ts';
import type { DirectObject } from '../ports.ts';

/**
 * Which directly owned object is an NFT (decision 0006): one with a Display that gives it a name or an image, except the
 * objects of the system, coins, caps and names, which publish a Display too and are held for what they do.
 */
export function countsAsNft(object: DirectObject, capTypes: readonly string[]): boolean {
  if (!object.hasDisplay || (object.name === null && object.imageUrl === null)) return false;
  return mayBeCollected(object.objectType) && !capTypes.includes(baseType(object.objectType));
}

/** Whether a type can be an NFT at all: for what lies in a kiosk this alone decides, as things are put there to be traded. */
export function mayBeCollected(objectType: string): boolean {
  const [address = '', module = '', name = ''] = baseType(objectType).split('::');
  return name !== '' && !isSystemAddress(address) && !isName(module, name) && !isCapName(name);
}

/** 0x1 to 0xffff are the chain's own packages (framework, system, bridge, deny list): coins, staked SUI, publishers. */
function isSystemAddress(address: string): boolean {
  return /^0x0{60}[0-9a-f]{4}$/.test(address);
}

/** SuiNS registrations and sub-names: an identity, whatever package version they are from. */
function isName(module: string, name: string): boolean {
  return (
    (module === 'suins_registration' && name === 'SuinsRegistration') ||
    (module === 'subdomain_registration' && name === 'SubDomainRegistration')
  );
}

/** Move's convention for rights (`AdminCap`, `PersonalKioskCap`); never for things that are collected. */
function isCapName(name: string): boolean {
  return /[a-z]Cap$/.test(name);
}
