import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './placeholders.tsx';

interface SectionBoundaryProps {
  /** What the section shows, as the subject of a sentence: 'The chart'. */
  readonly name: string;
  readonly children: ReactNode;
}

/** A section that throws fails alone (rulings R2): the page, its other sections and tabs stay. */
export function SectionBoundary({ name, children }: SectionBoundaryProps) {
  const client = useQueryClient();
  const renderFallback = (retry: () => void) => {
    // The answer is the likely cause, so it is reloaded. The retry waits until the parents were notified as well:
    // with the old answer it would fail again.
    const tryAgain = () => void client.refetchQueries().finally(() => notifyManager.schedule(retry));
    return (
      <EmptyState tone="danger" action={<Button onClick={tryAgain}>Try again</Button>}>
        <p>{name} could not be shown.</p>
      </EmptyState>
    );
  };
  return <ErrorBoundary renderFallback={renderFallback}>{children}</ErrorBoundary>;
}

interface Props {
  /** Shown in place of the content that threw; `retry` renders it again. */
  readonly renderFallback: (retry: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** React has error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return this.props.renderFallback(() => this.setState({ failed: false }));
  }
}
