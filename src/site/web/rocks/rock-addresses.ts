import { canonicalWallet } from '../../../shared/sui-address.ts';
import { collection } from '../../content.ts';

/** The one place that knows which addresses the rocks' pages have: the server, the router and the links read it. */

const rockPath = /^\/rocks\/([1-9]\d{0,5})$/;
const holderPath = /^\/holders\/(0x[0-9a-f]{64})$/i;

/** The number in `/rocks/12`; null: no rock of the collection can stand there. */
export function rockNumberIn(path: string): number | null {
  const digits = rockPath.exec(path)?.[1];
  const number = digits === undefined ? null : Number(digits);
  return number !== null && number <= collection.totalSupply ? number : null;
}

/** The canonical address in `/holders/0x…`; null: it is none of this chain. */
export const holderIn = (path: string): string | null => canonicalWallet(holderPath.exec(path)?.[1] ?? '');

export const rockLink = (number: number): string => `/rocks/${number}`;
export const holderLink = (address: string): string => `/holders/${address}`;
export const colorLink = (color: string): string => `/rocks?color=${encodeURIComponent(color)}`;
