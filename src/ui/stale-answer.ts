import type * as z from 'zod/mini';
import { ApiError } from './api-client.ts';

/**
 * What somebody else saved meanwhile (409 `stale`, rulings R6). null: the call failed for another reason, or the answer
 * does not carry it.
 */
export function staleVersion<Schema extends z.ZodMiniType>(error: unknown, schema: Schema): z.output<Schema> | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  try {
    const { code, current } = JSON.parse(error.body) as { readonly code?: unknown; readonly current?: unknown };
    const read = schema.safeParse(current);
    return code === 'stale' && read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** One field that another save changed. */
export interface VersionDifference {
  readonly field: string;
  readonly before: string;
  readonly now: string;
}

/** The fields of a version as they are shown, by their names. */
export type ShownFields = Readonly<Record<string, string>>;

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? 'none' : text);

/** What others saved between two versions, field by field. */
export const differencesBetween = (before: ShownFields, now: ShownFields): readonly VersionDifference[] =>
  Object.keys(now)
    .filter((field) => before[field] !== now[field])
    .map((field) => ({ field, before: orNone(before[field]), now: orNone(now[field]) }));
