import type { TelegramConfiguration } from './telegram-answers.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { HexIdDialog } from './hex-id-dialog.tsx';
import type { OpenDialog } from './open-dialog.ts';
import { ResetCountDialog } from './reset-count-dialog.tsx';

export interface ConfigurationDialogProps {
  readonly configuration: TelegramConfiguration;
  readonly onClose: () => void;
}

interface ConfigurationDialogsProps {
  readonly dialog: OpenDialog | null;
  readonly onClose: () => void;
}

const dialogs = { 'hex-id': HexIdDialog, reset: ResetCountDialog, delete: DeleteDialog } as const;

/** Each opening begins anew: nothing of what was typed for another configuration is left. */
export function ConfigurationDialogs({ dialog, onClose }: ConfigurationDialogsProps) {
  if (dialog === null) return null;
  const Dialog = dialogs[dialog.kind];
  return <Dialog key={dialog.configuration.id} configuration={dialog.configuration} onClose={onClose} />;
}
