import { decimalOf } from '../world/base-units.ts';

/** Four decimals; below one, all of them. */
export function glanceOf(baseUnits: bigint, decimals: number): string {
  const text = decimalOf(baseUnits, decimals);
  return text.startsWith('0.') ? text : text.replace(/(\.\d{4})\d+$/, '$1');
}

/** MIST as SUI; a dash for null. */
export function suiOf(mist: bigint | null): string {
  return mist === null ? '–' : `${decimalOf(mist, 9)} SUI`;
}

export function shortAddress(address: string | null): string {
  return address === null ? '–' : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** `0x1234…abcd::module::Name`, including the types inside a generic one. */
export function shortType(type: string): string {
  return type.replace(/0x[0-9a-f]{64}/g, shortAddress);
}

/** Time of day in UTC, with the date when it is not today. */
export function clockOf(atMs: number, nowMs: number): string {
  const text = new Date(atMs).toISOString();
  const sameDay = text.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10);
  return sameDay ? text.slice(11, 19) : `${text.slice(5, 10)} ${text.slice(11, 16)}`;
}
