import type { Figure } from '../../platform/figures.ts';

/** What an operator needs to know of what is read of collections (docs/operations.md). Times by the database's clock. */
export const collectionFigures: readonly Figure[] = [
  {
    name: 'collections_overdue_poll_seconds',
    help: 'How long the reading of activity that is due first is overdue, of collections that a running bot watches',
    sql: `select greatest(0, extract(epoch from clock_timestamp() - poll_due_at)) from tracked_collections
      where exists (
        select 1 from collection_watches watches
        left join activity_listeners listeners on listeners.name = watches.listener
        where watches.tracked_collection_id = tracked_collections.id and not coalesce(listeners.is_paused, false)
      ) order by poll_due_at limit 1`,
  },
];
