import type { Kysely } from 'kysely';

import { databaseNow, msSince } from '../../db/expressions.ts';
import { anyOf, excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';

/** Rulings R8: on-chain names (SuiNS), shown for owners and used to look them up. */

const dayMs = 86_400_000;
const minuteMs = 60_000;
const namesAtOnceMax = 20;
const lookUpsAMinute = 30;

interface ReadName {
  readonly address: string;
  /** null: it has none. */
  readonly name: string | null;
}

export type OwnerNames = ReturnType<typeof createOwnerNames>;

/** The names of the owners, shared by all copies. Throws what the database throws. */
export const createOwnerNames = (db: Kysely<Database>, network: string) => ({
  /** By address; those without a name are left out. */
  all: async (): Promise<ReadonlyMap<string, string>> => {
    const rows = await db.selectFrom('ownerNames').where('network', '=', network).select(['address', 'name']).execute();
    return new Map(rows.flatMap(({ address, name }) => (name === null ? [] : [[address, name] as const])));
  },
  /** Some of these owners whose names were not read for a day, never read ones first. */
  due: async (owners: readonly string[]): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('ownerNames')
      .where('network', '=', network)
      .select(['address', msSince('readAt').as('ageMs')])
      .execute();
    const ages = new Map(rows.map(({ address, ageMs }) => [address, ageMs]));
    const ageOf = (owner: string): number => ages.get(owner) ?? Infinity;
    return owners
      .filter((owner) => ageOf(owner) >= dayMs)
      .toSorted((one, other) => (ageOf(one) === ageOf(other) ? 0 : ageOf(other) - ageOf(one)))
      .slice(0, namesAtOnceMax);
  },
  /** Stores what was read, and deletes the names of addresses that are no longer owners. */
  save: async (read: readonly ReadName[], owners: readonly string[]): Promise<void> => {
    const rows = read.map((each) => ({ ...each, network, readAt: databaseNow }));
    await db
      .insertInto('ownerNames')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['network', 'address']).doUpdateSet(excluded('name', 'readAt')))
      .execute();
    await db
      .deleteFrom('ownerNames')
      .where('network', '=', network)
      .where((row) => row.not(row('address', '=', anyOf(owners, 'text'))))
      .execute();
  },
});

/** Names are optional: an outage ends the reading, and what was read until then is kept. */
export async function readNames(
  sui: Pick<SuiClient, 'readDefaultName'>,
  addresses: readonly string[],
  stop: AbortSignal,
): Promise<readonly ReadName[]> {
  const read: ReadName[] = [];
  for (const address of addresses) {
    try {
      read.push({ address, name: await sui.readDefaultName(address, stop) });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (error.reason !== 'malformed-answer') return read;
      // An unreadable name counts as none, and the others are still read.
      read.push({ address, name: null });
    }
  }
  return read;
}

/**
 * The address that a name leads to; null: the name does not exist now. Anybody may ask, so answers are cached and only
 * `lookUpsAMinute` calls go out. Beyond that, owners are still found by their stored names, so a flood blocks no one.
 */
export function createNameLookup(
  sui: Pick<SuiClient, 'resolveName'>,
  clock: { now(): Date },
  ownerNamed: (name: string) => string | null,
) {
  const cached = createAnswerCache<string | null>(clock, (address) => (address === null ? minuteMs : 5 * minuteMs));
  let callsAtMs: readonly number[] = [];
  const resolve = async (name: string): Promise<string | null> => {
    const nowMs = clock.now().getTime();
    callsAtMs = callsAtMs.filter((atMs) => atMs > nowMs - minuteMs && atMs <= nowMs);
    if (callsAtMs.length >= lookUpsAMinute) {
      const owner = ownerNamed(name);
      if (owner !== null) return owner;
      throw new Unavailable('too-many-names', 'Too many names were looked up', undefined, minuteMs);
    }
    callsAtMs = [...callsAtMs, nowMs];
    return sui.resolveName(name);
  };
  return (name: string): Promise<string | null> => cached(name, () => resolve(name));
}
