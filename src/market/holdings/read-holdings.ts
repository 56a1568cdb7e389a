import { concurrently } from '../../process/concurrently.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { countHoldings, type HeldCollection } from '../core/count-holdings.ts';
import { type CapType, readCaps } from './caps.ts';

export type NftSource = Pick<SuiClient, 'listOwnedObjects' | 'readKiosk'>;

/** Fifty kiosks are two rounds; more at once would only queue at the node. */
const kiosksAtOnceMax = 25;
/** Beyond this a wallet is a marketplace's or a mistake. */
const kiosksMax = 200;

/**
 * Rulings R3: NFTs directly owned and in every kiosk whose cap the wallet holds, listed or not, all pages. One call a
 * kiosk. Throws Unavailable when anything could not be read: part of the truth is not the truth.
 */
export async function readHoldings(
  sui: NftSource,
  capTypes: readonly CapType[],
  owner: string,
  stop?: AbortSignal,
): Promise<readonly HeldCollection[]> {
  const readKiosks = async () => {
    const caps = await readCaps(sui, capTypes, owner, stop);
    const kioskIds = [...new Set(caps.map(({ kioskId }) => kioskId))];
    if (kioskIds.length > kiosksMax) {
      throw new Unavailable('too-many-kiosks', `The wallet holds the caps of more than ${kiosksMax} kiosks`);
    }
    return concurrently(kioskIds, kiosksAtOnceMax, (kioskId) => sui.readKiosk(kioskId, stop));
  };
  const [direct, kiosks] = await Promise.all([sui.listOwnedObjects({ owner, include: 'display' }, stop), readKiosks()]);
  return countHoldings(
    direct,
    kiosks,
    capTypes.map(({ objectType }) => objectType),
  );
}
