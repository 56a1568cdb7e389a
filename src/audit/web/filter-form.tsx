import { useState, useSyncExternalStore } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type Filters, narrowsNothing, noFilters } from './filters.ts';

/** How wide the window was when the form came: turning a phone folds nothing. */
const isWideNow = (): boolean => window.matchMedia('(width >= 48rem)').matches;
const neverChanges = () => () => {};

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
  const isWide = useSyncExternalStore(neverChanges, isWideNow, () => false);
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
