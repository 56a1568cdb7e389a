import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext } from 'react';
import { Link } from 'wouter';

/** Whether something typed into a `KeptForm` (text-field.tsx) is neither saved nor cancelled. */
export const hasUnsaved = (): boolean => document.querySelector('form[data-typed]') !== null;

/** Asks before that is lost, where the browser does not ask by itself. */
export const mayLeaveForm = (): boolean =>
  !hasUnsaved() || window.confirm('Leave this form? What you typed is not saved.');

export interface PageLoading {
  /** Loads the code of the page at this path; a failed download is tried again. */
  load(path: string): Promise<void>;
  /** Whether its last download failed: the network is gone, or a newer build has replaced it. */
  hasFailed(path: string): boolean;
}

const PageLoadingContext = createContext<PageLoading>({ load: () => Promise.resolve(), hasFailed: () => false });

export const PageLoadingProvider = PageLoadingContext.Provider;

export interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> {
  readonly to: string;
  /** The element to move to if its page is already open; left out: the top of the page. */
  readonly startId?: string | undefined;
}

/**
 * A link inside the site. Hovering over or focusing it starts loading its page. If that failed, as after an upgrade of the site,
 * the browser follows it as an ordinary link. On the page that it leads to, it scrolls to its target instead.
 */
export function PageLink({ to, startId, ...rest }: PageLinkProps) {
  const pages = useContext(PageLoadingContext);
  const prepare = (): void => {
    // A failure shows when the link is followed, not before.
    pages.load(to).catch(() => {});
  };
  const follow = (event: MouseEvent): void => {
    const { pathname, href } = new URL(to, window.location.href);
    if (pathname === window.location.pathname) {
      // A second history entry for the same address would make the back button do nothing.
      if (href === window.location.href) event.preventDefault();
      readFrom(startId);
      return;
    }
    // Without a network the browser would replace this page with its own error page.
    if (!hasUnsaved() && (!pages.hasFailed(to) || !navigator.onLine)) return;
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
  /** A user typed the address, so search engines must not count it as our recommendation. */
  readonly typed?: boolean;
}

/** A link to another site: opens a new tab without access to this one. */
export const ExternalLink = ({ children, className = 'link', typed = false, ...rest }: ExternalLinkProps) => (
  <a {...rest} className={className} target="_blank" rel={`${typed ? 'nofollow ' : ''}noopener noreferrer`}>
    {children}
    <svg viewBox="0 0 12 12" className="ml-1 inline-block size-[0.7em] shrink-0" aria-hidden="true">
      <path d="M3 9 9 3M4.2 3H9V7.8" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </svg>
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
);

/** `of`: what it did, for screen readers. */
export const TransactionLink = ({ href, of }: { readonly href: string; readonly of: string }) => (
  <ExternalLink href={href}>
    Transaction<span className="sr-only"> of: {of}</span>
  </ExternalLink>
);
