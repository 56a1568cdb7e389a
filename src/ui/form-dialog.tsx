import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** What it is about. */
  readonly description: ReactNode;
  readonly onClose: () => void;
  readonly busy: boolean;
  /** The deed in words. */
  readonly saveText: string;
  readonly onSave: () => void;
  /** The fields, and whatever is to be said of them. */
  readonly children: ReactNode;
}

/** A dialog with a form. Nothing is checked by the browser: we have words of our own. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, onClose, busy, saveText, onSave, children } = props;
  return (
    <Dialog onClose={onClose} busy={busy} title={title} description={description}>
      <form
        noValidate
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        {children}
        <DialogActions>
          <Button size="small" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="torch" size="small" busy={busy}>
            {saveText}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
