import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';

export interface Filter {
  readonly search: string;
  /** Only what an admin should look at. */
  readonly troubledOnly: boolean;
  /** From 0. */
  readonly page: number;
}

interface FilterBarProps {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly troubledCount: number;
}

export function FilterBar({ filter, onFilter, troubledCount }: FilterBarProps) {
  return (
    <search className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-3">
      <TextField
        label="Search"
        type="search"
        className="w-full sm:w-80"
        placeholder="chat, collection or id"
        value={filter.search}
        onChange={({ target }) => onFilter({ ...filter, search: target.value, page: 0 })}
      />
      {(troubledCount > 0 || filter.troubledOnly) && (
        <Button
          aria-pressed={filter.troubledOnly}
          className="min-h-11"
          size="small"
          look={filter.troubledOnly ? 'stone' : 'ghost'}
          onClick={() => onFilter({ ...filter, troubledOnly: !filter.troubledOnly, page: 0 })}
        >
          Needs attention ({troubledCount})
        </Button>
      )}
    </search>
  );
}
