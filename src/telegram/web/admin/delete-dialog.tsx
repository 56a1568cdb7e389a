import { AlertDialog } from '../../../ui/dialogs.tsx';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import type { ConfigurationDialogProps } from './configuration-dialogs.tsx';
import { shownChat, shownCollection } from './configuration-names.ts';
import { differencesOf } from './stale-answer.ts';
import { useConfigurationChange } from './use-configuration-change.ts';

/** Specification 2: the delete confirmation. Rulings R6: it can be taken back for 30 days. */
export function DeleteDialog({ configuration, onClose }: ConfigurationDialogProps) {
  const { send, busy, stale, problem } = useConfigurationChange<void>({
    configuration,
    call: () => ({ method: 'DELETE', path: `/api/telegram/configs/${encodeURIComponent(configuration.id)}` }),
    success: {
      title: 'Configuration Deleted',
      description: 'Telegram bot configuration has been deleted successfully.',
    },
    failure: (message) => ({ title: 'Deletion Failed', description: `Failed to delete configuration: ${message}` }),
    onDone: onClose,
  });
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete Configuration"
      confirmText={stale === null ? 'Delete' : 'Delete anyway'}
      onConfirm={() => send()}
      busy={busy}
      error={problem}
    >
      <p>
        Are you sure you want to delete this configuration? This will stop all tracking for{' '}
        <bdi>{shownCollection(configuration)}</bdi> in this chat.
      </p>
      <p className="mt-3">
        Chat: <bdi className="font-semibold">{shownChat(configuration)}</bdi>
      </p>
      <p className="mt-3">It can be restored under &lsquo;Recently deleted&rsquo; for 30 days.</p>
      {stale !== null && <StaleVersions what="configuration" others={differencesOf(configuration, stale)} />}
    </AlertDialog>
  );
}
