import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { AroundNavHandler } from 'wouter';
import { pageHeads, type PageName } from './page-heads.ts';
import { pageAt } from './pages.tsx';

/** Specification 2: these two scroll to their top whenever they are opened. */
const alwaysAtTheirTop: ReadonlySet<PageName> = new Set(['nft', 'rockfolio']);

/** Whether a visitor came to a page by a step inside the site, which the router makes, or by the browser's history. */
export function useSteps() {
  const isStep = useRef(false);
  const aroundNav = useCallback<AroundNavHandler>((navigate, to, options) => {
    isStep.current = new URL(to, window.location.href).pathname !== window.location.pathname;
    navigate(to, options);
  }, []);
  /** Asked once an arrival. */
  const wasStep = useCallback((): boolean => {
    const was = isStep.current;
    isStep.current = false;
    return was;
  }, []);
  return { aroundNav, wasStep };
}

/**
 * After a step inside the site: the new title, the top of the page, and the reading position at the new content, as a
 * document load would; after the browser's way back, where the visitor was. A loaded document is at its top already:
 * moving it while it comes alive would pull it away under a visitor who has begun to read and click.
 */
export function useArrival(path: string, main: RefObject<HTMLElement | null>, wasStep: () => boolean): void {
  const arrivedAt = useRef(path);
  const leftAtPx = useRef(new Map<string, number>());
  useEffect(() => {
    const onScroll = (): void => void leftAtPx.current.set(arrivedAt.current, window.scrollY);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  useEffect(() => {
    if (arrivedAt.current === path) return;
    arrivedAt.current = path;
    const page = pageAt(path);
    const opensAtItsTop = wasStep() || alwaysAtTheirTop.has(page);
    document.title = pageHeads[page].title;
    window.scrollTo({ top: opensAtItsTop ? 0 : (leftAtPx.current.get(path) ?? 0), left: 0, behavior: 'instant' });
    main.current?.focus({ preventScroll: true });
  }, [path, main, wasStep]);
}
