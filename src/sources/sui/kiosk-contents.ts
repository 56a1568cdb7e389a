import { bcs } from '@mysten/sui/bcs';
import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress, canonicalMoveType, canonicalType } from '../../shared/sui-address.ts';
import { malformed, readAllPages, type SuiCall } from './sui-call.ts';

export interface KioskItem {
  readonly objectId: string;
  /** Canonical. */
  readonly objectType: string;
  /** MIST; null when the item is not listed. An exclusive listing (a marketplace holds the purchase cap) has a minimum price. */
  readonly listing: { readonly priceMist: bigint; readonly isExclusive: boolean } | null;
  readonly isLocked: boolean;
}

const pageSize = 1000;
const pagesMax = 20;

/**
 * `value` comes only together with fields that make the node load the entry (`kind`, `name`). Display is not asked for:
 * it would cut a large kiosk into many pages at 512 KiB, and a count does not need it.
 */
const readMask = { paths: ['kind', 'name', 'value', 'value_type', 'child_id'] };

const framework = `0x${'2'.padStart(64, '0')}`;
const itemType = `${framework}::kiosk::Item`;
const listingType = `${framework}::kiosk::Listing`;
const lockType = `${framework}::kiosk::Lock`;
const wrapperOfItem = `${framework}::dynamic_object_field::Wrapper<${itemType}>`;
const listingName = bcs.struct('Listing', { id: bcs.Address, isExclusive: bcs.bool() });

/** Everything that lies in a kiosk, all pages: a listed item still belongs to the kiosk's owner. Throws Unavailable. */
export async function readKiosk(call: SuiCall, kioskId: string, stop?: AbortSignal): Promise<readonly KioskItem[]> {
  const fields = await readAllPages(async (pageToken) => {
    const page = await call(
      'ListDynamicFields',
      async (client, options) => {
        const request = { parent: kioskId, pageSize, readMask, ...(pageToken && { pageToken }) };
        return (await client.stateService.listDynamicFields(request, options)).response;
      },
      stop,
    );
    return { items: page.dynamicFields, nextPageToken: page.nextPageToken };
  }, pagesMax);
  return itemsOf(fields);
}

function itemsOf(fields: readonly GrpcTypes.DynamicField[]): readonly KioskItem[] {
  const types = new Map<string, string>();
  const listings = new Map<string, NonNullable<KioskItem['listing']>>();
  const locked = new Set<string>();
  for (const field of fields) {
    // Extensions keep fields of their own in a kiosk, under any type; one that is no type at all is nonsense.
    const nameType = canonicalMoveType(field.name?.name ?? '');
    if (nameType === null) throw malformed('A kiosk field without a type');
    if (nameType === itemType || nameType === wrapperOfItem) types.set(...parseItem(field));
    else if (nameType === listingType) listings.set(...parseListing(field));
    else if (nameType === lockType) locked.add(parseId(field));
  }
  return [...types].map(([objectId, objectType]) => ({
    objectId,
    objectType,
    listing: listings.get(objectId) ?? null,
    isLocked: locked.has(objectId),
  }));
}

function parseItem({ childId, valueType }: GrpcTypes.DynamicField): [string, string] {
  const objectId = canonicalAddress(childId ?? '');
  const objectType = canonicalType(valueType ?? '');
  if (objectId === null || objectType === null) throw malformed('A kiosk item without an id or a type');
  return [objectId, objectType];
}

function parseListing(field: GrpcTypes.DynamicField): [string, NonNullable<KioskItem['listing']>] {
  const { id, isExclusive } = decode(() => listingName.parse(field.name?.value ?? new Uint8Array()));
  const priceMist = decode(() => BigInt(bcs.u64().parse(field.value?.value ?? new Uint8Array())));
  return [id, { priceMist, isExclusive }];
}

function parseId(field: GrpcTypes.DynamicField): string {
  return decode(() => bcs.Address.parse(field.name?.value ?? new Uint8Array()));
}

function decode<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw malformed(`A kiosk field that is not what its type says: ${String(error).slice(0, 200)}`);
  }
}
