import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { decimalText } from './decimal-text.ts';

interface PagerProps {
  /** '1 to 50 of 10,000'. */
  readonly range: string;
  readonly page: number;
  readonly pageCount: number;
  readonly nothing: boolean;
  readonly onPage: (page: number) => void;
}

/** How many there are, and the way through them where one page does not hold them. */
export function Pager({ range, page, pageCount, nothing, onPage }: PagerProps) {
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap items-center gap-3">
      <output className="flex-1 text-sm text-quiet">{nothing ? '' : `Showing ${range}`}</output>
      {pageCount > 1 && (
        <>
          <Step possible={page > 0} onStep={() => onPage(page - 1)}>
            Previous
          </Step>
          <span className="text-sm text-quiet">
            Page {page + 1} of {pageCount}
          </span>
          <Step possible={page < pageCount - 1} onStep={() => onPage(page + 1)}>
            Next
          </Step>
        </>
      )}
    </nav>
  );
}

interface StepProps {
  readonly possible: boolean;
  readonly onStep: () => void;
  readonly children: ReactNode;
}

/** Disabled in name alone, as a busy button is: who pages to the end with the keyboard stays where they are. */
function Step({ possible, onStep, children }: StepProps) {
  return (
    <Button size="small" aria-disabled={!possible} onClick={possible ? onStep : undefined}>
      {children}
    </Button>
  );
}

/** Ten thousand rows at once would freeze the page. */
const rowsPerPage = 50;

interface ShownPage<Row> {
  readonly rows: readonly Row[];
  /** From 0; the last page where the wished one is gone. */
  readonly page: number;
  readonly pageCount: number;
  /** '51 to 100 of 10,000'. */
  readonly range: string;
}

const whole = (count: number): string => decimalText(count, { max: 0 });

export function pageOf<Row>(rows: readonly Row[], wishedPage: number): ShownPage<Row> {
  const pageCount = Math.max(1, Math.ceil(rows.length / rowsPerPage));
  const page = Math.min(Math.max(0, wishedPage), pageCount - 1);
  const from = page * rowsPerPage;
  const shown = rows.slice(from, from + rowsPerPage);
  const range = `${whole(Math.min(from + 1, rows.length))} to ${whole(from + shown.length)} of ${whole(rows.length)}`;
  return { rows: shown, page, pageCount, range };
}

/**
 * Those whose text contains the search as it was typed, in any case; where there are none, every word of it in any order. A lone
 * digit stands in nearly every id: 'Group 7' is to find that group.
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
