import { useState } from 'react';
import { useApiMutation } from '../../../ui/api/use-answer.ts';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { Factor } from './accounts-calls.ts';

interface RemoveFactorProps {
  readonly factor: Factor;
  readonly isLast: boolean;
  readonly onClose: () => void;
}

const nameMax = 40;

interface FieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
}

export const NameField = ({ example, ...field }: FieldProps & { readonly example: string }) => (
  <TextField
    label="Name"
    hint={`By which you recognise it: ‘${example}’.`}
    maxLength={nameMax}
    autoComplete="off"
    {...field}
  />
);

export const OwnPasswordField = (field: FieldProps) => (
  <TextField label="Your password" type="password" autoComplete="current-password" {...field} />
);

/** The last one takes the password: afterwards it is all that is asked for. */
export function RemoveFactor({ factor, isLast, onClose }: RemoveFactorProps) {
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const { send, busy, problem } = useApiMutation({
    call: () => ({
      method: 'DELETE',
      path: `/api/auth/factors/${factor.id}`,
      body: { password: isLast ? password : null },
    }),
    success: { title: 'Second factor removed', description: 'You will no longer be asked for it.' },
    failure: 'Failed to remove the second factor',
    onDone: onClose,
  });
  const remove = (): void => {
    const isMissing = isLast && password === '';
    setWrong(isMissing ? 'Type your password.' : undefined);
    if (!isMissing) send();
  };
  return (
    <FormDialog
      title="Remove a second factor"
      description={
        <>
          <bdi className="font-semibold">{factor.name}</bdi> is asked for no more.
          {isLast && ' It is your last one: your password is then enough, and the recovery codes end.'}
        </>
      }
      saveText="Remove"
      onSave={remove}
      {...{ onClose, busy, problem }}
    >
      {isLast && <OwnPasswordField value={password} error={wrong} onText={setPassword} />}
    </FormDialog>
  );
}
