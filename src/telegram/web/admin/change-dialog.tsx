import type { ReactNode } from 'react';
import { Button } from '../../../web/ui/button.tsx';
import { Dialog, DialogActions } from '../../../web/ui/dialog.tsx';
import type { ConfigurationDialogProps } from './configuration-dialogs.tsx';
import { OfConfiguration } from './of-configuration.tsx';

interface ChangeDialogProps extends ConfigurationDialogProps {
  readonly title: string;
  readonly busy: boolean;
  /** The deed in words. */
  readonly saveText: string;
  readonly onSave: () => void;
  /** The field, and whatever is to be said of it. */
  readonly children: ReactNode;
}

/** A dialog with one field of one configuration. Nothing is checked by the browser: we have words of our own. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { configuration, onClose, title, busy, saveText, onSave, children } = props;
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={title}
      description={<OfConfiguration configuration={configuration} />}
    >
      <form
        noValidate
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
