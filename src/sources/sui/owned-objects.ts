import { bcs } from '@mysten/sui/bcs';
import type { GrpcTypes } from '@mysten/sui/grpc';
import { cleanText, storable } from '../../shared/foreign-text.ts';
import { stakedSuiType } from '../../shared/sui-address.ts';
import { identityOf, listOwned, readObjectBatches } from './objects.ts';
import { malformed, readAllPages, type SuiCall } from './sui-call.ts';

export interface OwnedObject {
  readonly objectId: string;
  readonly objectType: string;
  /** null: no Display, or not requested. */
  readonly display: ObjectDisplay | null;
  /** BCS of the Move struct; null: not requested. */
  readonly contents: Uint8Array | null;
}

export interface OwnedObjectsQuery {
  readonly owner: string;
  /** `pkg::module::Name` (any instance of a generic) or a full type; by default every object. */
  readonly objectType?: string;
  /** What else to read of each object. Pages then have fewer objects: they end at 512 KiB. */
  readonly include?: 'display' | 'contents';
  /** More pages throw Unavailable `too-many-pages`; 50 by default. */
  readonly pagesMax?: number;
}

/** Strangers can send a wallet any number of objects; beyond 50,000, reading them makes no sense. */
const defaultPagesMax = 50;

/** Objects that the wallet owns directly, all pages; without the contents of its kiosks. */
export function listOwnedObjects(
  call: SuiCall,
  query: OwnedObjectsQuery,
  stop?: AbortSignal,
): Promise<readonly OwnedObject[]> {
  const { owner, objectType, include, pagesMax = defaultPagesMax } = query;
  const readMask = { paths: ['object_id', 'object_type', ...(include === undefined ? [] : [include])] };
  const request = { owner, readMask, ...(objectType && { objectType }) };
  return readAllPages(listOwned(call, request, stop), ({ objects }) => objects.map(parseOwnedObject), pagesMax);
}

function parseOwnedObject(object: GrpcTypes.Object): OwnedObject {
  return {
    ...identityOf(object),
    display: parseDisplay(object.display),
    contents: object.contents?.value ?? null,
  };
}

/** From `sui_system::staking_pool`; a `Balance` is just its number. */
const stakedSui = bcs.struct('StakedSui', {
  id: bcs.Address,
  poolId: bcs.Address,
  activationEpoch: bcs.u64(),
  principal: bcs.u64(),
});

/** The principal that a wallet has staked, in MIST. Rewards stay in the pool until they are withdrawn. */
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
 * Name, image and color by id; absent: no such object. They come from the Display or, if missing there, from the object's own
 * fields: the node serves Displays of version 2 and those migrated from version 1, and not every type has one.
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
  /** Its trait named color. Untrusted text. */
  readonly color: string | null;
}

const traitDepthMax = 6;
const traitMax = 60;
const colorName = /^colou?r$/i;

/** Texts named color: a field of that name, or a list entry with that key and a value, as in `VecMap` and traits. */
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

/** null: no text, or only blanks. */
function textOf(value: GrpcValue | undefined): string | null {
  const text = value?.kind.oneofKind === 'stringValue' ? storable(value.kind.stringValue) : '';
  return text.trim() === '' ? null : text;
}

/** What an object's Display publishes. Untrusted text, cut to fit a card. */
interface ObjectDisplay {
  readonly name: string | null;
  readonly imageUrl: string | null;
}

const nameMax = 200;
const urlMax = 8_000;

/** The keys most collections use (Sui Object Display standard), and usual names of objects' own fields. */
const displayImageKeys = ['image_url', 'img_url', 'thumbnail_url'];
const fieldImageKeys = [...displayImageKeys, 'url', 'thumbnail'];

/** null: the object has no Display. */
function parseDisplay(display: GrpcTypes.Display | undefined): ObjectDisplay | null {
  return display?.output?.kind.oneofKind === 'structValue' ? shownBy(display.output, displayImageKeys) : null;
}

/** A template may give any JSON, and null if it failed: everything but text is ignored. */
function shownBy(value: GrpcValue | undefined, imageKeys: readonly string[]): ObjectDisplay {
  const fields = value?.kind.oneofKind === 'structValue' ? value.kind.structValue.fields : {};
  const imageUrl = imageKeys.map((key) => textOf(fields[key])).find((text) => text !== null) ?? null;
  return {
    name: cleanText(textOf(fields['name']) ?? '', nameMax) || null,
    imageUrl: imageUrl !== null && imageUrl.length <= urlMax ? imageUrl : null,
  };
}
