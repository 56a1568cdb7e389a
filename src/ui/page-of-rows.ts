import { decimalText } from './decimal-text.ts';

/** Ten thousand rows at once would freeze the page. */
const rowsPerPage = 50;

export interface ShownPage<Row> {
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
