import { useMutation } from '@tanstack/react-query';
import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import * as z from 'zod/mini';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { failureText } from '../../../ui/api/api-client.ts';
import { useConfirmedCall } from '../../../ui/api/confirmed-call.tsx';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { useToast } from '../../../ui/toast/toast-provider.tsx';
import { inWords, PasskeyFailure } from '../proof.ts';
import { newCodes, useRefreshAccounts } from './accounts-calls.ts';
import { NameField, OwnPasswordField } from './factor-dialogs.tsx';

export interface AddProps {
  /** With new recovery codes, where there were none before. */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
  readonly onClose: () => void;
}

type MakeOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** The server asks, the browser makes the passkey, the server takes it. */
export function AddPasskey({ onAdded, onClose }: AddProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<{ readonly name?: string; readonly password?: string }>({});
  const call = useConfirmedCall();
  const showToast = useToast();
  const refresh = useRefreshAccounts();
  const add = useMutation({
    mutationFn: async () => {
      const begun = await call({ method: 'POST', path: '/api/auth/passkeys/begin', body: { password } });
      const optionsJSON = dataIn(begun, z.record(z.string(), z.unknown())) as unknown as MakeOptions;
      const response = await startRegistration({ optionsJSON }).catch(inWords);
      return call({ method: 'POST', path: '/api/auth/passkeys', body: { name: name.trim(), response } });
    },
    onSuccess: (answer) => {
      showToast({ title: 'Passkey added', description: 'You will be asked for it from now on.' });
      refresh();
      onAdded(dataIn(answer, newCodes)?.recoveryCodes ?? null);
    },
  });
  const save = (): void => {
    const found = {
      ...(name.trim() === '' && { name: 'Give it a name.' }),
      ...(password === '' && { password: 'Type your password.' }),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) add.mutate();
  };
  const problem = add.error instanceof PasskeyFailure ? add.error.message : failureText(add.error);
  return (
    <FormDialog
      title="Add a passkey"
      description="Your phone, this computer or a security key then confirms that it is you."
      saveText="Add passkey"
      onSave={save}
      busy={add.isPending}
      problem={add.error === null ? undefined : problem}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <NameField example="My phone" value={name} error={wrong.name} onText={setName} />
        <OwnPasswordField value={password} error={wrong.password} onText={setPassword} />
      </div>
    </FormDialog>
  );
}
