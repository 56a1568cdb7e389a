import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-answer.ts';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { TextField, type TextFieldProps, useFields } from '../../../ui/text-field.tsx';
import { type Factor, useOwnAccount } from './accounts-calls.ts';

interface RemoveFactorProps {
  readonly factor: Factor;
  readonly onClose: () => void;
}

const nameMax = 40;

type FieldProps = Omit<TextFieldProps, 'label'>;

export const NameField = ({ example, ...field }: FieldProps & { readonly example: string }) => (
  <TextField {...field} label="Name" hint={`A name you recognize: ‘${example}’.`} maxLength={nameMax} />
);

export const OwnPasswordField = (field: FieldProps) => (
  <TextField {...field} label="Your password" type="password" autoComplete="current-password" />
);

/** Which one it is, of several with the same name. */
export const FactorAges = ({ addedAt, lastUsedAt }: Pick<Factor, 'addedAt' | 'lastUsedAt'>) => (
  <>
    Added <Age asOf={addedAt} none="at an unknown time" />,{' '}
    <Age
      asOf={lastUsedAt}
      before="last used "
      none={lastUsedAt === null ? 'not used yet' : 'last used at an unknown time'}
    />
  </>
);

/** Checked before anything is sent. */
export const nameProblem = (name: string) => (name.trim() === '' ? 'Give it a name.' : undefined);
export const passwordProblem = (password: string) => (password === '' ? 'Type your password.' : undefined);

/** Removing the last one needs the password: afterwards, only the password is asked for. */
export function RemoveFactor({ factor, onClose }: RemoveFactorProps) {
  // As it is now: the other one may have been removed since the button was pressed.
  const isLast = useOwnAccount().data?.factors?.length === 1;
  const { field, save } = useFields({ password: '' }, ({ password }) => ({
    password: isLast ? passwordProblem(password) : undefined,
  }));
  const { send, busy, problem } = useApiMutation<{ readonly password: string }>({
    call: ({ password }) => ({
      method: 'DELETE',
      path: `/api/auth/factors/${factor.id}`,
      body: { password: isLast ? password : null },
    }),
    success: { title: 'Second factor removed', description: 'You will no longer be asked for it.' },
    failure: 'Failed to remove the second factor',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Remove a second factor"
      description={
        <>
          <bdi className="font-semibold">{factor.name}</bdi> will no longer be asked for.
          {isLast && ' It is your last one: your password is then enough, and the recovery codes no longer work.'}
        </>
      }
      saveText="Remove"
      onSave={() => save(send)}
      {...{ onClose, busy, problem }}
    >
      {isLast && <OwnPasswordField {...field('password')} />}
    </FormDialog>
  );
}
