import { canonicalName, canonicalWallet } from '../../../shared/sui-address.ts';
import { collection } from '../../content.ts';

/** The one place that knows which addresses the rocks' pages have: the server, the router and the links read it. */

const rockPath = /^\/rocks\/([1-9]\d{0,5})$/;
const holderPath = /^\/holders\/([^/]{1,250})$/;
const plainAddress = /^0x/i;

/** The number in `/rocks/12`; null: no rock of the collection can stand there. */
export function rockNumberIn(path: string): number | null {
  const digits = rockPath.exec(path)?.[1];
  const number = digits === undefined ? null : Number(digits);
  return number !== null && number <= collection.totalSupply ? number : null;
}

/** The canonical address in `/holders/0x…`, or the name in `/holders/@example`; null: it is none of this chain. */
export function holderIn(path: string): string | null {
  const text = holderPath.exec(path)?.[1]?.replace('%40', '@') ?? '';
  return canonicalName(text) ?? (plainAddress.test(text) ? canonicalWallet(text) : null);
}

/** A rock's picture as the server has it; what the chain names is a stranger's address. */
export const rockImage = (number: number | string): string => `/rock-images/${number}`;
export const rockLink = (number: number): string => `/rocks/${number}`;
/** Of an address or a name, both canonical. */
export const holderLink = (holder: string): string => `/holders/${holder}`;
export const colorLink = (color: string): string => `/rocks?color=${encodeURIComponent(color)}`;
