import type { ReactNode } from 'react';
import type { ButtonLook } from './button-class.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

export interface AlertDialogProps {
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
  const { onClose, title, children, confirmText, confirmLook = 'danger', onConfirm, busy = false, error } = props;
  return (
    <Dialog asks onClose={onClose} busy={busy} title={title} description={children}>
      {error !== undefined && (
        <p role="alert" className="field-error mt-4">
          {error}
        </p>
      )}
      <DialogActions>
        <Button size="small" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button look={confirmLook} size="small" busy={busy} onClick={onConfirm}>
          {confirmText}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
