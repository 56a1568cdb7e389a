import type { GrpcTypes } from '@mysten/sui/grpc';
import { identityOf } from './objects.ts';
import { readAllPages, type SuiCall } from './sui-call.ts';

export interface OwnedObject {
  readonly objectId: string;
  /** Canonical. */
  readonly objectType: string;
  /** null: no Display, or not asked for. */
  readonly display: ObjectDisplay | null;
  /** BCS of the Move struct; null when not asked for. */
  readonly contents: Uint8Array | null;
}

export interface OwnedObjectsQuery {
  readonly owner: string;
  /** `pkg::module::Name` (any instance of a generic) or a full type; every object when left out. */
  readonly objectType?: string;
  readonly include: 'display' | 'contents';
  /** Beyond so many pages it is too much, thrown as Unavailable `too-many-pages`; 50 when left out. */
  readonly pagesMax?: number;
}

const pageSize = 1000;
/** A wallet can be sent any number of coins and objects by strangers; 50,000 is where reading them stops making sense. */
const defaultPagesMax = 50;

/** Objects that the wallet owns directly, all pages; what is in its kiosks is not among them. Throws Unavailable. */
export function listOwnedObjects(
  call: SuiCall,
  query: OwnedObjectsQuery,
  stop?: AbortSignal,
): Promise<readonly OwnedObject[]> {
  const { owner, objectType, include, pagesMax = defaultPagesMax } = query;
  const readMask = { paths: ['object_id', 'object_type', include] };
  return readAllPages(async (pageToken) => {
    const page = await call(
      'ListOwnedObjects',
      async (client, options) => {
        const request = {
          owner,
          pageSize,
          readMask,
          ...(pageToken && { pageToken }),
          ...(objectType && { objectType }),
        };
        return (await client.stateService.listOwnedObjects(request, options)).response;
      },
      stop,
    );
    return { items: page.objects.map(parseOwnedObject), nextPageToken: page.nextPageToken };
  }, pagesMax);
}

function parseOwnedObject(object: GrpcTypes.Object): OwnedObject {
  return {
    ...identityOf(object),
    display: parseDisplay(object.display),
    contents: object.contents?.value ?? null,
  };
}

/** What an object's Display publishes. Untrusted text, cut to a length that fits a card. */
interface ObjectDisplay {
  readonly name: string | null;
  readonly imageUrl: string | null;
}

const nameMax = 200;
const urlMax = 8_000;

/** null: the object has no Display. Keys as most collections use them (Sui Object Display standard). */
function parseDisplay(display: GrpcTypes.Display | undefined): ObjectDisplay | null {
  const output = display?.output?.kind;
  if (output?.oneofKind !== 'structValue') return null;
  const textOf = (key: string): string | null => {
    const value = output.structValue.fields[key]?.kind;
    return value?.oneofKind === 'stringValue' && value.stringValue.trim() !== '' ? value.stringValue : null;
  };
  const imageUrl = textOf('image_url') ?? textOf('img_url') ?? textOf('thumbnail_url');
  return {
    name: textOf('name')?.slice(0, nameMax) ?? null,
    imageUrl: imageUrl !== null && imageUrl.length <= urlMax ? imageUrl : null,
  };
}
