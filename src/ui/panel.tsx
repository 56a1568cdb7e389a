import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { LoadingLines } from './placeholders.tsx';
import { Answered, type ShownQuery } from './query-error.tsx';
import { FocusedHeading } from './section-heading.tsx';

interface PanelProps {
  readonly id: string;
  readonly title: string;
  /** The data shown; the panel's button reloads it. */
  readonly query: Pick<ShownQuery, 'isFetching' | 'refetch'>;
  /** null: no button, because the one of a panel beside it reloads both. */
  readonly refreshText?: string | null;
  /** Beside the heading, after that button. */
  readonly end?: ReactNode;
  /** Explains the panel, under the heading. */
  readonly intro?: string;
  /** Between the intro and the content. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export const Panel = ({ id, title, query, refreshText = 'Refresh', end, intro, note, children }: PanelProps) => (
  <Card as="section" aria-labelledby={id} aria-busy={query.isFetching}>
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 id={id} className="title-3 flex-1 basis-40">
        {title}
      </h2>
      {refreshText !== null && (
        <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
          {refreshText}
        </Button>
      )}
      {end}
    </div>
    {intro !== undefined && <p className="mb-4 max-w-prose text-quiet">{intro}</p>}
    {note}
    {children}
  </Card>
);

type ListPanelProps<Row> = Omit<PanelProps, 'query' | 'children'> & Omit<QueryLinesProps<Row>, 'labelledBy'>;

/** A panel with nothing but a list. */
export const ListPanel = <Row,>(props: ListPanelProps<Row>) => (
  <Panel {...props}>
    <QueryLines {...props} labelledBy={props.id} />
  </Panel>
);

interface DetailPanelProps {
  readonly id: string;
  readonly title: ReactNode;
  readonly subtitle?: ReactNode;
  readonly busy?: boolean;
  readonly backText: string;
  readonly onBack: () => void;
  readonly end: ReactNode;
  readonly children: ReactNode;
}

/** The details of one row of a list, with a button back to the list and a heading that takes the focus. */
export function DetailPanel(props: DetailPanelProps) {
  const { id, title, subtitle, busy, backText, onBack, end, children } = props;
  return (
    <Card as="section" aria-labelledby={id} aria-busy={busy}>
      <Button size="small" look="ghost" className="-ml-4" onClick={onBack}>
        <span aria-hidden="true">&larr;</span> {backText}
      </Button>
      <div className="mt-2 mb-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72 wrap-anywhere">
          <FocusedHeading id={id}>{title}</FocusedHeading>
          {subtitle !== undefined && <p className="mt-1 text-quiet">{subtitle}</p>}
        </div>
        {end}
      </div>
      {children}
    </Card>
  );
}

interface Paged {
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

interface QueryLinesProps<Row> {
  readonly query: ShownQuery<readonly Row[]> & Paged;
  readonly failure: string;
  readonly empty: ReactNode;
  readonly labelledBy: string;
  readonly moreText?: string;
  readonly loadingClassName?: string;
  readonly children: (row: Row) => ReactNode;
}

/** The lines of a list read from the server, or its loading, failed or empty state. */
export function QueryLines<Row>(props: QueryLinesProps<Row>) {
  const { query, failure, empty, labelledBy, moreText = 'More', loadingClassName, children } = props;
  return (
    <>
      <Answered query={query} failure={failure} loading={<LoadingLines lineClassName={loadingClassName} />}>
        {(rows) => (rows.length === 0 ? empty : <Lines labelledBy={labelledBy}>{rows.map(children)}</Lines>)}
      </Answered>
      <MoreButton query={query} className="pt-4">
        {moreText}
      </MoreButton>
    </>
  );
}

interface MoreButtonProps {
  readonly query: Paged;
  readonly className: string;
  readonly children: string;
}

export const MoreButton = ({ query, className, children }: MoreButtonProps) =>
  query.hasNextPage === true && (
    <div className={`${className} text-center`}>
      <Button size="small" busy={query.isFetchingNextPage ?? false} onClick={() => query.fetchNextPage?.()}>
        {children}
      </Button>
    </div>
  );

interface PartProps {
  readonly id: string;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

export const Part = ({ id, title, children }: PartProps) => (
  <section className="mt-6" aria-labelledby={id}>
    <h3 id={id} className="font-bold">
      {title}
    </h3>
    {children}
  </section>
);

interface LinesProps {
  readonly labelledBy: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export const Lines = ({ labelledBy, className = '', children }: LinesProps) => (
  <ul aria-labelledby={labelledBy} className={`divide-y divide-line border-t border-line ${className}`}>
    {children}
  </ul>
);

interface LineProps {
  readonly end: ReactNode;
  readonly children: ReactNode;
}

/** One entry of a list; its buttons go under it where there is no room beside it. */
export const Line = ({ end, children }: LineProps) => (
  <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
    <div className="min-w-0 flex-1 basis-64 wrap-anywhere">{children}</div>
    {end}
  </li>
);
