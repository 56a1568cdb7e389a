import type { Kysely } from 'kysely';
import { anyOf } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { FieldParent } from '../core/owner-table.ts';
import { chunksOf } from '../../shared/chunks.ts';
import { type HeldCap, kioskFieldId, type OwnerSource } from './kiosk-caps.ts';

export type KioskStore = ReturnType<typeof createKioskStore>;

/**
 * Facts learned from one network's chain, stored so that they need not be read again: a collection may have 100,000 NFTs.
 * Throws what the database throws.
 */
export const createKioskStore = (db: Kysely<Database>, network: string) => ({
  capsOfKiosks: async (kioskIds: readonly string[]): Promise<readonly HeldCap[]> => {
    if (kioskIds.length === 0) return [];
    return db
      .selectFrom('kioskCaps')
      .where('network', '=', network)
      .where('kioskId', '=', anyOf(kioskIds, 'text'))
      .select(['capId', 'kioskId', 'capKind as kind'])
      .execute();
  },
  /** A cap opens the same kiosk for ever. */
  saveCaps: async (caps: readonly HeldCap[]): Promise<void> => {
    for (const chunk of sortedChunks(caps, ({ capId }) => capId)) {
      await db
        .insertInto('kioskCaps')
        .values(chunk.map(({ capId, kioskId, kind }) => ({ network, capId, kioskId, capKind: kind })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  },
  deleteCaps: async (capIds: readonly string[]): Promise<void> => {
    if (capIds.length === 0) return;
    await db
      .deleteFrom('kioskCaps')
      .where('network', '=', network)
      .where('capId', '=', anyOf(capIds, 'text'))
      .execute();
  },
  parentsOf: async (fieldIds: readonly string[]): Promise<ReadonlyMap<string, FieldParent>> => {
    if (fieldIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('parentFields')
      .where('network', '=', network)
      .where('fieldId', '=', anyOf(fieldIds, 'text'))
      .select(['fieldId', 'parentId', 'isKiosk'])
      .execute();
    return new Map(rows.map((row) => [row.fieldId, row]));
  },
  saveParents: async (parents: readonly FieldParent[]): Promise<void> => {
    for (const chunk of sortedChunks(parents, ({ fieldId }) => fieldId)) {
      await db
        .insertInto('parentFields')
        .values(chunk.map((parent) => ({ network, ...parent })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  },
});

/** A statement takes 65,535 values. */
const rowsAtOnceMax = 10_000;

/** Each key once, always in the same order: two copies that store the same rows at once must not deadlock. */
function sortedChunks<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const unique = new Map(items.map((item) => [keyOf(item), item]));
  const sorted = [...unique.keys()].toSorted().flatMap((key) => unique.get(key) ?? []);
  return chunksOf(sorted, rowsAtOnceMax);
}

/**
 * The parents of these fields, from the database and, for the rest, from the chain. Absent: not a field, or gone because the NFT
 * moved meanwhile. A field's id is derived from its parent and its key, so its parent never changes, and a key that only kiosks
 * use proves a kiosk. Throws Unavailable.
 */
export async function findParents(
  { sui, store }: { readonly sui: OwnerSource; readonly store: KioskStore },
  nfts: readonly { readonly objectId: string; readonly fieldId: string }[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, FieldParent>> {
  const known = await store.parentsOf(nfts.map(({ fieldId }) => fieldId));
  const unknown = nfts.filter(({ fieldId }) => !known.has(fieldId));
  if (unknown.length === 0) return known;
  const fields = await sui.readOwners(
    unknown.map(({ fieldId }) => fieldId),
    stop,
  );
  const learned = unknown.flatMap(({ objectId, fieldId }): FieldParent[] => {
    const owner = fields.get(fieldId)?.owner;
    if (owner?.kind !== 'object') return [];
    const { objectId: parentId } = owner;
    return [{ fieldId, parentId, isKiosk: kioskFieldId(parentId, objectId) === fieldId }];
  });
  await store.saveParents(learned);
  return new Map([...known, ...learned.map((parent): [string, FieldParent] => [parent.fieldId, parent])]);
}
