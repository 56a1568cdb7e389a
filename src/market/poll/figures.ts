import type { Figure } from '../../platform/figures.ts';

const isWatched = `exists (
  select 1 from collection_watches watches
  left join activity_listeners listeners on listeners.name = watches.listener
  where watches.tracked_collection_id = tracked_collections.id and not coalesce(listeners.is_paused, false)
)`;

/** The specification's 30 to 45 s between two polls. */
const pollMaxSeconds = 45;

/** The longest time since `column`, in seconds, of the watched collections that `where` names. */
const longestSince = (column: string, where: string, lessSeconds: number): string =>
  `(select greatest(0, extract(epoch from clock_timestamp() - ${column}) - ${lessSeconds}) as seconds from tracked_collections
    where ${where} and ${isWatched} order by ${column} limit 1)`;

/**
 * What an operator needs to know of what is read of collections (docs/operations.md). Times by the database's clock.
 * A poll that fails is repeated all the same: that nobody hears of anything shows in how long it has failed. What the marketplace
 * does not know any more is for its group to mend, and late for ever.
 */
export const collectionFigures: readonly Figure[] = [
  {
    name: 'collections_overdue_poll_seconds',
    help: 'How long the reading of activity that is due first is overdue, or fails, of collections that a running bot watches',
    sql: `select max(seconds) from (
      ${longestSince('last_checked_at', 'last_checked_at is not null', pollMaxSeconds)}
      union all
      ${longestSince('failing_since', "failing_since is not null and failure_reason <> 'collection-unknown'", 0)}
    ) late`,
  },
];
