import { bcs } from '@mysten/sui/bcs';
import type { GrpcTypes } from '@mysten/sui/grpc';
import { stakedSuiType } from '../../shared/sui-address.ts';
import { identityOf, readObjectBatches } from './objects.ts';
import { malformed, readAllPages, type SuiCall } from './sui-call.ts';

export interface OwnedObject {
  readonly objectId: string;
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
  /** What else of each object. A page with it holds fewer objects: 512 KiB at most. */
  readonly include?: 'display' | 'contents';
  /** Beyond so many pages it is too much, thrown as Unavailable `too-many-pages`; 50 when left out. */
  readonly pagesMax?: number;
}

const pageSize = 1000;
/** A wallet can be sent any number of coins and objects by strangers; 50,000 is where reading them stops making sense. */
const defaultPagesMax = 50;

/** Objects that the wallet owns directly, all pages; what is in its kiosks is not among them. */
export function listOwnedObjects(
  call: SuiCall,
  query: OwnedObjectsQuery,
  stop?: AbortSignal,
): Promise<readonly OwnedObject[]> {
  const { owner, objectType, include, pagesMax = defaultPagesMax } = query;
  const readMask = { paths: ['object_id', 'object_type', ...(include === undefined ? [] : [include])] };
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

/** `sui_system::staking_pool`; a `Balance` is its number alone. */
const stakedSui = bcs.struct('StakedSui', {
  id: bcs.Address,
  poolId: bcs.Address,
  activationEpoch: bcs.u64(),
  principal: bcs.u64(),
});

/** What a wallet has given to validators, in MIST: the principal. The reward is in the pool until it is withdrawn. */
export async function readStakedMist(call: SuiCall, owner: string, stop?: AbortSignal): Promise<bigint> {
  const staked = await listOwnedObjects(call, { owner, objectType: stakedSuiType, include: 'contents' }, stop);
  return staked.reduce((sum, { contents }) => sum + principalOf(contents), 0n);
}

function principalOf(contents: Uint8Array | null): bigint {
  try {
    return BigInt(stakedSui.parse(contents ?? new Uint8Array()).principal);
  } catch (error) {
    throw malformed(`Not staked SUI: ${String(error).slice(0, 200)}`);
  }
}

/**
 * By id; absent: no such object. What the Display says, and where it says nothing, or there is none, what the object's own fields say:
 * the node serves Displays of version 2 and those that migrated from version 1, and not every type has one.
 */
export async function readShownObjects(
  call: SuiCall,
  objectIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, ShownObject>> {
  const objects = await readObjectBatches(call, objectIds, ['object_id', 'object_type', 'display', 'json'], stop);
  return new Map(
    objects.map((object) => {
      const shown = [object.display?.output, object.json].filter((value) => value !== undefined);
      const color = shown.flatMap((value) => colorTexts(value, 0))[0] ?? null;
      const byDisplay = shownBy(object.display?.output, displayImageKeys);
      const byFields = shownBy(object.json, fieldImageKeys);
      return [
        identityOf(object).objectId,
        { name: byDisplay.name ?? byFields.name, imageUrl: byDisplay.imageUrl ?? byFields.imageUrl, color },
      ];
    }),
  );
}

export interface ShownObject extends ObjectDisplay {
  /** Of its trait of that name. Untrusted text. */
  readonly color: string | null;
}

const traitDepthMax = 6;
const traitMax = 60;
const colorName = /^colou?r$/i;

/** Texts under the name color: as a field, or as a list's entry of a key and a value, as `VecMap` and traits are written. */
function colorTexts(value: GrpcValue, depth: number): readonly string[] {
  if (depth > traitDepthMax) return [];
  if (value.kind.oneofKind === 'listValue') {
    return value.kind.listValue.values.flatMap((each) => colorTexts(each, depth + 1));
  }
  if (value.kind.oneofKind !== 'structValue') return [];
  const { fields } = value.kind.structValue;
  const isColorEntry = ['key', 'name', 'trait_type'].some((key) => colorName.test(textOf(fields[key]) ?? ''));
  return Object.entries(fields).flatMap(([name, field]) => {
    const text = colorName.test(name) || (isColorEntry && name === 'value') ? textOf(field) : null;
    return text === null ? colorTexts(field, depth + 1) : [text.slice(0, traitMax)];
  });
}

type GrpcValue = NonNullable<GrpcTypes.Object['json']>;

function textOf(value: GrpcValue | undefined): string | null {
  return value?.kind.oneofKind === 'stringValue' && value.kind.stringValue.trim() !== ''
    ? value.kind.stringValue
    : null;
}

/** What an object's Display publishes. Untrusted text, cut to a length that fits a card. */
interface ObjectDisplay {
  readonly name: string | null;
  readonly imageUrl: string | null;
}

const nameMax = 200;
const urlMax = 8_000;

/** Keys as most collections use them (Sui Object Display standard), and as objects name their own fields. */
const displayImageKeys = ['image_url', 'img_url', 'thumbnail_url'];
const fieldImageKeys = [...displayImageKeys, 'url', 'thumbnail'];

/** null: the object has no Display. */
function parseDisplay(display: GrpcTypes.Display | undefined): ObjectDisplay | null {
  return display?.output?.kind.oneofKind === 'structValue' ? shownBy(display.output, displayImageKeys) : null;
}

/** A template may give any JSON, and null where it failed: what is no text says nothing. */
function shownBy(value: GrpcValue | undefined, imageKeys: readonly string[]): ObjectDisplay {
  const fields = value?.kind.oneofKind === 'structValue' ? value.kind.structValue.fields : {};
  const imageUrl = imageKeys.map((key) => textOf(fields[key])).find((text) => text !== null) ?? null;
  return {
    name: textOf(fields['name'])?.slice(0, nameMax) ?? null,
    imageUrl: imageUrl !== null && imageUrl.length <= urlMax ? imageUrl : null,
  };
}
