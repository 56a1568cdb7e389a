import type { ButtonHTMLAttributes, MouseEvent } from 'react';
import { buttonClass, type ButtonLook, type ButtonSize } from './button-class.ts';
import { ExternalLink, type ExternalLinkProps } from './external-link.tsx';
import { PageLink, type PageLinkProps } from './page-link.tsx';
import { Spinner } from './spinner.tsx';

interface Look {
  readonly look?: ButtonLook;
  readonly size?: ButtonSize;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Shows a spinner and ignores clicks, keeping its width. */
  readonly busy?: boolean;
}

const ignore = (event: MouseEvent): void => event.preventDefault();

/** A busy button is disabled in name alone: the browser takes the focus from a disabled one, and with it the keyboard's place. */
export function Button({ look = 'stone', size, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, size, className)}
      {...(busy ? { 'aria-busy': true, 'aria-disabled': true, disabled: false, onClick: ignore } : {})}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A link inside the site that looks like a button. */
export function LinkButton({ look = 'stone', size, className, ...rest }: PageLinkProps & Look) {
  return <PageLink {...rest} className={buttonClass(look, size, className)} />;
}

/** A link away from the site that looks like a button. */
export function ExternalLinkButton({ look = 'stone', size, className, ...rest }: ExternalLinkProps & Look) {
  return <ExternalLink {...rest} className={buttonClass(look, size, className)} />;
}
