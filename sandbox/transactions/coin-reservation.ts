import { bcs } from '@mysten/sui/bcs';
import { deriveDynamicFieldID, fromBase58, fromHex, toBase58, toHex } from '@mysten/sui/utils';
import type { ObjectRef } from './transaction-data.ts';

/**
 * A gas payment from the address balance is encoded like a coin reference: version 0; a digest of the amount, the epoch and twenty
 * bytes 0xac; and the accumulator's field id XORed with the chain id as its id (sui-types, `coin_reservation.rs`; @mysten/sui,
 * `coin-reservation.ts`).
 */
const magicByte = 0xac;
const magicFrom = 12;
const digestBytes = 32;

/** The id of the object in which the chain keeps an address's balance of one coin. */
export function accumulatorId(address: string, coinType: string): string {
  const key = `0x2::accumulator::Key<0x2::balance::Balance<${coinType}>>`;
  return deriveDynamicFieldID('0xacc', key, bcs.Address.serialize(address).toBytes());
}

function reservationId(owner: string, coinType: string, chainId: string): string {
  const field = fromHex(accumulatorId(owner, coinType).slice(2));
  const chain = fromBase58(chainId);
  return `0x${toHex(field.map((byte, index) => byte ^ (chain[index] ?? 0)))}`;
}

export type Reservation = { owner: string; coinType: string; amountMist: bigint };

export function reservationRef(
  { owner, coinType, amountMist }: Reservation,
  epoch: bigint,
  chainId: string,
): ObjectRef {
  const digest = Buffer.alloc(digestBytes, magicByte);
  digest.writeBigUInt64LE(amountMist, 0);
  digest.writeUInt32LE(Number(epoch), 8);
  return { objectId: reservationId(owner, coinType, chainId), version: '0', digest: toBase58(new Uint8Array(digest)) };
}

/** The base units that a reference reserves of the owner's address balance; null: it is not a reservation of this owner. */
export function reservedAmount(ref: ObjectRef, owner: string, coinType: string, chainId: string): bigint | null {
  const digest = Buffer.from(fromBase58(ref.digest));
  if (!digest.subarray(magicFrom).every((byte) => byte === magicByte)) return null;
  return ref.objectId === reservationId(owner, coinType, chainId) ? digest.readBigUInt64LE(0) : null;
}
