import type { SuiClient } from '../sources/sui/sui-client.ts';
import { Unavailable } from '../shared/failure.ts';
import type { CoinReader } from './ports.ts';

export type CoinSource = Pick<SuiClient, 'listBalances' | 'readCheckpoint' | 'readCoinInfo'>;

/** The port on a full node. Balances come without the checkpoint they are from; the node's own one is asked beside them. */
export function createSuiCoinReader(sui: CoinSource): CoinReader {
  const readCheckpoint = async (stop?: AbortSignal): Promise<bigint | null> => {
    try {
      return await sui.readCheckpoint(stop);
    } catch (error) {
      // A balance without its checkpoint is still a balance.
      if (error instanceof Unavailable) return null;
      throw error;
    }
  };

  return {
    readBalances: async (owner: string, stop?: AbortSignal) => {
      const [checkpoint, balances] = await Promise.all([readCheckpoint(stop), sui.listBalances(owner, stop)]);
      return { balances, checkpoint };
    },
    readCoinMetadata: (coinType: string, stop?: AbortSignal) => sui.readCoinInfo(coinType, stop),
  };
}
