import type { CollectionLookup, FoundCollection, TrackedCollection } from '../../market/contract.ts';
import { Invalid, Refused, Unavailable } from '../../shared/failure.ts';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import {
  applied,
  type By,
  changeHeld,
  type Changed,
  type ConfiguringDeps,
  followWhileThere,
  listenerName,
} from './configuring.ts';

interface HexIdRefused {
  readonly kind: 'refused';
  readonly status: 422 | 503;
  readonly code: string;
  readonly message: string;
}

/**
 * Rulings R4: the id used in marketplace queries instead of the group's own. The marketplace is queried with it before
 * anything is stored, so that the right collection is read from then on. Throws Invalid for a malformed id.
 */
export async function setHexId(
  deps: ConfiguringDeps,
  id: string,
  typed: string | null,
  by: By,
): Promise<Changed | HexIdRefused> {
  const { configurations, tracking } = deps;
  const hexCollectionId = canonicalHexId(typed);
  const present = await configurations.find(id);
  if (present === null || present.deletedAt !== null) {
    throw new Refused('not-found', 'There is no such configuration: it may have been deleted. Refresh the list.');
  }
  try {
    const lookup = await tracking.lookUp(hexCollectionId ?? present.collectionId);
    const found = collectionIn(lookup);
    if (found === null) return unknownThere;
    return await storeHexId(deps, id, hexCollectionId, await tracking.track(found), by);
  } catch (error) {
    if (error instanceof Unavailable) return silent(error);
    throw error;
  }
}

/** `tracked`: the collection that is read from now on. */
const storeHexId = (
  deps: ConfiguringDeps,
  id: string,
  hexCollectionId: string | null,
  tracked: TrackedCollection,
  by: By,
): Promise<Changed> =>
  changeHeld<never>(deps, id, by, async (trx, held) => {
    const change = { hexCollectionId, trackedCollectionId: tracked.id };
    const configuration = await applied(trx, deps, held, change);
    if (held.trackedCollectionId !== tracked.id) {
      await deps.tracking.unwatch(listenerName, held.trackedCollectionId, held.id, trx);
      await followWhileThere(trx, deps, configuration);
    }
    return configuration;
  });

/** Specification 5 gives the hint, the server enforces it. null removes the id. */
function canonicalHexId(typed: string | null): string | null {
  const text = typed?.trim() ?? '';
  if (text === '') return null;
  if (!/^0x/i.test(text)) throw new Invalid('invalid-hex-id', 'The hex id must start with 0x.');
  const canonical = canonicalType(text) ?? canonicalAddress(text);
  if (canonical === null) {
    throw new Invalid('invalid-hex-id', 'The hex id is no Sui address and no type such as 0x2::module::Type.');
  }
  return canonical;
}

/** A product admin may choose an unverified collection; a group may not. */
const collectionIn = (lookup: CollectionLookup): FoundCollection | null =>
  lookup.kind === 'found' || lookup.kind === 'unverified' ? lookup.collection : null;

const unknownThere: HexIdRefused = {
  kind: 'refused',
  status: 422,
  code: 'unknown-collection',
  message: 'The marketplace knows no collection of this id, so nothing was changed. Copy the id from its page there.',
};

/** The chain is asked about what the marketplace does not know: either may be unavailable. */
const silent = ({ upstream }: Unavailable): HexIdRefused => {
  const who = upstream ?? 'The marketplace or the Sui full node';
  return {
    kind: 'refused',
    status: 503,
    code: /sui/i.test(who) ? 'sui-unavailable' : 'marketplace-unavailable',
    message: `${who} does not answer, so the id could not be checked and nothing was changed. Try again in a minute.`,
  };
};
