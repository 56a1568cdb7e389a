import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { FieldParent } from '../core/owner-table.ts';
import type { HeldCap } from './ownership-ports.ts';

export type LearnedStore = ReturnType<typeof createLearnedStore>;

/**
 * What was learned of one network's chain and need not be asked again. Lists go as one array each: a collection may have 100,000
 * pieces. Throws what the database throws.
 */
export const createLearnedStore = (db: Kysely<Database>, network: string) => ({
  capsOfKiosks: async (kioskIds: readonly string[]): Promise<readonly HeldCap[]> => {
    if (kioskIds.length === 0) return [];
    return db
      .selectFrom('kioskCaps')
      .where('network', '=', network)
      .where('kioskId', '=', anyOf(kioskIds))
      .select(['capId', 'kioskId', 'capKind as kind'])
      .execute();
  },
  learnCaps: async (caps: readonly HeldCap[]): Promise<void> => {
    if (caps.length === 0) return;
    const sorted = sortedBy(caps, ({ capId }) => capId);
    await sql`
      insert into kiosk_caps (network, cap_id, kiosk_id, cap_kind)
      select ${network}, * from unnest(
        ${sorted.map(({ capId }) => capId)}::text[],
        ${sorted.map(({ kioskId }) => kioskId)}::text[],
        ${sorted.map(({ kind }) => kind)}::text[])
      on conflict (network, cap_id) do update
        set kiosk_id = excluded.kiosk_id, cap_kind = excluded.cap_kind, learned_at = clock_timestamp()
        where (kiosk_caps.kiosk_id, kiosk_caps.cap_kind) is distinct from (excluded.kiosk_id, excluded.cap_kind)
    `.execute(db);
  },
  forgetCaps: async (capIds: readonly string[]): Promise<void> => {
    if (capIds.length === 0) return;
    await db.deleteFrom('kioskCaps').where('network', '=', network).where('capId', '=', anyOf(capIds)).execute();
  },
  parentsOf: async (fieldIds: readonly string[]): Promise<ReadonlyMap<string, FieldParent>> => {
    if (fieldIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('parentFields')
      .where('network', '=', network)
      .where('fieldId', '=', anyOf(fieldIds))
      .select(['fieldId', 'parentId', 'isKiosk'])
      .execute();
    return new Map(rows.map((row) => [row.fieldId, row]));
  },
  learnParents: async (parents: readonly FieldParent[]): Promise<void> => {
    if (parents.length === 0) return;
    const sorted = sortedBy(parents, ({ fieldId }) => fieldId);
    await sql`
      insert into parent_fields (network, field_id, parent_id, is_kiosk)
      select ${network}, * from unnest(
        ${sorted.map(({ fieldId }) => fieldId)}::text[],
        ${sorted.map(({ parentId }) => parentId)}::text[],
        ${sorted.map(({ isKiosk }) => isKiosk)}::boolean[])
      on conflict (network, field_id) do nothing`.execute(db);
  },
});

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;

/** Each key once, always in the same order: two copies that learn the same at once must not deadlock. */
function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const unique = new Map(items.map((item) => [keyOf(item), item]));
  return [...unique.keys()].toSorted().flatMap((key) => unique.get(key) ?? []);
}
