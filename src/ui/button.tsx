import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { ExternalLink, type ExternalLinkProps, PageLink, type PageLinkProps } from './links.tsx';

interface Look {
  readonly look?: ButtonLook;
  readonly size?: ButtonSize;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  readonly ref?: Ref<HTMLButtonElement>;
  /** Shows a spinner and ignores clicks, keeping its width. */
  readonly busy?: boolean;
  /** Tells equal buttons apart for screen readers: 'of Rock Mountain'. */
  readonly about?: string;
}

const ignore = (event: MouseEvent): void => event.preventDefault();

/** A busy button is only `aria-disabled`: a disabled one would lose the focus, and with it the keyboard user's place. */
export const Button = ({ look = 'stone', size, busy = false, about, className, children, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={buttonClass(look, size, className)}
    {...(busy ? { 'aria-busy': true, 'aria-disabled': true, disabled: false, onClick: ignore } : {})}
  >
    {busy && <Spinner />}
    {/* An element of its own: a browser's translation moves bare text, and React cannot put the spinner before what was moved. */}
    <span className="contents">{children}</span>
    {about !== undefined && <span className="sr-only"> {about}</span>}
  </button>
);

export function LinkButton({ look = 'stone', size, className, ...rest }: PageLinkProps & Look) {
  return <PageLink {...rest} className={buttonClass(look, size, className)} />;
}

export function ExternalLinkButton({ look = 'stone', size, className, ...rest }: ExternalLinkProps & Look) {
  return <ExternalLink {...rest} className={buttonClass(look, size, className)} />;
}

/** `torch`: the one most important action of a screen. `stone`: every other. `ghost`: quiet. `danger`: destroys. */
export type ButtonLook = 'torch' | 'stone' | 'ghost' | 'danger';
type ButtonSize = 'medium' | 'small';

export const buttonClass = (look: ButtonLook, size: ButtonSize = 'medium', more = ''): string =>
  `button button-${look}${size === 'small' ? ' button-small' : ''}${more === '' ? '' : ` ${more}`}`;

/** A turning flint. Decoration: the words beside it say what the wait is for. */
export const Spinner = ({ className = 'size-4' }: { readonly className?: string }) => (
  <svg viewBox="0 0 24 24" className={`spinner ${className}`} aria-hidden="true">
    <path
      d="M12 2 19 6 22 13 18 20 10 22 3 17 2 9 6 4Z"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      pathLength="100"
      strokeDasharray="68 32"
    />
  </svg>
);
