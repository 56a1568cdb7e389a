import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalType } from '../../shared/sui-address.ts';
import { hasStatus, malformed, readAllPages, type SuiCall } from './sui-call.ts';

/** `rawBalance` in base units: coin objects and the address balance together (listCoins would miss the latter). */
export interface WalletBalance {
  readonly coinType: string;
  readonly rawBalance: bigint;
}

const pageSize = 1000;
const pagesMax = 20;

/** Every coin type of a wallet, all pages. Throws Unavailable. */
export function listBalances(call: SuiCall, owner: string, stop?: AbortSignal): Promise<readonly WalletBalance[]> {
  return readAllPages(async (pageToken) => {
    const page = await call(
      'ListBalances',
      async (client, options) => {
        const request = { owner, pageSize, ...(pageToken && { pageToken }) };
        return (await client.stateService.listBalances(request, options)).response;
      },
      stop,
    );
    return { items: page.balances.map(parseBalance), nextPageToken: page.nextPageToken };
  }, pagesMax);
}

function parseBalance({ coinType, balance }: GrpcTypes.Balance): WalletBalance {
  const canonical = canonicalType(coinType ?? '');
  if (canonical === null || balance === undefined) throw malformed('A balance without a type or an amount');
  return { coinType: canonical, rawBalance: balance };
}

/** Texts are untrusted and cut to a length that fits a page. */
export interface CoinInfo {
  readonly coinType: string;
  readonly decimals: number;
  readonly symbol: string;
  readonly name: string;
  readonly iconUrl: string | null;
}

const symbolMax = 64;
const nameMax = 200;
const iconUrlMax = 8_000;

/**
 * What the chain publishes about a coin (`coinType` canonical); null only when the node says NOT_FOUND or knows the coin without metadata. The
 * Core API's `getCoinMetadata` turns a rate limit or an outage into null as well, so it is not used. Throws Unavailable.
 */
export async function readCoinInfo(call: SuiCall, coinType: string, stop?: AbortSignal): Promise<CoinInfo | null> {
  const answer = await call(
    'GetCoinInfo',
    async (client, options) => {
      try {
        return (await client.stateService.getCoinInfo({ coinType }, options)).response;
      } catch (error) {
        if (hasStatus(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    stop,
  );
  if (answer === null) return null;
  if (canonicalType(answer.coinType ?? '') !== coinType) throw malformed('The metadata of another coin');
  return answer.metadata === undefined ? null : parseMetadata(coinType, answer.metadata);
}

function parseMetadata(coinType: string, metadata: GrpcTypes.CoinMetadata): CoinInfo {
  const { decimals, symbol, name, iconUrl } = metadata;
  // Absent decimals are not 0 and not 9: proto3 optional fields are sent even when they are zero.
  if (decimals === undefined || decimals > 255) throw malformed('Coin metadata without decimals');
  const hasIcon = iconUrl !== undefined && iconUrl !== '' && iconUrl.length <= iconUrlMax;
  return {
    coinType,
    decimals,
    symbol: (symbol ?? '').slice(0, symbolMax),
    name: (name ?? '').slice(0, nameMax),
    iconUrl: hasIcon ? iconUrl : null,
  };
}
