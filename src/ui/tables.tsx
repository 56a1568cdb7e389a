import { Fragment, type ReactNode } from 'react';
import { Button, LinkButton } from './button.tsx';
import { wholeNumberText } from './decimal-text.ts';
import { readFrom } from './links.tsx';
import { NothingFound } from './placeholders.tsx';

export interface Column<Row> {
  readonly name: string;
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Aligned right, in digits of equal width. */
  readonly numeric?: boolean;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** The last row: one entry per column, the first of which is its heading. */
  readonly total?: readonly ReactNode[];
  /** Where the columns do not fit, each row becomes a card; left out: the table scrolls. */
  readonly cards?: boolean;
  /** Details shown under a row; nullish: none. */
  readonly under?: ((row: Row) => ReactNode) | undefined;
}

/** A scrolling area must be reachable by keyboard (WCAG 2.1.1); Safari does not make it so. */
const reachable = { tabIndex: 0 };

const align = ({ numeric = false }: { readonly numeric?: boolean }): string => (numeric ? 'numeric' : '');

/** The first cell of each row is its heading. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, total, cards = false, under } = props;
  const table = (
    <table className={cards ? 'table card-table' : 'table'}>
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
          <Fragment key={keyOf(row)}>
            <Cells columns={columns} cells={columns.map((column) => column.cell(row))} />
            <Unfolded span={columns.length}>{under?.(row)}</Unfolded>
          </Fragment>
        ))}
      </tbody>
      {total !== undefined && (
        <tfoot>
          <Cells columns={columns} cells={total} />
        </tfoot>
      )}
    </table>
  );
  if (cards) return table;
  return (
    <section className="table-scroll" aria-label={caption} {...reachable}>
      {table}
    </section>
  );
}

interface CellsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly cells: readonly ReactNode[];
}

const Cells = <Row,>({ columns, cells }: CellsProps<Row>) => (
  <tr>
    {columns.map((column, index) => {
      const [Cell, heads] = index === 0 ? (['th', { scope: 'row' }] as const) : (['td', {}] as const);
      return (
        <Cell key={column.name} {...heads} data-label={column.name} className={align(column)}>
          {cells[index]}
        </Cell>
      );
    })}
  </tr>
);

const Unfolded = ({ span, children }: { readonly span: number; readonly children: ReactNode }) =>
  children != null && (
    <tr className="row-details">
      <td colSpan={span}>{children}</td>
    </tr>
  );

interface PagerProps {
  readonly label: string;
  /** null: not known, so there is no pager. */
  readonly total: number | null;
  /** From 1 on. */
  readonly page: number | null;
  readonly pageSize: number | null;
  readonly words?: readonly [back: string, on: string];
  /** After a turn, scroll and focus move to the element with this id. */
  readonly startId: string;
  /** Makes the buttons links, where the page is part of the address. */
  readonly linkTo?: (page: number) => string;
  readonly onPage?: (page: number) => void;
}

/** Turns the pages of a list; nothing where there is only one. */
export function Pager({ label, total, page, pageSize, words = ['Previous', 'Next'], ...where }: PagerProps) {
  const { startId, linkTo, onPage } = where;
  if (total === null || page === null || pageSize === null || pageSize < 1 || total <= pageSize) return null;
  const last = Math.ceil(total / pageSize);
  const step = (name: string, to: number) => {
    const isThere = to >= 1 && to <= last;
    if (linkTo !== undefined)
      return isThere ? (
        <LinkButton {...{ startId }} to={linkTo(to)}>
          {name}
        </LinkButton>
      ) : (
        <span />
      );
    const turn = (): void => {
      readFrom(startId);
      onPage?.(to);
    };
    // Only `aria-disabled`, like a busy button, so that the keyboard can still reach it on the last page.
    return (
      <Button size="small" aria-disabled={!isThere} onClick={() => isThere && turn()}>
        {name}
      </Button>
    );
  };
  return (
    <nav aria-label={label} className="page-steps">
      {step(words[0], page - 1)}
      <p>
        Page {wholeNumberText(page)} of {wholeNumberText(last)}
      </p>
      {step(words[1], page + 1)}
    </nav>
  );
}

/** The button texts for a list sorted by time. */
export const newestFirst = ['Newer', 'Older'] as const;

interface AfterTheLastPageProps {
  readonly total: number;
  readonly pageSize: number | null;
  readonly go: (page: number) => void;
}

/** Shown when the address asks for a page that the list does not have. */
export function AfterTheLastPage({ total, pageSize, go }: AfterTheLastPageProps) {
  const last = pageSize === null ? 1 : Math.ceil(total / pageSize);
  return (
    <NothingFound onClear={() => go(last)} clearText={last === 1 ? 'Show the list' : 'Show the last page'}>
      {last === 1
        ? 'There is no such page: this list has only one.'
        : `There is no such page: the last one is ${wholeNumberText(last)}.`}
    </NothingFound>
  );
}
