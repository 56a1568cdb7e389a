import { QueryClientProvider } from '@tanstack/react-query';
import {
  createElement,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type AroundNavHandler, Router, useLocation } from 'wouter';
import type { SiteConfig } from '../shared/site-config.ts';
import { createQueryClient } from '../ui/api/use-public-answer.ts';
import { PageLoadingProvider, readFrom } from '../ui/links.tsx';
import { Skeleton } from '../ui/placeholders.tsx';
import { ErrorBoundary } from '../ui/section-boundary.tsx';
import { SiteConfigProvider } from '../ui/server-written.tsx';
import { ToastProvider } from '../ui/toast/toast-provider.tsx';
import { Footer, Header, StatusLine } from './frame.tsx';
import { pageAt, type PageName, type Pages, titleAt } from './pages.tsx';

interface AppProps {
  readonly pages: Pages;
  readonly siteConfig: SiteConfig;
  readonly ssrPath?: string;
}

/** The whole browser program; the same tree is prerendered and hydrated. */
export function App({ pages, siteConfig, ssrPath }: AppProps) {
  const { aroundNav, wasStep } = useSteps();
  const [queryClient] = useState(createQueryClient);
  return (
    <SiteConfigProvider value={siteConfig}>
      <QueryClientProvider client={queryClient}>
        <PageLoadingProvider value={pages}>
          <ToastProvider>
            <Router aroundNav={aroundNav} {...(ssrPath === undefined ? {} : { ssrPath })}>
              <Frame pages={pages} wasStep={wasStep} />
            </Router>
          </ToastProvider>
        </PageLoadingProvider>
      </QueryClientProvider>
    </SiteConfigProvider>
  );
}

function Frame({ pages, wasStep }: { readonly pages: Pages; readonly wasStep: () => boolean }) {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  useArrival(path, main, wasStep);
  useInheritedFocus();
  useEffect(() => pages.arrivedAt(path), [pages, path]);
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1} className="flex-1">
        <ErrorBoundary key={path} renderFallback={() => <FallenPage />}>
          <Suspense fallback={<PageSkeleton />}>
            <CurrentPage pages={pages} path={path} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <StatusLine />
    </div>
  );
}

const CurrentPage = ({ pages, path }: { readonly pages: Pages; readonly path: string }) =>
  createElement(pages.use(path));

/** Shown while a page's chunk is loading; keeps the footer below the fold. */
const PageSkeleton = () => (
  <div className="wrap min-h-dvh py-16">
    <output className="sr-only">Loading...</output>
    <Skeleton className="h-14 w-2/3" />
    <Skeleton className="mt-6 h-6 w-1/2" />
    <Skeleton className="mt-12 h-72 w-full" />
  </div>
);

const FallenPage = () => (
  <section className="wrap py-24 text-center" role="alert">
    <h1 className="title-2">A rock fell on this page</h1>
    <p className="mt-4 text-quiet">
      {navigator.onLine
        ? 'It could not be shown. Load it again; nothing of yours was lost.'
        : 'You are offline. Load the page again once you are back online.'}
    </p>
    <button type="button" className="button button-torch mt-8" onClick={() => window.location.reload()}>
      Load again
    </button>
  </section>
);

/** Specification 2: these two scroll to their top whenever they are opened. */
const alwaysAtTheirTop: ReadonlySet<PageName> = new Set(['nft', 'rockfolio']);

/** Whether a visitor reached a page through the router, inside the site, or through the browser's history. */
function useSteps() {
  const isStep = useRef(false);
  const aroundNav = useCallback<AroundNavHandler>((navigate, to, options) => {
    isStep.current = new URL(to, window.location.href).pathname !== window.location.pathname;
    navigate(to, options);
  }, []);
  const wasStep = useCallback((): boolean => {
    const was = isStep.current;
    isStep.current = false;
    return was;
  }, []);
  return { aroundNav, wasStep };
}

/**
 * After navigation inside the site: the new title, the top of the page, and the focus on the new content, as a document
 * load would do; after the browser's back button, the previous scroll position and the focus on the link that was followed. A loaded
 * document is at its top already: scrolling during hydration would move it under a visitor who has begun to read and click.
 */
function useArrival(path: string, main: RefObject<HTMLElement | null>, wasStep: () => boolean): void {
  const arrivedPath = useRef(path);
  const leftAtPx = useRef(new Map<string, number>());
  const lastFocused = useRef(new Map<string, string | null>());
  useEffect(() => {
    const onScroll = (): void => void leftAtPx.current.set(arrivedPath.current, window.scrollY);
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target === main.current) return;
      const href = main.current?.contains(target) === true ? target.getAttribute('href') : null;
      lastFocused.current.set(arrivedPath.current, href);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('focusin', onFocus);
    return () => {
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('focusin', onFocus);
    };
  }, [main]);
  useEffect(() => {
    // Scroll restoration is off, so going back to another part of the same page must be scrolled by hand.
    const onHashChange = ({ oldURL }: HashChangeEvent): void => {
      const { hash, pathname } = window.location;
      if (new URL(oldURL).pathname === pathname) readFrom(hash === '' ? undefined : hash.slice(1));
    };
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, []);
  useEffect(() => {
    if (arrivedPath.current === path) return;
    arrivedPath.current = path;
    const page = pageAt(path);
    const opensAtItsTop = wasStep() || alwaysAtTheirTop.has(page);
    window.scrollTo({ top: opensAtItsTop ? 0 : (leftAtPx.current.get(path) ?? 0), left: 0, behavior: 'instant' });
    const href = opensAtItsTop ? null : (lastFocused.current.get(path) ?? null);
    const followed = href === null ? null : main.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
    (followed ?? main.current)?.focus({ preventScroll: true });
  }, [path, main, wasStep]);
  // Before the page's own effects: it may know a fuller title (useFullTitle).
  useLayoutEffect(() => {
    if (arrivedPath.current !== path) document.title = titleAt(pageAt(path), path);
  }, [path]);
}

/**
 * An element that leaves the page leaves its focus to the nearest element around it that can have one, at last to `main`. The browser
 * would start again at the top of the page.
 */
function useInheritedFocus(): void {
  useEffect(() => {
    let [focused, ...around]: readonly EventTarget[] = [];
    const remember = (event: FocusEvent): void => void ([focused, ...around] = event.composedPath());
    const watch = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(focused instanceof Element) || focused.isConnected) return;
      const heir = around.find((each) => each instanceof HTMLElement && each.isConnected && each.matches('[tabindex]'));
      if (heir instanceof HTMLElement) heir.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      watch.disconnect();
    };
  }, []);
}
