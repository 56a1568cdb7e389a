import type { ReactNode } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { canonicalWallet, shortAddress } from '../../../shared/sui-address.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { useAnswer, useApiMutation } from '../../../ui/api/use-answer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ConfirmButton, DialogButton, FormDialog } from '../../../ui/dialogs.tsx';
import { DetailPanel, Line, QueryLines } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import { TextField, useFields } from '../../../ui/text-field.tsx';
import { type AuthorizedWallet, authorizedWallets, type DiscordGuild } from './discord-answers.ts';
import { guildPath } from './discord-calls.ts';
import { shownMember, shownServer } from './discord-words.ts';

/** Authorized wallets (rulings R5): per server, with who, why and until when. */
export function Wallets({ guild, onBack }: { readonly guild: DiscordGuild; readonly onBack: () => void }) {
  const query = useAnswer(`${guildPath(guild.id)}/wallets`, authorizedWallets);
  return (
    <DetailPanel
      id="discord-wallets"
      title={
        <>
          Authorized wallets of <bdi>{shownServer(guild)}</bdi>
        </>
      }
      busy={query.isFetching}
      backText="All servers"
      onBack={onBack}
      end={
        <DialogButton text="Authorize a wallet" look="torch">
          {(close) => <AuthorizeDialog guild={guild} onClose={close} />}
        </DialogButton>
      }
    >
      <p className="mb-4 max-w-prose text-quiet">
        Anyone who links one of these wallets counts as a holder, whatever it holds. Wallets that expired or were
        removed in the last 30 days are still listed.
      </p>
      <QueryLines
        query={query}
        failure="Failed to load the authorized wallets"
        empty={<EmptyState>No wallets are authorized. Members are checked by what their wallets hold.</EmptyState>}
        labelledBy="discord-wallets"
      >
        {(row) => (
          <Line key={row.id} end={row.isActive !== false && <RemoveButton guild={guild} row={row} />}>
            <Wallet row={row} />
          </Line>
        )}
      </QueryLines>
    </DetailPanel>
  );
}

function Wallet({ row }: { readonly row: AuthorizedWallet }) {
  const { wallet, reason, isActive, addedBy, addedAt, member } = row;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={isActive === true ? 'live' : 'quiet'}>{stateInWords(row)}</Badge>
        <bdi className="font-semibold">{foreignText(reason, 200)}</bdi>
      </p>
      <code className="block text-sm">{wallet}</code>
      <p className="text-sm text-quiet">
        {untilInWords(row)}
        {addedBy !== null && <> · added by {addedBy}</>} <Age asOf={addedAt} />
        {member === null && <span> · not linked yet</span>}
        {member != null && (
          <span>
            {' '}
            · linked by <bdi title={member.userId}>{shownMember(member)}</bdi>
          </span>
        )}
      </p>
    </>
  );
}

/** Not for an entry that expired and was replaced by a new one: it is stored as removed at its expiry. */
const wasRemoved = ({ removedAt, expiresAt }: AuthorizedWallet) => removedAt !== null && removedAt !== expiresAt;

function stateInWords(row: AuthorizedWallet): string {
  if (row.isActive === null) return 'Not known';
  if (row.isActive) return 'Active';
  return wasRemoved(row) ? 'Removed' : 'Expired';
}

function untilInWords(row: AuthorizedWallet): ReactNode {
  const { expiresAt, removedAt, removedBy, isActive } = row;
  if (removedAt !== null && wasRemoved(row)) {
    return <Age asOf={removedAt} before={`Removed by ${removedBy ?? 'an unknown admin'} `} />;
  }
  if (expiresAt === undefined) return 'Expiry not known';
  if (expiresAt === null) return 'No expiry';
  return `${isActive !== false ? 'Until' : 'Expired'} ${instantInWords(expiresAt)}`;
}

/** POST /api/discord/guilds/{guildId}/wallets (rulings R5): an address, a reason, and an optional expiry. */
function AuthorizeDialog({ guild, onClose }: { readonly guild: DiscordGuild; readonly onClose: () => void }) {
  const { field, save } = useFields({ wallet: '', reason: '', lastDay: '' }, (form) => problemsOf(form, Date.now()));
  const { send, busy, problem } = useApiMutation<AuthorizeForm>({
    call: (values) => ({ method: 'POST', path: `${guildPath(guild.id)}/wallets`, body: bodyOf(values) }),
    success: { title: 'Wallet authorized', description: `It counts in ${shownServer(guild)} from now on.` },
    failure: 'Failed to authorize wallet',
    onDone: onClose,
  });
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
      onSave={() => save(send)}
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

/** As typed; `lastDay` is `2026-12-31`, or empty for no expiry. */
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

interface RemoveButtonProps {
  readonly guild: DiscordGuild;
  readonly row: AuthorizedWallet;
}

/** DELETE /api/discord/guilds/{guildId}/wallets/{walletId}, after explaining the consequences. */
function RemoveButton({ guild, row: { id, wallet, reason, member } }: RemoveButtonProps) {
  return (
    <ConfirmButton
      text="Remove"
      look="danger"
      about={shortAddress(wallet)}
      dialogTitle="Remove authorized wallet"
      change={{
        call: () => ({ method: 'DELETE', path: `${guildPath(guild.id)}/wallets/${encodeURIComponent(id)}` }),
        success: { title: 'Wallet removed', description: 'It now counts only for what it holds.' },
        failure: 'Failed to remove wallet',
      }}
    >
      <p>
        <bdi className="font-semibold">{foreignText(reason, 200)}</bdi>: <code>{wallet}</code>
      </p>
      <p className="mt-3">
        {member == null ? (
          'Nobody has linked this wallet.'
        ) : (
          <>
            <bdi>{shownMember(member)}</bdi> has linked it and will be checked again: without a piece in any wallet the
            role ends as usual, after two checks.
          </>
        )}
      </p>
    </ConfirmButton>
  );
}
