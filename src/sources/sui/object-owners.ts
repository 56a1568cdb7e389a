import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress } from '../../shared/sui-address.ts';
import { readObjectBatches, identityOf } from './objects.ts';
import { malformed, type SuiCall } from './sui-call.ts';

/** Whom an object belongs to now. Addresses are canonical. */
type ChainOwner =
  | { readonly kind: 'wallet'; readonly address: string }
  /** Another object: for what lies in a kiosk, the dynamic field between the two. */
  | { readonly kind: 'object'; readonly objectId: string }
  /** Shared or immutable. */
  | { readonly kind: 'none' };

export interface OwnedThing {
  readonly objectId: string;
  /** Canonical. */
  readonly objectType: string;
  readonly owner: ChainOwner;
}

const kiosk = bcs.struct('Kiosk', {
  id: bcs.Address,
  profits: bcs.u64(),
  owner: bcs.Address,
  itemCount: bcs.u32(),
  allowExtensions: bcs.bool(),
});
const kioskType = `0x${'2'.padStart(64, '0')}::kiosk::Kiosk`;
const { ADDRESS, CONSENSUS_ADDRESS, IMMUTABLE, OBJECT, SHARED } = GrpcTypes.Owner_OwnerKind;

/** Who owns these objects now, in batches of 50; an id that the chain does not know is absent. Throws Unavailable. */
export async function readOwners(
  call: SuiCall,
  objectIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, OwnedThing>> {
  const asked = new Set(objectIds);
  const objects = await readObjectBatches(call, [...asked], ['object_id', 'object_type', 'owner'], stop);
  return new Map(
    objects.map((object) => {
      const identity = identityOf(object);
      if (!asked.has(identity.objectId)) throw malformed('A different object than requested');
      return [identity.objectId, { ...identity, owner: parseOwner(object.owner) }];
    }),
  );
}

function parseOwner(owner: GrpcTypes.Owner | undefined): ChainOwner {
  if (owner?.kind === SHARED || owner?.kind === IMMUTABLE) return { kind: 'none' };
  const address = canonicalAddress(owner?.address ?? '');
  if (address === null) throw malformed('An object without an owner');
  if (owner?.kind === ADDRESS || owner?.kind === CONSENSUS_ADDRESS) return { kind: 'wallet', address };
  if (owner?.kind === OBJECT) return { kind: 'object', objectId: address };
  throw malformed('An object of an unknown kind of owner');
}

/**
 * What the owner field of each kiosk says, by kiosk. The cap's holder can write anything there, and it stays when the
 * cap is handed on, so it is a hint where to look and never an answer. Throws Unavailable.
 */
export async function readKioskOwnerFields(
  call: SuiCall,
  kioskIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const objects = await readObjectBatches(call, kioskIds, ['object_id', 'object_type', 'contents'], stop);
  return new Map(
    objects.flatMap((object): [string, string][] => {
      const { objectId, objectType } = identityOf(object);
      return objectType === kioskType ? [[objectId, parseKiosk(object.contents?.value)]] : [];
    }),
  );
}

function parseKiosk(contents: Uint8Array | undefined): string {
  try {
    return kiosk.parse(contents ?? new Uint8Array()).owner;
  } catch (error) {
    throw malformed(`Not a kiosk: ${String(error).slice(0, 200)}`);
  }
}
