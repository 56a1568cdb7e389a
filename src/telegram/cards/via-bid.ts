import type { ActivityEvent } from '../../market/contract.ts';

/** Rulings R4: an accepted bid is a sale 'via bid' (`accept-bid`, `accept-collection-bid`, `accept-attribute-bid`). */
export const isViaBid = (event: Pick<ActivityEvent, 'kind' | 'type'>): boolean =>
  event.kind === 'sale' && /^accept-(?:[a-z]+-)*bid$/.test(event.type);
