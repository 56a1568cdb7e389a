import { type ReactNode, useState } from 'react';
import { type ShownFields, useVersionedChange, type VersionedChange } from '../../../ui/api/versioned-change.tsx';
import { AlertDialog, FormDialog } from '../../../ui/dialogs.tsx';
import { TextField, useFields } from '../../../ui/text-field.tsx';
import { shownChat, shownCollection, shownFields } from './telegram-words.ts';
import { configurationPath, type TelegramConfiguration, telegramConfiguration } from './telegram-calls.ts';

interface DialogProps {
  /** As it was when the dialog was opened: polling does not change what is being typed. */
  readonly configuration: TelegramConfiguration;
  readonly onClose: () => void;
}

type Change = Pick<VersionedChange<TelegramConfiguration, null>, 'call' | 'success' | 'failure'>;

/** A change of one configuration, based on the version that the admin saw (rulings R6). */
const useChange = ({ configuration, onClose }: DialogProps, change: Change) =>
  useVersionedChange<TelegramConfiguration, null>({
    ...change,
    seen: configuration,
    schema: telegramConfiguration,
    versionOf: ({ version }) => version,
    what: 'configuration',
    fieldsOf: shownFields,
    onDone: onClose,
  });

interface FieldDialogProps extends DialogProps {
  readonly title: string;
  readonly saveText: string;
  readonly change: ReturnType<typeof useChange>;
  /** What would be saved, by the name of its field. */
  readonly yours: ShownFields;
  readonly onSave: () => void;
  readonly children: ReactNode;
}

const FieldDialog = ({ configuration, change: { busy, staleNote }, yours, ...rest }: FieldDialogProps) => (
  <FormDialog
    {...rest}
    description={
      <>
        <bdi className="font-semibold">{shownCollection(configuration)}</bdi> in <bdi>{shownChat(configuration)}</bdi>
      </>
    }
    busy={busy}
    stale={staleNote(yours)}
  />
);

/** Specification 2: pre-filled with the current id or nothing. Specification 5: the client does not enforce the 0x. */
export function HexIdDialog({ configuration, onClose }: DialogProps) {
  const [typed, setTyped] = useState(configuration.hexCollectionId ?? '');
  const hexCollectionId = typed.trim();
  const path = `/api/telegram/config/${encodeURIComponent(configuration.id)}`;
  const change = useChange(
    { configuration, onClose },
    {
      call: () => ({ method: 'PUT', path, body: { hexCollectionId } }),
      success: { title: 'Hex ID updated', description: "The collection's hex ID has been successfully updated." },
      failure: 'Failed to update hex ID',
    },
  );
  return (
    <FieldDialog
      {...{ configuration, onClose, change }}
      title="Edit Hex ID"
      saveText="Save"
      yours={{ 'Hex ID': hexCollectionId }}
      onSave={() => change.send(null)}
    >
      <TextField
        label="Hex collection ID"
        placeholder="0x…"
        autoComplete="off"
        spellCheck={false}
        hint="It must start with 0x. When set, it replaces the collection ID in marketplace queries; leave it empty to use the collection ID."
        value={typed}
        error={change.problem}
        onText={setTyped}
      />
    </FieldDialog>
  );
}

/** Specification 2 and 5: pre-filled with the current minted count; a non-numeric value is sent as 0. */
export function ResetCountDialog({ configuration, onClose }: DialogProps) {
  const saved = String(configuration.mintStats?.mintedCount ?? '');
  const { form, field, save } = useFields({ count: saved }, (typed) => ({
    count: countProblem(countToSend(typed.count)),
  }));
  const count = countToSend(form.count);
  const path = `/api/telegram/reset-mint-count/${encodeURIComponent(configuration.id)}`;
  const change = useChange(
    { configuration, onClose },
    {
      call: () => ({ method: 'POST', path, body: { count } }),
      success: { title: 'Mint Count Reset', description: 'Mint count has been reset successfully.' },
      failure: (message) => ({ title: 'Reset Failed', description: `Failed to reset mint count: ${message}` }),
    },
  );
  return (
    <FieldDialog
      {...{ configuration, onClose, change }}
      title="Reset Mint Count"
      saveText="Reset"
      yours={{ 'Minted count': String(count) }}
      onSave={() => save(() => change.send(null))}
    >
      <TextField
        {...field('count')}
        error={field('count').error ?? change.problem}
        label="Minted count"
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        hint="Each new mint adds one. Empty means 0."
      />
    </FieldDialog>
  );
}

/** Specification 5: numeric, minimum 0. For anything else a number input returns an empty string. */
export function countToSend(text: string): number {
  const count = Number(text.trim());
  return Number.isFinite(count) ? count : 0;
}

/** Why a count cannot be sent, in the words of specification 5; undefined: it can. */
export function countProblem(count: number): string | undefined {
  if (count < 0) return 'Number must be greater than or equal to 0';
  return Number.isInteger(count) ? undefined : 'The count must be a whole number.';
}

/** Specification 2: the delete confirmation. Rulings R6: it can be undone for 30 days. */
export function DeleteDialog({ configuration, onClose }: DialogProps) {
  const change = useChange(
    { configuration, onClose },
    {
      call: () => ({ method: 'DELETE', path: configurationPath(configuration.id) }),
      success: {
        title: 'Configuration Deleted',
        description: 'Telegram bot configuration has been deleted successfully.',
      },
      failure: (message) => ({ title: 'Deletion Failed', description: `Failed to delete configuration: ${message}` }),
    },
  );
  return (
    <AlertDialog onClose={onClose} title="Delete Configuration" confirmText="Delete" change={change}>
      <p>
        Are you sure you want to delete this configuration? This will stop all tracking for{' '}
        <bdi>{shownCollection(configuration)}</bdi> in this chat.
      </p>
      <p className="mt-3">
        Chat: <bdi className="font-semibold">{shownChat(configuration)}</bdi>
      </p>
      <p className="mt-3">It can be restored under &lsquo;Recently deleted&rsquo; for 30 days.</p>
    </AlertDialog>
  );
}
