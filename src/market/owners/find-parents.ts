import type { FieldParent } from '../core/owner-table.ts';
import type { LearnedStore } from './learned-store.ts';
import type { OwnerReader } from './ownership-ports.ts';

interface InField {
  readonly objectId: string;
  readonly fieldId: string;
}

/**
 * On what these fields hang, from what was learned and, for the rest, from the chain. Absent: the field is gone, as the piece
 * moved on meanwhile, or is none. A field's id is made from its parent and its key, so its parent never changes, and a key that only
 * kiosks use proves a kiosk. Throws Unavailable.
 */
export async function findParents(
  { reader, store }: { readonly reader: OwnerReader; readonly store: LearnedStore },
  pieces: readonly InField[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, FieldParent>> {
  const known = await store.parentsOf(pieces.map(({ fieldId }) => fieldId));
  const unknown = pieces.filter(({ fieldId }) => !known.has(fieldId));
  if (unknown.length === 0) return known;
  const fields = await reader.readOwners(
    unknown.map(({ fieldId }) => fieldId),
    stop,
  );
  const learned = unknown.flatMap(({ objectId, fieldId }): FieldParent[] => {
    const owner = fields.get(fieldId)?.owner;
    if (owner?.kind !== 'object') return [];
    const { objectId: parentId } = owner;
    return [{ fieldId, parentId, isKiosk: reader.kioskFieldId(parentId, objectId) === fieldId }];
  });
  await store.learnParents(learned);
  return new Map([...known, ...learned.map((parent): [string, FieldParent] => [parent.fieldId, parent])]);
}
