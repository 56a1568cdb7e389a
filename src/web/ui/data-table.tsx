import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly name: string;
  /** The head of the column when it is more than its name. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are set to the right in figures of one width. */
  readonly numeric?: boolean;
}

export interface DataTableProps<Row> {
  /** Names the table for everybody who cannot see where it stands. */
  readonly caption: string;
  readonly captionShown?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What stands in place of rows when there are none. */
  readonly empty?: ReactNode;
}

/** What scrolls must be reachable by keyboard (WCAG 2.1.1); Safari does not do so by itself. */
const reachable = { tabIndex: 0 };

/** A table that scrolls inside itself when it is wider than the screen. The first column heads each row. */
export function DataTable<Row>({ caption, captionShown = false, columns, rows, keyOf, empty }: DataTableProps<Row>) {
  const align = ({ numeric = false }: Column<Row>): string => (numeric ? 'numeric' : '');
  return (
    <section className="table-scroll" aria-label={caption} {...reachable}>
      <table className="table">
        <caption className={captionShown ? 'table-caption' : 'sr-only'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={align(column)}>
                {column.head ?? column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className="table-empty">
                {empty ?? 'Nothing here yet.'}
              </td>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.name} scope="row" className={align(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} className={align(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
