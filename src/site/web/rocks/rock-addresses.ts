import { canonicalName, canonicalWallet } from '../../../shared/sui-address.ts';
import { collection } from '../../content.ts';

/** The addresses of the rocks' pages, in one place for the server, the router and the links. */

const rockPath = /^\/rocks\/([1-9]\d{0,5})$/;
const holderPath = /^\/holders\/([^/]{1,250})$/;
const plainAddress = /^0x/i;

/** The number in `/rocks/12`; null: no rock of the collection can have this address. */
export function rockNumberIn(path: string): number | null {
  const digits = rockPath.exec(path)?.[1];
  const number = digits === undefined ? null : Number(digits);
  return number !== null && number <= collection.totalSupply ? number : null;
}

/** The canonical address in `/holders/0x…`, or the name in `/holders/@example`; null: neither. */
export function holderIn(path: string): string | null {
  const text = holderPath.exec(path)?.[1]?.replace('%40', '@') ?? '';
  return canonicalName(text) ?? (plainAddress.test(text) ? canonicalWallet(text) : null);
}

/** A rock's picture on our server; the address that the chain names is untrusted. */
export const rockImage = (number: number | string): string => `/rock-images/${number}`;
export const rockLink = (number: number): string => `/rocks/${number}`;
/** For an address or a name, in canonical form. */
export const holderLink = (holder: string): string => `/holders/${holder}`;
export const colorLink = (color: string): string => `/rocks?color=${encodeURIComponent(color)}`;
