import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { Link } from 'wouter';
import { pageAt, usePages } from '../pages.tsx';

export interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> {
  readonly to: string;
}

/**
 * A link inside the site. Pointing at it or focusing it begins to load the page behind it. Where that came to nothing, as after
 * an upgrade of the site, the browser follows it as an ordinary link.
 */
export function PageLink({ to, ...rest }: PageLinkProps) {
  const pages = usePages();
  const prepare = (): void => {
    // A failure shows when the link is followed; here nobody has asked for anything yet.
    pages.load(pageAt(to)).catch(() => {});
  };
  const follow = (event: MouseEvent): void => {
    if (!pages.isLost(pageAt(to))) return;
    event.preventDefault();
    window.location.assign(to);
  };
  return <Link {...rest} href={to} onPointerEnter={prepare} onFocus={prepare} onClick={follow} />;
}
