import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { MoreButton } from '../../ui/panel.tsx';
import { EmptyState, LoadingLines, NothingFound } from '../../ui/placeholders.tsx';
import { Answered } from '../../ui/query-trouble.tsx';
import { Entry, useAuditLog } from './entries.tsx';
import { addressWith, FilterForm, type Filters, narrowsNothing, noFilters, readFilters } from './filters.tsx';

/** Rulings R6: the log of every mutation: who, what, before, after, when. */
export function ActivityTab() {
  const [filters, setFilters] = useFilters();
  const log = useAuditLog(filters);
  const loading = <LoadingLines count={4} className="space-y-5 p-6" />;
  const nothing = narrowsNothing(filters) ? (
    <EmptyState>No changes yet. Every change an admin makes will be listed here.</EmptyState>
  ) : (
    <NothingFound clearText="Show everything" onClear={() => setFilters(noFilters)}>
      No change matches these filters.
    </NothingFound>
  );
  return (
    <section aria-label="Activity" aria-busy={log.isFetching}>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex-1 text-quiet">Every change, newest first. Times are UTC.</p>
        <Button size="small" busy={log.isRefetching} onClick={() => void log.refetch()}>
          Refresh
        </Button>
      </div>
      <FilterForm filters={filters} onChange={setFilters} />
      <Card className="mt-4" padded={false}>
        <Answered query={log} failure="Failed to load the activity log." loading={loading}>
          {(entries) =>
            entries.length === 0 ? (
              nothing
            ) : (
              <ol className="audit" aria-label="Changes">
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} onNarrow={(more) => setFilters({ ...filters, ...more })} />
                ))}
              </ol>
            )
          }
        </Answered>
        <MoreButton query={log} className="p-4">
          Older
        </MoreButton>
      </Card>
    </section>
  );
}

/** Kept in the address: a reload and a copied address show the same part of the log. */
function useFilters(): readonly [Filters, (filters: Filters) => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const set = useCallback(
    (filters: Filters) => navigate(addressWith(path, search, filters), { replace: true }),
    [navigate, path, search],
  );
  return [readFilters(search), set];
}
