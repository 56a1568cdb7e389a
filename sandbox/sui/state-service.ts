import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import type { Holding, WorldContext } from '../world/state.ts';
import { canonicalAddress, canonicalType } from '../world/sui-names.ts';
import { coinObjectTotal } from '../world/tokens.ts';
import { addressFrom } from '../world/derived-ids.ts';
import { fieldsOf, withoutUnloadedValue } from './dynamic-fields.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { objectsOwnedBy, typeMatches } from './object-index.ts';
import { pageOf } from './paging.ts';
import { readMask } from './read-mask.ts';

function balanceOf(coinType: string, holding: Holding): GrpcTypes.Balance {
  const coinBalance = coinObjectTotal(holding);
  return GrpcTypes.Balance.create({
    coinType,
    balance: coinBalance + holding.addressBalance,
    coinBalance,
    addressBalance: holding.addressBalance,
  });
}

/** Every coin type with a non-zero balance, coin objects and address balance together. */
export function listBalances(
  world: WorldContext,
  request: GrpcTypes.ListBalancesRequest,
): GrpcTypes.ListBalancesResponse {
  const owner = required('owner', request.owner, canonicalAddress);
  const held = [...(world.state.holdings.get(owner) ?? [])].map(([coinType, holding]) => balanceOf(coinType, holding));
  const { page, nextPageToken } = pageOf(
    {
      items: held.filter((balance) => balance.balance !== 0n),
      keyOf: (balance) => balance.coinType ?? '',
      pageSize: request.pageSize,
      pageToken: request.pageToken,
      parameters: { owner },
    },
    (balance) => balance,
    (balance) => GrpcTypes.Balance.toBinary(balance).length,
  );
  return { balances: page, ...(nextPageToken && { nextPageToken }) };
}

export function getBalance(world: WorldContext, request: GrpcTypes.GetBalanceRequest): GrpcTypes.GetBalanceResponse {
  const owner = required('owner', request.owner, canonicalAddress);
  const coinType = required('coin_type', request.coinType, canonicalType);
  const holding = world.state.holdings.get(owner)?.get(coinType) ?? { coinObjects: [], addressBalance: 0n };
  return { balance: balanceOf(coinType, holding) };
}

/** NOT_FOUND for any coin without metadata, even one that exists. */
export function getCoinInfo(world: WorldContext, request: GrpcTypes.GetCoinInfoRequest): GrpcTypes.GetCoinInfoResponse {
  const coinType = required('coin_type', request.coinType, canonicalType);
  const metadata = world.state.coins.get(coinType)?.metadata;
  if (!metadata) throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, `Coin type ${coinType} not found`);
  const { iconUrl, ...known } = metadata;
  return {
    coinType,
    metadata: { ...known, ...(iconUrl !== null && { iconUrl }) },
    treasury: { id: addressFrom(`treasury-cap/${coinType}`), totalSupply: 10n ** 18n },
  };
}

const ownedObjectDefaults = ['object_id', 'version', 'object_type'];

/** Objects of a wallet, by type filter. NFTs in kiosks are not included. */
export function listOwnedObjects(
  world: WorldContext,
  imageBaseUrl: string,
  request: GrpcTypes.ListOwnedObjectsRequest,
): GrpcTypes.ListOwnedObjectsResponse {
  const owner = required('owner', request.owner, canonicalAddress);
  const filter = request.objectType === undefined ? null : canonicalFilter(request.objectType);
  const mask = readMask(GrpcTypes.Object, request.readMask, ownedObjectDefaults);
  const owned = objectsOwnedBy(world.state, owner, imageBaseUrl);
  const { page, nextPageToken } = pageOf(
    {
      items: filter === null ? owned : owned.filter((object) => typeMatches(object.type, filter)),
      keyOf: (object) => object.id,
      pageSize: request.pageSize,
      pageToken: request.pageToken,
      parameters: { owner, filter, mask: request.readMask?.paths },
    },
    (object) => mask.apply(object.render()),
    (object) => GrpcTypes.Object.toBinary(object).length,
  );
  return { objects: page, ...(nextPageToken && { nextPageToken }) };
}

/** A package, `pkg::module` or full type in canonical form. */
export function canonicalFilter(filter: string): string {
  const [address = '', ...path] = filter.split('::');
  if (path.length >= 2) return required('object_type', filter, canonicalType);
  return [required('object_type', address, canonicalAddress), ...path].join('::');
}

export function listDynamicFields(
  world: WorldContext,
  imageBaseUrl: string,
  request: GrpcTypes.ListDynamicFieldsRequest,
): GrpcTypes.ListDynamicFieldsResponse {
  const parent = required('parent', request.parent, canonicalAddress);
  const mask = readMask(GrpcTypes.DynamicField, request.readMask, ['parent', 'field_id']);
  const { page, nextPageToken } = pageOf(
    {
      items: fieldsOf(world.state, parent, imageBaseUrl),
      keyOf: (field) => field.fieldId,
      pageSize: request.pageSize,
      pageToken: request.pageToken,
      parameters: { parent, mask: request.readMask?.paths },
    },
    (field) => mask.apply(withoutUnloadedValue(field.render(), mask)),
    (field) => GrpcTypes.DynamicField.toBinary(field).length,
  );
  return { dynamicFields: page, ...(nextPageToken && { nextPageToken }) };
}

/** A required field in canonical form; INVALID_ARGUMENT when it is missing or invalid. */
export function required(name: string, given: string | undefined, canonical: (given: string) => string): string {
  if (given === undefined || given === '') throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, `missing ${name}`);
  try {
    return canonical(given);
  } catch {
    throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, `invalid ${name}`);
  }
}
