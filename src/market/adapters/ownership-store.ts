import { type Kysely, sql } from 'kysely';

import type { LearnedStore } from '../ownership/ownership-ports.ts';
import type { OwnershipTables } from './tables.ts';

/** The port on PostgreSQL, for one network. Lists go as one array each: a collection may have 100,000 pieces. */
export function createLearnedStore(db: Kysely<OwnershipTables>, network: string): LearnedStore {
  return {
    capsOfKiosks: async (kioskIds) => {
      if (kioskIds.length === 0) return [];
      const rows = await db
        .selectFrom('kiosk_caps')
        .where('network', '=', network)
        .where(sql<boolean>`kiosk_id = any(${[...kioskIds]}::text[])`)
        .select(['cap_id', 'kiosk_id', 'cap_kind'])
        .execute();
      return rows.map((row) => ({ capId: row.cap_id, kioskId: row.kiosk_id, kind: row.cap_kind }));
    },
    learnCaps: async (caps) => {
      if (caps.length === 0) return;
      // The same order for everybody: two copies that learn the same at once must not wait for each other.
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
    forgetCaps: async (capIds) => {
      if (capIds.length === 0) return;
      await db
        .deleteFrom('kiosk_caps')
        .where('network', '=', network)
        .where(sql<boolean>`cap_id = any(${[...capIds]}::text[])`)
        .execute();
    },
    parentsOf: async (fieldIds) => {
      if (fieldIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('parent_fields')
        .where('network', '=', network)
        .where(sql<boolean>`field_id = any(${[...fieldIds]}::text[])`)
        .select(['field_id', 'parent_id', 'is_kiosk'])
        .execute();
      return new Map(
        rows.map((row) => [row.field_id, { fieldId: row.field_id, parentId: row.parent_id, isKiosk: row.is_kiosk }]),
      );
    },
    learnParents: async (parents) => {
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
  };
}

/** Each key once, and in order. */
function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const unique = new Map(items.map((item) => [keyOf(item), item]));
  return [...unique.keys()].toSorted().flatMap((key) => unique.get(key) ?? []);
}
