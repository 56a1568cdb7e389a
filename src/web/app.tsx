import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, Suspense, useEffect, useRef } from 'react';
import { Router, useLocation } from 'wouter';
import type { SiteConfig } from '../shared/site-config.ts';
import { pageHeads } from './page-heads.ts';
import { pageAt, type Pages, PagesProvider, usePages } from './pages.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { StatusLine } from './shell/status-line.tsx';
import { SiteConfigProvider } from './site-config-context.tsx';
import { ToastProvider } from './toast/toast-provider.tsx';

export interface AppProps {
  readonly pages: Pages;
  readonly siteConfig: SiteConfig;
  readonly queryClient: QueryClient;
  /** The path to render without a browser. */
  readonly ssrPath?: string;
}

/** The whole browser program; the same tree is prerendered and hydrated. */
export function App({ pages, siteConfig, queryClient, ssrPath }: AppProps) {
  return (
    <SiteConfigProvider value={siteConfig}>
      <QueryClientProvider client={queryClient}>
        <PagesProvider value={pages}>
          <ToastProvider>
            <Router {...(ssrPath === undefined ? {} : { ssrPath })}>
              <Frame />
            </Router>
          </ToastProvider>
        </PagesProvider>
      </QueryClientProvider>
    </SiteConfigProvider>
  );
}

function Frame() {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  useArrival(path, main);
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1} className="flex-1 outline-none">
        <ErrorBoundary key={path}>
          <Suspense fallback={<PageSkeleton />}>
            <CurrentPage path={path} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <StatusLine />
    </div>
  );
}

function CurrentPage({ path }: { readonly path: string }) {
  return createElement(usePages().use(pageAt(path)));
}

/**
 * After a step inside the site: the new title, the top of the page (specification 2), and the reading position at the new
 * content, as a document load would. A loaded document is at its top already: moving it while it comes alive would pull
 * it away under a visitor who has begun to read and click.
 */
function useArrival(path: string, main: React.RefObject<HTMLElement | null>): void {
  const arrivedAt = useRef(path);
  useEffect(() => {
    if (arrivedAt.current === path) return;
    arrivedAt.current = path;
    document.title = pageHeads[pageAt(path)].title;
    window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
    main.current?.focus({ preventScroll: true });
  }, [path, main]);
}
