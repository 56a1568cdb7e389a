import { concurrently } from '../../platform/concurrently.ts';
import { Unavailable } from '../../shared/failure.ts';
import { countHoldings, type HeldCollection } from '../core/count-holdings.ts';
import type { NftReader } from '../ports.ts';

/** Fifty kiosks are two rounds; more at once would only queue at the node. */
const kiosksAtOnceMax = 25;
/** Beyond this a wallet is a marketplace's or a mistake. */
const kiosksMax = 200;

/**
 * Rulings R3: NFTs directly owned and in every kiosk whose cap the wallet holds, listed or not, all pages. One call a
 * kiosk. Throws Unavailable when anything could not be read: part of the truth is not the truth.
 */
export async function readHoldings(
  reader: NftReader,
  owner: string,
  capTypes: readonly string[],
  stop?: AbortSignal,
): Promise<readonly HeldCollection[]> {
  const readKiosks = async () => {
    const kioskIds = await reader.readKioskIds(owner, stop);
    if (kioskIds.length > kiosksMax) {
      throw new Unavailable('too-many-kiosks', `The wallet holds the caps of more than ${kiosksMax} kiosks`);
    }
    return concurrently(kioskIds, kiosksAtOnceMax, (kioskId) => reader.readKiosk(kioskId, stop));
  };
  const [direct, kiosks] = await Promise.all([reader.readDirectObjects(owner, stop), readKiosks()]);
  return countHoldings(direct, kiosks, capTypes);
}
