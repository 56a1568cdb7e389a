import * as Radix from '@radix-ui/react-alert-dialog';
import type { ReactNode } from 'react';
import type { ButtonLook } from './button-class.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface AlertDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The deed in words: 'Delete', never 'OK'. */
  readonly confirmText: string;
  readonly confirmLook?: ButtonLook;
  /** The dialog stays open; its owner closes it when the deed is done. */
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  /** What went wrong with the last try. */
  readonly error?: string | undefined;
}

/** Asks before something is destroyed. It cannot be dismissed by a press beside it, and 'Cancel' has the focus. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onClose, title, children, confirmText, confirmLook = 'danger', onConfirm, busy = false, error } = props;
  const focus = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <Radix.Portal>
        <div className="dialog-veil" />
        <Radix.Content
          className="slab dialog dialog-alert"
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
        >
          <div className="dialog-inside">
            <Radix.Title className="title-3">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="mt-2 text-quiet wrap-anywhere">{children}</div>
            </Radix.Description>
            {error !== undefined && (
              <p role="alert" className="field-error mt-4">
                {error}
              </p>
            )}
            <DialogActions>
              <Radix.Cancel asChild>
                <Button size="small" disabled={busy}>
                  Cancel
                </Button>
              </Radix.Cancel>
              <Button look={confirmLook} size="small" busy={busy} onClick={onConfirm}>
                {confirmText}
              </Button>
            </DialogActions>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
