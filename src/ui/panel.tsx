import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { LoadingLines } from './placeholders.tsx';
import { Answered, type ShownQuery } from './query-trouble.tsx';

interface PanelProps {
  readonly id: string;
  readonly title: string;
  readonly busy: boolean;
  /** Left out: it is not read anew by hand. */
  readonly onRefresh?: () => void;
  readonly refreshText?: string;
  /** Beside the heading, after that button. */
  readonly end?: ReactNode;
  readonly above?: ReactNode;
  readonly children: ReactNode;
}

export const Panel = ({ id, title, busy, onRefresh, refreshText = 'Refresh', end, above, children }: PanelProps) => (
  <Card as="section" aria-labelledby={id} aria-busy={busy}>
    {above}
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 id={id} className="title-3 flex-1">
        {title}
      </h2>
      {onRefresh !== undefined && (
        <Button size="small" busy={busy} onClick={onRefresh}>
          {refreshText}
        </Button>
      )}
      {end}
    </div>
    {children}
  </Card>
);

interface DetailPanelProps {
  readonly id: string;
  readonly title: ReactNode;
  readonly subtitle?: ReactNode;
  readonly busy?: boolean;
  readonly backText: string;
  readonly onBack: () => void;
  /** The keyboard goes on at the heading, unless it has a better place. */
  readonly takesFocus?: boolean;
  readonly end: ReactNode;
  readonly children: ReactNode;
}

/** The details of one row of a list: the way back to it, and the heading, which takes the focus. */
export function DetailPanel(props: DetailPanelProps) {
  const { id, title, subtitle, busy, backText, onBack, takesFocus = true, end, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const tookFocus = useRef(!takesFocus);
  useEffect(() => {
    if (!tookFocus.current) heading.current?.focus();
    tookFocus.current = true;
  }, []);
  return (
    <Card as="section" aria-labelledby={id} aria-busy={busy}>
      <Button size="small" look="ghost" className="-ml-4" onClick={onBack}>
        <span aria-hidden="true">&larr;</span> {backText}
      </Button>
      <div className="mt-2 mb-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72 wrap-anywhere">
          <h2 id={id} ref={heading} tabIndex={-1} className="title-3 outline-none">
            {title}
          </h2>
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

/** The lines of a list that is read from the server, or what stands in their place: loading, failed, empty. */
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
  /** Its details were shown last: its button takes the focus back. */
  readonly takesFocus?: boolean;
  readonly children: ReactNode;
}

/** One entry of a list; its buttons go under it where there is no room beside it. */
export function Line({ end, takesFocus = false, children }: LineProps) {
  const line = useFocusBack<HTMLLIElement>(takesFocus ? 'button' : null);
  return (
    <li ref={line} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">{children}</div>
      {end}
    </li>
  );
}

/** Back from the details of a row, the keyboard goes on at the button that led there. null: another row's details were shown. */
export function useFocusBack<Box extends HTMLElement>(selector: string | null) {
  const box = useRef<Box>(null);
  useEffect(() => {
    if (selector !== null) box.current?.querySelector<HTMLElement>(selector)?.focus();
  }, [selector]);
  return box;
}
