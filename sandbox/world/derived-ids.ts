import { createHash } from 'node:crypto';
import { toBase58 } from '@mysten/sui/utils';

/** Deterministic stand-ins for what a real chain would assign: the same label always gives the same id. */
function digestOf(label: string): Buffer {
  return createHash('sha256').update(`sandbox/${label}`).digest();
}

/** A Sui address or object id: 0x and 64 hex characters. */
export function addressFrom(label: string): string {
  return `0x${digestOf(`address/${label}`).toString('hex')}`;
}

/** A transaction or object digest: base58 of 32 bytes. */
export function digestFrom(label: string): string {
  return toBase58(new Uint8Array(digestOf(`digest/${label}`)));
}

/** The digest of an object at one of its versions. */
export function objectDigest(objectId: string, version: number): string {
  return digestFrom(`object/${objectId}/${version}`);
}

/** A 32-bit integer to seed a random generator with. */
export function numberFrom(label: string): number {
  return digestOf(`number/${label}`).readUInt32BE();
}

/** A uuid in version 4 form, like the marketplace's row ids. */
export function uuidFrom(label: string): string {
  const hex = digestOf(`uuid/${label}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
