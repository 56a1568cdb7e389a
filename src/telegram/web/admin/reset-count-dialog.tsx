import { useState } from 'react';
import { TextField } from '../../../web/ui/text-field.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import type { ConfigurationDialogProps } from './configuration-dialogs.tsx';
import { countProblem, countToSend } from './reset-count.ts';
import { StaleVersions } from './stale-versions.tsx';
import { useConfigurationChange } from './use-configuration-change.ts';

/** Specification 2 and 5: pre-filled with the current minted count; a non-numeric value is sent as 0. */
export function ResetCountDialog({ configuration, onClose }: ConfigurationDialogProps) {
  const [text, setText] = useState(String(configuration.mintStats.mintedCount));
  const [wrong, setWrong] = useState<string | null>(null);
  const count = countToSend(text);
  const { send, busy, stale, problem } = useConfigurationChange<void>({
    configuration,
    call: () => ({
      method: 'POST',
      path: `/api/telegram/reset-mint-count/${configuration.id}`,
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
    <ChangeDialog
      title="Reset Mint Count"
      configuration={configuration}
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
        hint="From here on each mint counts one more. Left empty it is 0."
        value={text}
        error={wrong ?? problem}
        onChange={({ target }) => setText(target.value)}
      />
      {stale !== null && (
        <StaleVersions
          before={configuration}
          current={stale}
          yours={{ field: 'Minted count', value: String(count) }}
          theirs={String(stale.mintStats.mintedCount)}
        />
      )}
    </ChangeDialog>
  );
}
