import { concurrently } from '../../process/concurrently.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { OwnedObject } from '../../sources/sui/owned-objects.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { countHoldings, type HeldCollection } from '../core/count-holdings.ts';
import type { NftReader } from '../ports.ts';
import { type CapType, kioskIdOf } from './cap-types.ts';

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

export type NftSource = Pick<SuiClient, 'listOwnedObjects' | 'readKiosk'>;

/** The port on a full node. */
export function createSuiNftReader(sui: NftSource, capTypes: readonly CapType[]): NftReader {
  return {
    readKioskIds: async (owner: string, stop?: AbortSignal) => {
      const caps = await Promise.all(
        capTypes.map(async ({ kind, objectType }) => {
          const objects = await sui.listOwnedObjects({ owner, objectType, include: 'contents' }, stop);
          return objects.map((object) => parseCap(kind, object));
        }),
      );
      return [...new Set(caps.flat().filter((kioskId) => kioskId !== null))];
    },
    readDirectObjects: async (owner: string, stop?: AbortSignal) => {
      const objects = await sui.listOwnedObjects({ owner, include: 'display' }, stop);
      return objects.map(({ objectId, objectType, display }) => ({
        objectId,
        objectType,
        hasDisplay: display !== null,
        name: display?.name ?? null,
        imageUrl: display?.imageUrl ?? null,
      }));
    },
    readKiosk: async (kioskId: string, stop?: AbortSignal) => {
      const items = await sui.readKiosk(kioskId, stop);
      return items.map(({ objectId, objectType, listing }) => ({ objectId, objectType, isListed: listing !== null }));
    },
  };
}

function parseCap(kind: CapType['kind'], { objectId, contents }: OwnedObject): string | null {
  try {
    if (contents === null) throw new Error('without contents');
    return kioskIdOf(kind, contents);
  } catch (error) {
    // An unreadable cap is a kiosk that was not read: the whole answer is unknown, not smaller.
    throw new Unavailable('malformed-answer', `The cap ${objectId} of a kiosk cannot be read`, error);
  }
}
