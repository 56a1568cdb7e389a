import { type ReactNode, useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { useAnswer } from '../../../ui/api/use-answer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { DetailPanel, Line, QueryLines } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import { AuthorizeDialog } from './authorize-dialog.tsx';
import { type AuthorizedWallet, authorizedWallets, type DiscordGuild } from './discord-answers.ts';
import { guildPath, useRefreshGuilds } from './discord-calls.ts';
import { shownMember, shownServer } from './discord-words.ts';

/** Authorized wallets (rulings R5): per server, with who, why and until when. */
export function Wallets({ guild, onBack }: { readonly guild: DiscordGuild; readonly onBack: () => void }) {
  const query = useAnswer(`${guildPath(guild.id)}/wallets`, authorizedWallets);
  const [dialog, setDialog] = useState<'add' | AuthorizedWallet | null>(null);
  const close = () => setDialog(null);
  const removeButton = (row: AuthorizedWallet) => (
    <Button size="small" look="danger" about={shortAddress(row.wallet)} onClick={() => setDialog(row)}>
      Remove
    </Button>
  );
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
        <Button size="small" look="torch" onClick={() => setDialog('add')}>
          Authorize a wallet
        </Button>
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
          <Line key={row.id} end={row.isActive !== false && removeButton(row)}>
            <Wallet row={row} />
          </Line>
        )}
      </QueryLines>
      {dialog === 'add' && <AuthorizeDialog guild={guild} onClose={close} />}
      {dialog !== null && dialog !== 'add' && <RemoveWalletDialog guild={guild} row={dialog} onClose={close} />}
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
        {addedBy !== null && <> · added by {addedBy}</>} {addedAt !== null && <Age asOf={addedAt} />}
        {member === null && ' · not linked yet'}
        {member != null && (
          <>
            {' '}
            · linked by <bdi title={member.userId}>{shownMember(member)}</bdi>
          </>
        )}
      </p>
    </>
  );
}

function stateInWords({ isActive, removedAt }: AuthorizedWallet): string {
  if (isActive === null) return 'Not known';
  if (isActive) return 'Active';
  return removedAt === null ? 'Expired' : 'Removed';
}

function untilInWords({ expiresAt, removedAt, removedBy, isActive }: AuthorizedWallet): ReactNode {
  if (removedAt !== null) {
    return (
      <>
        Removed by {removedBy ?? 'somebody unknown'} <Age asOf={removedAt} />
      </>
    );
  }
  if (expiresAt === undefined) return 'Expiry not known';
  if (expiresAt === null) return 'No expiry';
  return `${isActive !== false ? 'Until' : 'Expired'} ${instantInWords(expiresAt)}`;
}

interface RemoveWalletDialogProps {
  readonly guild: DiscordGuild;
  readonly row: AuthorizedWallet;
  readonly onClose: () => void;
}

/** DELETE /api/discord/guilds/{guildId}/wallets/{walletId}, after saying what follows. */
function RemoveWalletDialog({ guild, row: { id, wallet, reason, member }, onClose }: RemoveWalletDialogProps) {
  const refresh = useRefreshGuilds();
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove authorized wallet"
      confirmText="Remove"
      change={{
        call: () => ({ method: 'DELETE', path: `${guildPath(guild.id)}/wallets/${encodeURIComponent(id)}` }),
        success: { title: 'Wallet removed', description: 'It now counts only for what it holds.' },
        failure: 'Failed to remove wallet',
        refresh,
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
    </ConfirmDialog>
  );
}
