import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress } from '../../shared/sui-address.ts';
import { readObjectBatches } from './objects.ts';
import { malformed, readAllPages, type SuiCall } from './sui-call.ts';

/** An object at one of its versions: what a transaction names, and spends. */
export interface ObjectVersion {
  /** Canonical. */
  readonly objectId: string;
  readonly version: bigint;
  readonly digest: string;
  /** Digest of the transaction that made this version; null: the node does not say. */
  readonly madeBy: string | null;
}

/** A coin object. `raw`: base units. What lies in an address balance is in none. */
export interface CoinObject extends ObjectVersion {
  readonly raw: bigint;
}

const pageSize = 1000;
/** Anybody can send coin objects: 50,000 of one coin is where reading them stops making sense. */
const pagesMax = 50;
const paths = ['object_id', 'version', 'digest', 'previous_transaction'];

/** Every coin object of a wallet of one coin, all pages. `coinType` is canonical. Throws Unavailable. */
export function listCoinObjects(
  call: SuiCall,
  { owner, coinType }: { readonly owner: string; readonly coinType: string },
  stop?: AbortSignal,
): Promise<readonly CoinObject[]> {
  const objectType = `0x${'2'.padStart(64, '0')}::coin::Coin<${coinType}>`;
  const readMask = { paths: [...paths, 'balance'] };
  return readAllPages(async (pageToken) => {
    const page = await call(
      'ListOwnedObjects',
      async (client, options) => {
        const request = { owner, objectType, pageSize, readMask, ...(pageToken && { pageToken }) };
        return (await client.stateService.listOwnedObjects(request, options)).response;
      },
      stop,
    );
    return { items: page.objects.map(parseCoin), nextPageToken: page.nextPageToken };
  }, pagesMax);
}

function parseCoin(object: GrpcTypes.Object): CoinObject {
  const { balance } = object;
  if (balance === undefined) throw malformed('A coin object without an amount');
  return { ...parseVersion(object), raw: balance };
}

/** The versions of these objects now; absent: there is no such object, any more or yet. Throws Unavailable. */
export async function readVersions(
  call: SuiCall,
  objectIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, ObjectVersion>> {
  const objects = await readObjectBatches(call, objectIds, paths, stop);
  return new Map(objects.map((object) => [parseVersion(object).objectId, parseVersion(object)]));
}

function parseVersion({ objectId, version, digest, previousTransaction }: GrpcTypes.Object): ObjectVersion {
  const id = canonicalAddress(objectId ?? '');
  if (id === null || version === undefined || !digest)
    throw malformed('An object without an id, a version or a digest');
  return { objectId: id, version, digest, madeBy: previousTransaction ?? null };
}
