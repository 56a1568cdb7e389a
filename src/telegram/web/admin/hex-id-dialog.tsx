import { useState } from 'react';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { ConfigurationDialogProps } from './configuration-dialogs.tsx';
import { OfConfiguration } from './of-configuration.tsx';
import { differencesOf } from './stale-answer.ts';
import { useConfigurationChange } from './use-configuration-change.ts';

/** Specification 2: pre-filled with the current id or nothing. Specification 5: the client does not enforce the 0x. */
export function HexIdDialog({ configuration, onClose }: ConfigurationDialogProps) {
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
