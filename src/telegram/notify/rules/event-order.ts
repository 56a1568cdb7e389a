import type { ActivityEvent } from '../../../market/contract.ts';

/** Sorts events as they happened; of one moment, as they became known. */
export const asItHappened = (
  one: Pick<ActivityEvent, 'happenedAt' | 'id'>,
  other: Pick<ActivityEvent, 'happenedAt' | 'id'>,
): number =>
  one.happenedAt.getTime() - other.happenedAt.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id));
