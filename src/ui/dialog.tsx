import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { useFocusReturn } from './use-focus-return.ts';

interface DialogProps {
  /** Asked for by Escape, by a press beside the dialog and by its close button; not while `busy`. */
  readonly onClose: () => void;
  readonly title: string;
  /** Under the title, read out with it. */
  readonly description?: ReactNode;
  /** Something is under way that closing would hide. */
  readonly busy?: boolean;
  /** It asks before something is destroyed: no press beside it closes it, and it has no close button but its own 'Cancel'. */
  readonly asks?: boolean;
  readonly children: ReactNode;
}

/**
 * The one dialog over the page: focus goes in, stays in and returns. The veil is our own element, because the library's locks
 * scrolling through a style element, which the pages' content security policy refuses; the style sheet locks it instead.
 */
export function Dialog({ onClose, title, description, busy = false, asks = false, children }: DialogProps) {
  const focus = useFocusReturn();
  return (
    <Radix.Root open onOpenChange={(next) => !next && !busy && onClose()}>
      <Radix.Portal>
        <div className="dialog-veil" />
        <Radix.Content
          className={`slab dialog${asks ? ' dialog-alert' : ''}`}
          role={asks ? 'alertdialog' : 'dialog'}
          // The library hides the page from screen readers and keeps the focus inside, but does not say so.
          aria-modal
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          {...(asks ? { onInteractOutside: (event) => event.preventDefault() } : {})}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="dialog-inside">
            <Radix.Title className={`title-3${asks ? '' : ' pr-10'}`}>{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="mt-2 text-quiet wrap-anywhere">{description}</div>
              </Radix.Description>
            )}
            {children}
          </div>
          {!asks && (
            <Radix.Close className="dialog-close" aria-label="Close" disabled={busy}>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <path d="M2 2 10 10M10 2 2 10" fill="none" stroke="currentColor" strokeWidth="1.6" />
              </svg>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons that ends a dialog: the way out first, the deed last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
