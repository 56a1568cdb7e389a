import type { ActivityEvent } from '../../../market/contract.ts';

/** By time; at the same time, in the order in which they were stored. */
export const asItHappened = (
  one: Pick<ActivityEvent, 'happenedAt' | 'id'>,
  other: Pick<ActivityEvent, 'happenedAt' | 'id'>,
): number =>
  one.happenedAt.getTime() - other.happenedAt.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id));
