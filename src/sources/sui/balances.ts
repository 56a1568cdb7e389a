import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalType } from '../../shared/sui-address.ts';
import { readAllPages } from './read-all-pages.ts';
import { malformed, type SuiCall } from './sui-call.ts';

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
