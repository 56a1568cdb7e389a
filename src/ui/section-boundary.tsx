import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface SectionBoundaryProps {
  /** What the section shows, as the subject of a sentence: 'The chart'. */
  readonly name: string;
  readonly children: ReactNode;
}

/** A section that throws falls alone (rulings R2): the page, its other sections and tabs stand. */
export function SectionBoundary({ name, children }: SectionBoundaryProps) {
  const client = useQueryClient();
  const renderFallback = (retry: () => void) => {
    // What could not be shown is likely to be the answer's fault: it is read again.
    const tryAgain = () => void client.refetchQueries().finally(retry);
    return (
      <EmptyState tone="danger" action={<Button onClick={tryAgain}>Try again</Button>}>
        <p>{name} could not be shown.</p>
      </EmptyState>
    );
  };
  return <ErrorBoundary renderFallback={renderFallback}>{children}</ErrorBoundary>;
}

export const inSection = (name: string, content: ReactNode): ReactNode => (
  <SectionBoundary name={name}>{content}</SectionBoundary>
);
