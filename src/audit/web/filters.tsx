import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { useInBrowser } from '../../ui/server-written.tsx';
import { TextField } from '../../ui/text-field.tsx';

const filterNames = ['actor', 'action', 'subject', 'from', 'to'] as const;

/** What the log is narrowed to. Days are `2026-11-20`, in UTC as all times of the log. An empty text narrows nothing. */
export type Filters = Readonly<Record<(typeof filterNames)[number], string>>;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filters out of an address; anything that is no day is no day. */
export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search);
  const text = (name: string): string => (given.get(name) ?? '').trim();
  const day = (name: string): string => (dayPattern.test(text(name)) ? text(name) : '');
  return { actor: text('actor'), action: text('action'), subject: text('subject'), from: day('from'), to: day('to') };
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

export const narrowsNothing = (filters: Filters): boolean => filterNames.every((name) => filters[name] === '');

interface FilterFormProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** Narrows the log; pressing a name in the log fills the same fields. */
export function FilterForm({ filters, onChange }: FilterFormProps) {
  // `values`: whenever the address says something else, the fields say it too.
  const { register, handleSubmit } = useForm<Filters>({ values: filters });
  const apply = handleSubmit(({ actor, action, subject, from, to }) => {
    onChange({ actor: actor.trim(), action: action.trim(), subject: subject.trim(), from, to });
  });
  // How wide the window was when the form came: turning a phone folds nothing.
  const isWide = useInBrowser(() => window.matchMedia('(width >= 48rem)').matches, false);
  const [unfolded] = useState(!narrowsNothing(filters) || isWide);
  return (
    <details className="audit-fold" open={unfolded}>
      <summary>Filter the log</summary>
      <form className="audit-filters" aria-label="Filter" onSubmit={(event) => void apply(event)}>
        <TextField label="Who" placeholder="name begins with" {...register('actor')} />
        <TextField label="What" placeholder="action begins with" {...register('action')} />
        <TextField label="On what" placeholder="name or id begins" {...register('subject')} />
        <TextField label="From day" type="date" {...register('from')} />
        <TextField label="To day" type="date" {...register('to')} />
        <div className="audit-filter-buttons">
          <Button type="submit" size="small">
            Filter
          </Button>
          <Button look="ghost" size="small" onClick={() => onChange(noFilters)}>
            Clear
          </Button>
        </div>
      </form>
    </details>
  );
}
