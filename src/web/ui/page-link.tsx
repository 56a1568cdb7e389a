import type { AnchorHTMLAttributes } from 'react';
import { Link } from 'wouter';
import { pageAt, usePages } from '../pages.tsx';

export interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly to: string;
}

/** A link inside the site. Pointing at it or focusing it begins to load the page behind it. */
export function PageLink({ to, ...rest }: PageLinkProps) {
  const pages = usePages();
  const prepare = (): void => {
    // A failure shows when the link is followed; here nobody has asked for anything yet.
    pages.load(pageAt(to)).catch(() => {});
  };
  return <Link {...rest} href={to} onPointerEnter={prepare} onFocus={prepare} />;
}
