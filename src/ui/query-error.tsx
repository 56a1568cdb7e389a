import { type ReactNode, useDeferredValue, useState } from 'react';
import { Age } from './age.tsx';
import { failureText, serverTimeMs } from './api/api-client.ts';
import { Button } from './button.tsx';
import { EmptyState } from './placeholders.tsx';

export interface ShownQuery<Data = unknown> {
  readonly error: unknown;
  readonly data: Data | undefined;
  readonly isLoading: boolean;
  readonly dataUpdatedAt: number;
  readonly isFetching: boolean;
  readonly errorUpdateCount: number;
  readonly refetch: () => unknown;
}

interface QueryErrorProps {
  /** The sentence of specification 8. */
  readonly text: string;
  readonly query: ShownQuery;
}

/**
 * A failed read. Without earlier data it replaces the content; otherwise it is a line above that data, with its age
 * (rulings R3: an outage is never an empty list).
 */
export function QueryError(props: QueryErrorProps) {
  const error = useShownError(props.query);
  return error !== null && <ErrorNotice {...props} error={error} />;
}

function ErrorNotice({ text, query, error }: QueryErrorProps & { readonly error: unknown }) {
  const again = (
    <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
      Try again
    </Button>
  );
  const reason = failureText(error);
  if (query.data === undefined) {
    return (
      <EmptyState tone="danger" action={again}>
        <p className="font-semibold">{text}</p>
        <p>{reason}</p>
      </EmptyState>
    );
  }
  return (
    <div role="alert" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 border-danger py-1 pl-4">
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <p className="font-semibold text-danger">{text}</p>
        <p className="text-quiet">
          {reason} Showing what was read <Age quiet asOf={new Date(serverTimeMs(query.dataUpdatedAt)).toISOString()} />.
        </p>
      </div>
      {again}
    </div>
  );
}

type ErrorFields<Failure> = Pick<ShownQuery, 'data' | 'isFetching' | 'errorUpdateCount'> & {
  readonly error: Failure | null;
};

/** During a retry without earlier data, the last failure stays, and with it the button that was pressed. */
export function useShownError<Failure>(query: ErrorFields<Failure>): Failure | null {
  const [last, setLast] = useState(query.error);
  // A query that has never failed is a different one, loading for the first time.
  const isRetry = query.isFetching && query.data === undefined && query.errorUpdateCount > 0;
  const shown = query.error ?? (isRetry ? last : null);
  if (shown !== last) setLast(shown);
  return shown;
}

interface AnsweredProps<Data> {
  readonly query: ShownQuery<Data>;
  readonly failure: string;
  readonly loading: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Data read from the server, with its failure above it, or its loading or failed state in its place. New data is rendered in small
 * steps, so that a long list never freezes a phone.
 */
export function Answered<Data>({ query, failure, loading, children }: AnsweredProps<Data>) {
  const data = useDeferredValue(query.data);
  const isDrawing = data === undefined && query.data !== undefined;
  const error = useShownError(query);
  return (
    <>
      {error !== null && <ErrorNotice text={failure} query={query} error={error} />}
      {((query.isLoading && error === null) || isDrawing) && loading}
      {data !== undefined && children(data)}
    </>
  );
}
