import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** Reserves the room of content that is loading. Decoration: the words beside it say 'Loading...'. */
export function Skeleton({ className = 'h-6 w-full' }: { readonly className?: string }) {
  return <span className={`skeleton ${className}`} aria-hidden="true" />;
}

interface LoadingLinesProps {
  readonly count?: number;
  readonly className?: string;
  readonly lineClassName?: string | undefined;
}

export const LoadingLines = ({
  count = 3,
  className = 'space-y-3',
  lineClassName = 'h-12 w-full',
}: LoadingLinesProps) => (
  <div className={className}>
    <output className="sr-only">Loading...</output>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} className={lineClassName} />
    ))}
  </div>
);

interface EmptyStateProps {
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly tone?: 'quiet' | 'danger';
}

/** In place of content that is not there: none yet, not configured, or failed to load. */
export const EmptyState = ({ children, action, tone = 'quiet' }: EmptyStateProps) => (
  <div className={`empty-state empty-${tone}`} {...(tone === 'danger' ? { role: 'alert' } : {})}>
    <svg viewBox="0 0 64 32" aria-hidden="true">
      <path d="M4 30 10 16 22 9 33 14 38 30Z" />
      <path d="M40 30 44 20 52 17 60 24 61 30Z" strokeDasharray="3 3" />
      <path d="M0 30H64" />
    </svg>
    <div className="max-w-prose wrap-anywhere">{children}</div>
    {action}
  </div>
);

interface NothingFoundProps {
  readonly children: string;
  readonly onClear: () => void;
  readonly clearText?: string;
}

export const NothingFound = ({ children, onClear, clearText = 'Show all' }: NothingFoundProps) => (
  <EmptyState
    action={
      <Button size="small" onClick={onClear}>
        {clearText}
      </Button>
    }
  >
    {children}
  </EmptyState>
);

interface ProblemProps {
  /** Nullish: nothing is wrong, and nothing is shown. */
  readonly children: ReactNode;
  readonly className?: string;
}

/** One sentence on what went wrong, read out at once. */
export const Problem = ({ children, className = 'field-error' }: ProblemProps) =>
  children != null && (
    <p role="alert" className={`${className} wrap-anywhere`}>
      {children}
    </p>
  );

/** Above a list: the item asked for, or open before, is not in it. */
export const MissingItemNote = ({ children }: { readonly children: ReactNode }) => (
  <output className="mb-4 block border-l-4 border-stale py-1 pl-4 wrap-anywhere">{children}</output>
);
