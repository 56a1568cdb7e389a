import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { useFocusReturn } from './use-focus-return.ts';

export interface DialogProps {
  readonly open: boolean;
  /** Asked for by Escape, by a press beside the dialog and by its close button; not while `busy`. */
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence under the title, read out with it. */
  readonly description?: ReactNode;
  /** Something is under way that closing would hide. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the page: focus goes in, stays in and returns. The veil is our own element, because the library's locks
 * scrolling through a style element, which the pages' content security policy refuses; the style sheet locks it instead.
 */
export function Dialog({ open, onClose, title, description, busy = false, children }: DialogProps) {
  const focus = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <Radix.Portal>
        <div className="dialog-veil" />
        <Radix.Content
          className="slab dialog"
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="dialog-inside">
            <Radix.Title className="title-3 pr-10">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="mt-2 text-quiet wrap-anywhere">{description}</div>
              </Radix.Description>
            )}
            <div className="mt-5">{children}</div>
          </div>
          <Radix.Close className="dialog-close" aria-label="Close" disabled={busy}>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <path d="M2 2 10 10M10 2 2 10" fill="none" stroke="currentColor" strokeWidth="1.6" />
            </svg>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons that ends a dialog: the way out first, the deed last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
