import { useState } from 'react';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { failureText } from '../../../ui/api/api-client.ts';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import type { DiscordGuild } from './discord-answers.ts';
import { type AuthorizeForm, bodyOf, problemsOf } from './authorize-values.ts';
import { guildPath, useRefreshGuilds } from './discord-calls.ts';
import { shownServer } from './server-words.ts';

interface AuthorizeDialogProps {
  readonly guild: DiscordGuild;
  readonly onClose: () => void;
}

/** Rulings R5: an address, a reason, and an end where there is one. */
export function AuthorizeDialog({ guild, onClose }: AuthorizeDialogProps) {
  const [form, setForm] = useState<AuthorizeForm>({ wallet: '', reason: '', lastDay: '' });
  const [problems, setProblems] = useState<ReturnType<typeof problemsOf>>({});
  const authorize = useAuthorize(guild, onClose);
  const field = (name: keyof AuthorizeForm) => ({
    value: form[name],
    error: problems[name],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setForm({ ...form, [name]: target.value });
      setProblems({ ...problems, [name]: undefined });
    },
  });
  const save = (): void => {
    const found = problemsOf(form, Date.now());
    setProblems(found);
    if (Object.keys(found).length === 0) authorize.mutate(form);
  };
  return (
    <FormDialog
      title="Authorize a wallet"
      description={
        <>
          Anyone who links it in <bdi className="font-semibold">{shownServer(guild)}</bdi> counts as a holder.
        </>
      }
      onClose={onClose}
      busy={authorize.isPending}
      saveText="Authorize"
      onSave={save}
    >
      <div className="grid gap-4">
        <TextField {...field('wallet')} label="Wallet address" placeholder="0x…" spellCheck={false} />
        <TextField {...field('reason')} label="Reason" maxLength={200} hint="Who it is and why, for other admins." />
        <TextField
          {...field('lastDay')}
          label="Last day (optional)"
          type="date"
          hint="It counts until the end of that day (UTC). Leave it empty for no expiry."
        />
      </div>
      {authorize.error !== null && (
        <p role="alert" className="field-error mt-4 wrap-anywhere">
          {failureText(authorize.error)}
        </p>
      )}
    </FormDialog>
  );
}

function useAuthorize(guild: DiscordGuild, onDone: () => void) {
  const refresh = useRefreshGuilds();
  return useApiMutation<AuthorizeForm>({
    call: (form) => ({ method: 'POST', path: `${guildPath(guild.id)}/wallets`, body: bodyOf(form) }),
    success: () => ({ title: 'Wallet authorized', description: `It counts in ${shownServer(guild)} from now on.` }),
    failure: (message) => ({ title: 'Failed to authorize wallet', description: message }),
    onDone: () => {
      onDone();
      refresh();
    },
  });
}
