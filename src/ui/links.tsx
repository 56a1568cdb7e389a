import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext } from 'react';
import { Link } from 'wouter';

export interface PageLoading {
  /** What is lost is tried again. */
  load(path: string): Promise<void>;
  /** Its download failed the last time: the network is gone, or a newer build has replaced it. */
  isLost(path: string): boolean;
}

const PageLoadingContext = createContext<PageLoading>({ load: () => Promise.resolve(), isLost: () => false });

export const PageLoadingProvider = PageLoadingContext.Provider;

export interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> {
  readonly to: string;
  /** The element to move to if its page is already open; left out: the top of the page. */
  readonly startId?: string | undefined;
}

/**
 * A link inside the site. Pointing at it or focusing it begins to load the page behind it. Where that came to nothing, as after
 * an upgrade of the site, the browser follows it as an ordinary link. On the page that it leads to, it moves to what it is about.
 */
export function PageLink({ to, startId, ...rest }: PageLinkProps) {
  const pages = useContext(PageLoadingContext);
  const prepare = (): void => {
    // A failure shows when the link is followed; here no one has asked for anything yet.
    pages.load(to).catch(() => {});
  };
  const follow = (event: MouseEvent): void => {
    const { pathname, href } = new URL(to, window.location.href);
    if (pathname === window.location.pathname) {
      // A second entry of one address would be a way back that leads nowhere.
      if (href === window.location.href) event.preventDefault();
      readFrom(startId);
      return;
    }
    // Without a network the browser's own page of errors would take this one's place.
    if (!pages.isLost(to) || !navigator.onLine) return;
    event.preventDefault();
    window.location.assign(to);
  };
  return <Link {...rest} href={to} onPointerEnter={prepare} onFocus={prepare} onClick={follow} />;
}

/** Moves scroll and focus to the element with this id; left out: to the top of the page. */
export function readFrom(id?: string): void {
  const start = document.querySelector<HTMLElement>(`#${CSS.escape(id ?? 'main')}`);
  if (start === null) return;
  if (id === undefined) window.scrollTo({ top: 0, behavior: 'instant' });
  else start.scrollIntoView({ behavior: 'instant' });
  start.tabIndex = -1;
  start.focus({ preventScroll: true });
}

export interface ExternalLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'target' | 'rel'> {
  readonly href: string;
  /** Somebody typed it: no search engine is to take it for our word. */
  readonly typed?: boolean;
}

/** A link away from the site: a new tab that knows nothing of this one. */
export const ExternalLink = ({ children, className = 'link', typed = false, ...rest }: ExternalLinkProps) => (
  <a {...rest} className={className} target="_blank" rel={`${typed ? 'nofollow ' : ''}noopener noreferrer`}>
    {children}
    <svg viewBox="0 0 12 12" className="ml-1 inline-block size-[0.7em] shrink-0" aria-hidden="true">
      <path d="M3 9 9 3M4.2 3H9V7.8" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </svg>
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
);
