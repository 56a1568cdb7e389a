import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/** React offers no other form for this than a class. Shows what to do when a page's code could not be loaded or failed. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <section className="wrap py-24 text-center" role="alert">
        <h1 className="title-2">A rock fell on this page</h1>
        <p className="mt-4 text-quiet">It could not be shown. Load it again; nothing of yours was lost.</p>
        <button type="button" className="button button-torch mt-8" onClick={() => window.location.reload()}>
          Load again
        </button>
      </section>
    );
  }
}
