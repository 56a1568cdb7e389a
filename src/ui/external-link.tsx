import type { AnchorHTMLAttributes } from 'react';

export interface ExternalLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'target' | 'rel'> {
  readonly href: string;
  /** The small arrow after the text; on unless the look of the link already tells. */
  readonly arrow?: boolean;
}

/** A link away from the site: a new tab that knows nothing of this one. */
export function ExternalLink({ arrow = true, children, className = 'link', ...rest }: ExternalLinkProps) {
  return (
    <a {...rest} className={className} target="_blank" rel="noopener noreferrer">
      {children}
      {arrow && (
        <svg viewBox="0 0 12 12" className="ml-1 inline-block size-[0.7em] shrink-0" aria-hidden="true">
          <path d="M3 9 9 3M4.2 3H9V7.8" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      )}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
