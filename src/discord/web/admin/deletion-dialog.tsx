import type { ReactNode } from 'react';
import { failureText } from '../../../ui/api/api-client.ts';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { AlertDialog } from '../../../ui/dialogs.tsx';
import type { ToastText } from '../../../ui/toast/toast-state.ts';
import { useRefreshGuilds } from './discord-calls.ts';

interface DeletionDialogProps {
  readonly title: string;
  readonly confirmText: string;
  /** What is asked to be deleted with DELETE. */
  readonly path: string;
  readonly success: ToastText;
  readonly failureTitle: string;
  readonly onAnswer?: (answer: unknown) => void;
  readonly onClose: () => void;
  /** What follows from it, said before it is done. */
  readonly children: ReactNode;
}

/** Deletes something of a server after saying what follows. The servers are read anew even when it fails: it may be gone already. */
export function DeletionDialog(props: DeletionDialogProps) {
  const { title, confirmText, path, success, failureTitle, onAnswer, onClose, children } = props;
  const refresh = useRefreshGuilds();
  const deletion = useApiMutation({
    call: () => ({ method: 'DELETE', path }),
    success: () => success,
    failure: (message) => {
      refresh();
      return { title: failureTitle, description: message };
    },
    onDone: (answer) => {
      onAnswer?.(answer);
      onClose();
      refresh();
    },
  });
  return (
    <AlertDialog
      onClose={onClose}
      title={title}
      confirmText={confirmText}
      onConfirm={() => deletion.mutate()}
      busy={deletion.isPending}
      error={deletion.error === null ? undefined : failureText(deletion.error)}
    >
      {children}
    </AlertDialog>
  );
}
