import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { ChainLookup } from '../activity-ports.ts';

export type ChainSource = Pick<SuiClient, 'readObjects' | 'readCoinInfo'>;

/** The port on a full node. */
export function createSuiChainLookup(sui: ChainSource): ChainLookup {
  return {
    objectType: async (objectId) => (await sui.readObjects([objectId])).get(objectId)?.objectType ?? null,
    isCoin: async (canonicalType) => (await sui.readCoinInfo(canonicalType)) !== null,
  };
}
