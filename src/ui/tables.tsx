import type { ReactNode } from 'react';
import { Button, LinkButton } from './button.tsx';
import { whole } from './decimal-text.ts';

export interface Column<Row> {
  readonly name: string;
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are set to the right in figures of one width. */
  readonly numeric?: boolean;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The last line, under all rows: one entry for each column, the first of which heads it. */
  readonly total?: readonly ReactNode[];
}

/** What scrolls must be reachable by keyboard (WCAG 2.1.1); Safari does not do so by itself. */
const reachable = { tabIndex: 0 };

const align = ({ numeric = false }: { readonly numeric?: boolean }): string => (numeric ? 'numeric' : '');

/** A table that scrolls inside itself when it is wider than the screen. The first column heads each row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, total } = props;
  return (
    <section className="table-scroll" aria-label={caption} {...reachable}>
      <table className="table">
        <caption className="sr-only">{caption}</caption>
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
          {rows.map((row) => (
            <Cells key={keyOf(row)} columns={columns} cells={columns.map((column) => column.cell(row))} />
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <Cells columns={columns} cells={total} />
          </tfoot>
        )}
      </table>
    </section>
  );
}

/** The first cell of a row heads it. */
const headingFirst = (index: number) => (index === 0 ? (['th', { scope: 'row' }] as const) : (['td', {}] as const));

interface CellsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly cells: readonly ReactNode[];
}

const Cells = <Row,>({ columns, cells }: CellsProps<Row>) => (
  <tr>
    {columns.map((column, index) => {
      const [Cell, heads] = headingFirst(index);
      return (
        <Cell key={column.name} {...heads} className={align(column)}>
          {cells[index]}
        </Cell>
      );
    })}
  </tr>
);

interface CardTableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/** A table on a wide screen; a card for each row where its columns would not fit. */
export const CardTable = ({ caption, columns, children }: CardTableProps) => (
  <table className="table card-table">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

/** A row of it: its cells by the names of their columns, the first of which heads it. */
export const CardRow = ({ cells }: { readonly cells: Readonly<Record<string, ReactNode>> }) => (
  <tr>
    {Object.entries(cells).map(([name, cell], index) => {
      const [Cell, heads] = headingFirst(index);
      return (
        <Cell key={name} {...heads} data-label={name}>
          {cell}
        </Cell>
      );
    })}
  </tr>
);

interface PageStepsProps {
  readonly label: string;
  readonly total: number | null;
  readonly page: number | null;
  readonly pageSize: number | null;
  readonly onPage: (page: number) => void;
}

/** From one page of a list to the next, newest first; nothing where there is only one. */
export function PageSteps({ label, total, page, pageSize, onPage }: PageStepsProps) {
  if (total === null || page === null || pageSize === null || total <= pageSize) return null;
  const last = Math.ceil(total / pageSize);
  const step = (name: string, to: number) => (
    <Button size="small" aria-disabled={to < 1 || to > last} onClick={() => to >= 1 && to <= last && onPage(to)}>
      {name}
    </Button>
  );
  return (
    <nav aria-label={label} className="page-steps">
      {step('Newer', page - 1)}
      <p>
        Page {whole(page)} of {whole(last)}
      </p>
      {step('Older', page + 1)}
    </nav>
  );
}

interface PageLinksProps extends Pick<PageStepsProps, 'label' | 'total' | 'pageSize'> {
  readonly page: number;
  /** Of what the list begins with: each page is read from there. */
  readonly headingId: string;
  readonly to: (page: number) => string;
}

/** The same where the page is a part of the address. */
export function PageLinks({ label, total, page, pageSize, headingId, to }: PageLinksProps) {
  if (total === null || pageSize === null || pageSize < 1 || total <= pageSize) return null;
  const last = Math.ceil(total / pageSize);
  const toTop = (): void => document.querySelector(`#${headingId}`)?.scrollIntoView({ behavior: 'instant' });
  return (
    <nav aria-label={label} className="page-steps" onClickCapture={toTop}>
      {page > 1 ? <LinkButton to={to(page - 1)}>Previous</LinkButton> : <span />}
      <p>
        Page {whole(page)} of {whole(last)}
      </p>
      {page < last ? <LinkButton to={to(page + 1)}>Next</LinkButton> : <span />}
    </nav>
  );
}
