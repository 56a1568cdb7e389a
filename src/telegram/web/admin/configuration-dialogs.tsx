import { useState } from 'react';
import type { Call } from '../../../ui/api/api-client.ts';
import { StaleVersions, useVersionedChange } from '../../../ui/api/versioned-change.tsx';
import { AlertDialog, FormDialog } from '../../../ui/dialogs.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { ToastText } from '../../../ui/toast/toast-state.ts';
import { differencesOf, shownChat, shownCollection } from './configuration-view.ts';
import type { OpenDialog } from './open-dialog.ts';
import { type TelegramConfiguration, telegramConfiguration, useRefreshTelegram } from './telegram-calls.ts';

interface ConfigurationDialogProps {
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

/** Specification 2: pre-filled with the current id or nothing. Specification 5: the client does not enforce the 0x. */
function HexIdDialog({ configuration, onClose }: ConfigurationDialogProps) {
  const [text, setText] = useState(configuration.hexCollectionId ?? '');
  const hexCollectionId = text.trim();
  const { send, busy, stale, problem } = useConfigurationChange<void>({
    configuration,
    call: () => ({
      method: 'PUT',
      path: `/api/telegram/config/${encodeURIComponent(configuration.id)}`,
      body: { hexCollectionId },
    }),
    success: { title: 'Hex ID updated', description: "The collection's hex ID has been successfully updated." },
    failure: (message) => ({ title: 'Failed to update hex ID', description: message }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Edit Hex ID"
      description={<OfConfiguration configuration={configuration} />}
      onClose={onClose}
      busy={busy}
      saveText={stale === null ? 'Save' : 'Save mine'}
      onSave={send}
    >
      <TextField
        label="Hex collection ID"
        placeholder="0x…"
        autoComplete="off"
        spellCheck={false}
        hint="It must start with 0x. When set, it replaces the collection ID in marketplace queries; leave it empty to use the collection ID."
        value={text}
        error={problem}
        onChange={({ target }) => setText(target.value)}
      />
      {stale !== null && (
        <StaleVersions
          what="configuration"
          yours={[{ field: 'Hex ID', yours: hexCollectionId, saved: stale.hexCollectionId ?? '' }]}
          others={differencesOf(configuration, stale)}
        />
      )}
    </FormDialog>
  );
}

/** Specification 2 and 5: pre-filled with the current minted count; a non-numeric value is sent as 0. */
function ResetCountDialog({ configuration, onClose }: ConfigurationDialogProps) {
  const [text, setText] = useState(String(configuration.mintStats?.mintedCount ?? ''));
  const [wrong, setWrong] = useState<string | null>(null);
  const count = countToSend(text);
  const { send, busy, stale, problem } = useConfigurationChange<void>({
    configuration,
    call: () => ({
      method: 'POST',
      path: `/api/telegram/reset-mint-count/${encodeURIComponent(configuration.id)}`,
      body: { count },
    }),
    success: { title: 'Mint Count Reset', description: 'Mint count has been reset successfully.' },
    failure: (message) => ({ title: 'Reset Failed', description: `Failed to reset mint count: ${message}` }),
    onDone: onClose,
  });
  const save = (): void => {
    const found = countProblem(count);
    setWrong(found);
    if (found === null) send();
  };
  return (
    <FormDialog
      title="Reset Mint Count"
      description={<OfConfiguration configuration={configuration} />}
      onClose={onClose}
      busy={busy}
      saveText={stale === null ? 'Reset' : 'Save mine'}
      onSave={save}
    >
      <TextField
        label="Minted count"
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        hint="Each new mint adds one. Empty means 0."
        value={text}
        error={wrong ?? problem}
        onChange={({ target }) => setText(target.value)}
      />
      {stale !== null && (
        <StaleVersions
          what="configuration"
          yours={[{ field: 'Minted count', yours: String(count), saved: String(stale.mintStats?.mintedCount ?? '') }]}
          others={differencesOf(configuration, stale)}
        />
      )}
    </FormDialog>
  );
}

/** Specification 5: numeric, minimum 0. What a number input gives for anything that is no number is an empty text. */
export function countToSend(text: string): number {
  const count = Number(text.trim());
  return Number.isFinite(count) ? count : 0;
}

/** What keeps a count from being sent, in the words of specification 5; null: nothing. */
export function countProblem(count: number): string | null {
  if (count < 0) return 'Number must be greater than or equal to 0';
  return Number.isInteger(count) ? null : 'The count must be a whole number.';
}

/** Specification 2: the delete confirmation. Rulings R6: it can be taken back for 30 days. */
function DeleteDialog({ configuration, onClose }: ConfigurationDialogProps) {
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

/** Which configuration a dialog is about. */
function OfConfiguration({ configuration }: { readonly configuration: TelegramConfiguration }) {
  return (
    <>
      <bdi className="font-semibold">{shownCollection(configuration)}</bdi> in <bdi>{shownChat(configuration)}</bdi>
    </>
  );
}

interface ConfigurationChange<Input> {
  /** As the admin saw it when the dialog opened. */
  readonly configuration: TelegramConfiguration;
  readonly call: (input: Input) => Omit<Call, 'ifMatch'>;
  readonly success: ToastText;
  readonly failure: (message: string) => ToastText;
  readonly onDone: () => void;
}

/** A change of one configuration, made from the version that the admin saw (rulings R6). */
function useConfigurationChange<Input>({ configuration, ...change }: ConfigurationChange<Input>) {
  const refresh = useRefreshTelegram();
  return useVersionedChange<TelegramConfiguration, Input>({
    ...change,
    seen: configuration,
    schema: telegramConfiguration,
    versionOf: ({ version }) => version,
    refresh,
  });
}
