import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown in place of what threw; `retry` renders it anew. */
  readonly renderFallback: (retry: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** React offers no other form for this than a class. */
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
