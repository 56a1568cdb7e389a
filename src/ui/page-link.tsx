import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext } from 'react';
import { Link } from 'wouter';

/** Loading the code of the page at a path. */
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
}

/**
 * A link inside the site. Pointing at it or focusing it begins to load the page behind it. Where that came to nothing, as after
 * an upgrade of the site, the browser follows it as an ordinary link.
 */
export function PageLink({ to, ...rest }: PageLinkProps) {
  const pages = useContext(PageLoadingContext);
  const prepare = (): void => {
    // A failure shows when the link is followed; here nobody has asked for anything yet.
    pages.load(to).catch(() => {});
  };
  const follow = (event: MouseEvent): void => {
    if (!pages.isLost(to)) return;
    event.preventDefault();
    window.location.assign(to);
  };
  return <Link {...rest} href={to} onPointerEnter={prepare} onFocus={prepare} onClick={follow} />;
}
