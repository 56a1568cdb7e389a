import { useState } from 'react';
import { canonicalWallet } from '../../../shared/sui-address.ts';
import { useApiMutation } from '../../../ui/api/use-answer.ts';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { guildPath, useRefreshGuilds } from './discord-calls.ts';
import { shownServer } from './discord-words.ts';

/** POST /api/discord/guilds/{guildId}/wallets (rulings R5): an address, a reason, and an optional end. */
export function AuthorizeDialog({ guild, onClose }: { readonly guild: DiscordGuild; readonly onClose: () => void }) {
  const [form, setForm] = useState<AuthorizeForm>({ wallet: '', reason: '', lastDay: '' });
  const [problems, setProblems] = useState<FieldProblems>({});
  const { send, busy, problem } = useApiMutation<AuthorizeForm>({
    call: (values) => ({ method: 'POST', path: `${guildPath(guild.id)}/wallets`, body: bodyOf(values) }),
    success: { title: 'Wallet authorized', description: `It counts in ${shownServer(guild)} from now on.` },
    failure: 'Failed to authorize wallet',
    onDone: onClose,
    refresh: useRefreshGuilds(),
  });
  const field = (name: keyof AuthorizeForm) => ({
    value: form[name],
    error: problems[name],
    autoComplete: 'off',
    onText: (text: string) => {
      setForm({ ...form, [name]: text });
      setProblems({ ...problems, [name]: undefined });
    },
  });
  const save = (): void => {
    const found = problemsOf(form, Date.now());
    setProblems(found);
    if (Object.keys(found).length === 0) send(form);
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
      busy={busy}
      saveText="Authorize"
      onSave={save}
      problem={problem}
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
    </FormDialog>
  );
}

/** As typed; `lastDay` is `2026-12-31`, or empty for no end. */
type AuthorizeForm = Readonly<Record<'wallet' | 'reason' | 'lastDay', string>>;
type FieldProblems = Readonly<Partial<Record<keyof AuthorizeForm, string | undefined>>>;

/** The end of that day (UTC). null: none is given, or it is not a date. */
export function endOf(lastDay: string): string | null {
  const end = Date.parse(`${lastDay}T23:59:59.999Z`);
  return lastDay === '' || Number.isNaN(end) ? null : new Date(end).toISOString();
}

export function problemsOf({ wallet, reason, lastDay }: AuthorizeForm, nowMs: number): FieldProblems {
  const end = endOf(lastDay);
  const isWallet = canonicalWallet(wallet.trim()) !== null;
  const isPast = end !== null && Date.parse(end) <= nowMs;
  return {
    ...(!isWallet && { wallet: wallet.trim() === '' ? 'Enter the wallet address.' : noWallet }),
    ...(reason.trim() === '' && { reason: 'Give a reason.' }),
    ...(isPast && { lastDay: 'This day is in the past. Choose a later one or leave it empty.' }),
  };
}

const noWallet = 'A Sui address is 0x followed by 64 characters, each 0–9 or a–f.';

export const bodyOf = ({ wallet, reason, lastDay }: AuthorizeForm) => ({
  wallet: wallet.trim(),
  reason: reason.trim(),
  expiresAt: endOf(lastDay),
});
