import { useCallback, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { MoreButton } from '../../ui/panel.tsx';
import { EmptyState, LoadingLines, NothingFound } from '../../ui/placeholders.tsx';
import { Answered } from '../../ui/query-error.tsx';
import { useAnswerPages } from '../../ui/api/use-answer.ts';
import { useInBrowser } from '../../ui/server-written.tsx';
import { Form, TextField } from '../../ui/text-field.tsx';
import { auditPage, Entry } from './entries.tsx';

/** Rulings R6: the log of every mutation: who, what, before, after, when. */
export function ActivityTab() {
  const [filters, setFilters] = useFilters();
  const log = useAuditLog(filters);
  const loading = <LoadingLines count={4} className="space-y-5 p-6" />;
  const nothing = isUnfiltered(filters) ? (
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
              <ol className="divide-y divide-line" aria-label="Changes">
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

/** Newest first, one page at a time. Read again whenever the tab opens. */
const useAuditLog = (filters: Filters) =>
  useAnswerPages({
    key: ['/api/audit', filters],
    schema: auditPage,
    pathOf: (before) =>
      `/api/audit?${new URLSearchParams({ ...filtersOf(filters), limit: '50', ...(before !== null && { before }) })}`,
    cursorOf: ({ nextBefore }) => nextBefore,
    rowsOf: ({ entries }) => entries,
    keyOf: ({ id }) => id,
    staleTime: 0,
  });

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

const filterNames = ['actor', 'action', 'subject', 'from', 'to'] as const;

/** Days are `2026-11-20`, in UTC like all times in the log. An empty text filters nothing. */
export type Filters = Readonly<Record<(typeof filterNames)[number], string>>;

/** The longest text that GET /api/audit takes. */
const longestText = 200;

/** Reads the filters from an address. What the server would refuse is ignored: a day that does not exist, the rest of a long text. */
export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search);
  const text = (name: string): string =>
    (given.get(name) ?? '').replaceAll('\0', '').trim().slice(0, longestText).trimEnd();
  const day = (name: string): string => (isDay(text(name)) ? text(name) : '');
  return { actor: text('actor'), action: text('action'), subject: text('subject'), from: day('from'), to: day('to') };
}

/** `Date` takes 31 February for 3 March. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${text}T`);
}

export function addressWith(path: string, search: string, filters: Filters): string {
  const next = new URLSearchParams(search);
  for (const name of filterNames) {
    if (filters[name] === '') next.delete(name);
    else next.set(name, filters[name]);
  }
  return next.size === 0 ? path : `${path}?${next}`;
}

/** The filters as GET /api/audit takes them: a day begins with its first and ends with its last millisecond. */
export function filtersOf({ from, to, ...texts }: Filters): Record<string, string> {
  const times = { from: from === '' ? '' : `${from}T00:00:00.000Z`, to: to === '' ? '' : `${to}T23:59:59.999Z` };
  return Object.fromEntries(Object.entries({ ...texts, ...times }).filter(([, value]) => value !== ''));
}

export const noFilters: Filters = { actor: '', action: '', subject: '', from: '', to: '' };

export const isUnfiltered = (filters: Filters): boolean => filterNames.every((name) => filters[name] === '');

interface FilterFormProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** Filters the log; pressing a name in the log fills the same fields. */
function FilterForm({ filters, onChange }: FilterFormProps) {
  // The width when the form appeared: turning a phone does not fold the form.
  const isWide = useInBrowser(() => window.matchMedia('(width >= 48rem)').matches, false);
  const [unfolded] = useState(!isUnfiltered(filters) || isWide);
  const [typed, setTyped] = useState(filters);
  const [shown, setShown] = useState(filters);
  // When the filters in the address change, the fields follow.
  if (JSON.stringify(shown) !== JSON.stringify(filters)) {
    setShown(filters);
    setTyped(filters);
  }
  const field = (name: keyof Filters) => ({
    value: typed[name],
    maxLength: longestText,
    onText: (text: string) => setTyped({ ...typed, [name]: text }),
  });
  const clear = (): void => {
    setTyped(noFilters);
    onChange(noFilters);
  };
  return (
    <details className="audit-fold" open={unfolded}>
      <summary>Filter the log</summary>
      <Form
        className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] items-end gap-x-4 gap-y-3 [&_.button]:min-h-11"
        aria-label="Filter"
        onSend={() => onChange(readFilters(new URLSearchParams(typed).toString()))}
      >
        <TextField {...field('actor')} label="Who" placeholder="name begins with" />
        <TextField {...field('action')} label="What" placeholder="action begins with" />
        <TextField {...field('subject')} label="On what" placeholder="id, or name begins with" />
        <TextField {...field('from')} label="From day" type="date" />
        <TextField {...field('to')} label="To day" type="date" />
        <div className="flex gap-2">
          <Button type="submit" size="small">
            Filter
          </Button>
          <Button look="ghost" size="small" onClick={clear}>
            Clear
          </Button>
        </div>
      </Form>
    </details>
  );
}
