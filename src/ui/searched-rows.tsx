import { type ReactNode, useDeferredValue, useId, useMemo } from 'react';
import { Button } from './button.tsx';
import { wholeNumberText } from './decimal-text.ts';
import { NothingFound } from './placeholders.tsx';
import { type Column, DataTable, Pager } from './tables.tsx';
import { TextField } from './text-field.tsx';

/** How a list is filtered; the caller keeps it, so that it survives a visit to one of the rows. */
export interface RowFilter {
  readonly search: string;
  readonly attentionOnly: boolean;
  /** From 0. */
  readonly page: number;
}

export const allRows: RowFilter = { search: '', attentionOnly: false, page: 0 };

interface SearchedRowsProps<Row> {
  readonly all: readonly Row[];
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  /** The table's caption for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly under?: (row: Row) => ReactNode;
  readonly textOf: (row: Row) => string;
  readonly placeholder: string;
  readonly nothingFound: string;
  /** Whether a row needs an admin; left out: none does. */
  readonly needsAttention?: (row: Row) => boolean;
  readonly rowsPerPage?: number;
  /** With fewer rows than this there is no search. */
  readonly searchedFrom?: number;
}

const never = (): boolean => false;

export function SearchedRows<Row>(props: SearchedRowsProps<Row>) {
  const { all, filter, onFilter, caption, columns, keyOf, textOf, placeholder, nothingFound } = props;
  const { needsAttention = never, rowsPerPage = usualRowsPerPage } = props;
  // Typing stays quick while ten thousand rows are searched.
  const { search, attentionOnly, page: wishedPage } = useDeferredValue(filter);
  const attentionRows = useMemo(() => all.filter(needsAttention), [all, needsAttention]);
  const found = useMemo(
    () => matchingWords(attentionOnly ? attentionRows : all, search, textOf),
    [all, attentionRows, attentionOnly, search, textOf],
  );
  const shown = pageOf(found, wishedPage, rowsPerPage);
  const startId = useId();
  const isSearched = all.length >= (props.searchedFrom ?? 0);
  return (
    <>
      {isSearched && (
        <search id={startId} className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-3">
          <TextField
            label="Search"
            type="search"
            className="w-full sm:w-80"
            placeholder={placeholder}
            value={filter.search}
            onText={(text) => onFilter({ ...filter, search: text, page: 0 })}
          />
          {(attentionRows.length > 0 || filter.attentionOnly) && (
            <Button
              aria-pressed={filter.attentionOnly}
              className="min-h-11"
              size="small"
              look={filter.attentionOnly ? 'stone' : 'ghost'}
              onClick={() => onFilter({ ...filter, attentionOnly: !filter.attentionOnly, page: 0 })}
            >
              Needs attention ({attentionRows.length})
            </Button>
          )}
        </search>
      )}
      {found.length === 0 ? (
        <NothingFound onClear={() => onFilter(allRows)}>{nothingFound}</NothingFound>
      ) : (
        <DataTable cards {...{ caption, columns, keyOf }} rows={shown.rows} under={props.under} />
      )}
      {isSearched && (
        <>
          <output className="mt-4 block text-sm text-quiet">
            {`Showing ${found.length === 0 ? 'none' : shown.range}`}
          </output>
          <Pager
            label="Pages"
            startId={startId}
            total={found.length}
            page={shown.page + 1}
            pageSize={rowsPerPage}
            onPage={(page) => onFilter({ ...filter, page: page - 1 })}
          />
        </>
      )}
    </>
  );
}

/** Ten thousand rows at once would freeze the page. */
const usualRowsPerPage = 50;

interface ShownPage<Row> {
  readonly rows: readonly Row[];
  /** From 0; the last page if the requested one is gone. */
  readonly page: number;
  /** '51 to 100 of 10,000'. */
  readonly range: string;
}

export function pageOf<Row>(rows: readonly Row[], wishedPage: number, rowsPerPage = usualRowsPerPage): ShownPage<Row> {
  const pageCount = Math.max(1, Math.ceil(rows.length / rowsPerPage));
  const page = Math.min(Math.max(0, wishedPage), pageCount - 1);
  const from = page * rowsPerPage;
  const shown = rows.slice(from, from + rowsPerPage);
  const range = `${wholeNumberText(Math.min(from + 1, rows.length))} to ${wholeNumberText(from + shown.length)} of ${wholeNumberText(rows.length)}`;
  return { rows: shown, page, range };
}

/**
 * Rows whose text contains the search as typed, in any case; if there are none, rows with every word of it in any order. A lone
 * digit is part of nearly every id, and 'Group 7' should find that group.
 */
export function matchingWords<Row>(rows: readonly Row[], search: string, textOf: (row: Row) => string): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const containing = (parts: readonly string[]): readonly Row[] =>
    rows.filter((row) => {
      const text = textOf(row).toLowerCase();
      return parts.every((part) => text.includes(part));
    });
  const asTyped = containing([words.join(' ')]);
  return asTyped.length > 0 ? asTyped : containing(words);
}
