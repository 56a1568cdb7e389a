import { useState } from 'react';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { ConfigurationDialogProps } from './configuration-dialogs.tsx';
import { countProblem, countToSend } from './reset-count.ts';
import { OfConfiguration } from './of-configuration.tsx';
import { differencesOf } from './stale-answer.ts';
import { useConfigurationChange } from './use-configuration-change.ts';

/** Specification 2 and 5: pre-filled with the current minted count; a non-numeric value is sent as 0. */
export function ResetCountDialog({ configuration, onClose }: ConfigurationDialogProps) {
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
