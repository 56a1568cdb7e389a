import { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import { malformed, orNull, readAllPages, type SuiCall } from './sui-call.ts';
import { listOwned, readObjectBatches } from './objects.ts';

/** `rawBalance` in base units: coin objects and the address balance together (listCoins would miss the latter). */
export interface WalletBalance {
  readonly coinType: string;
  readonly rawBalance: bigint;
}

/** Anybody can send a new coin type for a cent or two: 100,000 types cost more than a thousand SUI, and still fit in one refresh. */
const balancePagesMax = 100;

/** Every coin type of a wallet, all pages. */
export function listBalances(call: SuiCall, owner: string, stop?: AbortSignal): Promise<readonly WalletBalance[]> {
  return readAllPages(
    (page) =>
      call('ListBalances', ({ stateService }, options) => stateService.listBalances({ owner, ...page }, options), stop),
    ({ balances }) => balances.map(parseBalance),
    balancePagesMax,
  );
}

function parseBalance({ coinType, balance }: GrpcTypes.Balance): WalletBalance {
  const canonical = canonicalType(coinType ?? '');
  if (canonical === null || balance === undefined) throw malformed('A balance without a type or an amount');
  return { coinType: canonical, rawBalance: balance };
}

/** Texts are untrusted and may be long. */
export interface CoinInfo {
  readonly coinType: string;
  readonly decimals: number;
  readonly symbol: string;
  readonly name: string;
  readonly iconUrl: string | null;
}

/**
 * The chain's metadata of a coin (`coinType` canonical). null only if the node says NOT_FOUND or the coin has no metadata. The Core
 * API's `getCoinMetadata` is not used, because it also turns a rate limit or an outage into null.
 */
export async function readCoinInfo(call: SuiCall, coinType: string, stop?: AbortSignal): Promise<CoinInfo | null> {
  const answer = await call(
    'GetCoinInfo',
    ({ stateService }, options) => orNull(['NOT_FOUND'], stateService.getCoinInfo({ coinType }, options)),
    stop,
  );
  if (answer === null) return null;
  if (canonicalType(answer.coinType ?? '') !== coinType) throw malformed('The metadata of another coin');
  return answer.metadata === undefined ? null : parseMetadata(coinType, answer.metadata);
}

function parseMetadata(coinType: string, metadata: GrpcTypes.CoinMetadata): CoinInfo {
  const { decimals, symbol = '', name = '', iconUrl = null } = metadata;
  // Absent decimals are not 0 and not 9: proto3 optional fields are sent even when they are zero.
  if (decimals === undefined || decimals > 255) throw malformed('Coin metadata without decimals');
  return { coinType, decimals, symbol, name, iconUrl };
}

/** An object at one version, as a transaction names it. */
export interface ObjectVersion {
  readonly objectId: string;
  readonly version: bigint;
  readonly digest: string;
  /** Digest of the transaction that made this version; null: the node does not say. */
  readonly madeBy: string | null;
}

/** A coin object that its owner can pay with. `raw`: base units. */
export interface CoinObject extends ObjectVersion {
  readonly raw: bigint;
}

/** Anybody can send coin objects: beyond 50,000 of one coin, reading them makes no sense. */
const coinPagesMax = 50;
const versionPaths = ['object_id', 'version', 'digest', 'previous_transaction'];
const { CONSENSUS_ADDRESS } = GrpcTypes.Owner_OwnerKind;

/**
 * The coin objects of one coin in a wallet, all pages, without party objects: consensus sequences those, so one that a stranger sent
 * would have every transaction that names it as an owned object refused. `coinType` is canonical.
 */
export function listCoinObjects(
  call: SuiCall,
  { owner, coinType }: { readonly owner: string; readonly coinType: string },
  stop?: AbortSignal,
): Promise<readonly CoinObject[]> {
  const objectType = `0x${'2'.padStart(64, '0')}::coin::Coin<${coinType}>`;
  const readMask = { paths: [...versionPaths, 'owner', 'balance'] };
  const isOwned = (object: GrpcTypes.Object): boolean => object.owner?.kind !== CONSENSUS_ADDRESS;
  return readAllPages(
    listOwned(call, { owner, objectType, readMask }, stop),
    ({ objects }) => objects.filter(isOwned).map(parseCoin),
    coinPagesMax,
  );
}

function parseCoin(object: GrpcTypes.Object): CoinObject {
  const { balance } = object;
  if (balance === undefined) throw malformed('A coin object without an amount');
  return { ...parseVersion(object), raw: balance };
}

/** The current versions of these objects. Absent: the object does not exist (yet or any more). */
export async function readVersions(
  call: SuiCall,
  objectIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, ObjectVersion>> {
  const objects = await readObjectBatches(call, objectIds, versionPaths, stop);
  return new Map(objects.map((object) => [parseVersion(object).objectId, parseVersion(object)]));
}

function parseVersion({ objectId, version, digest, previousTransaction }: GrpcTypes.Object): ObjectVersion {
  const id = canonicalAddress(objectId ?? '');
  if (id === null || version === undefined || !digest)
    throw malformed('An object without an id, a version or a digest');
  return { objectId: id, version, digest, madeBy: previousTransaction ?? null };
}
