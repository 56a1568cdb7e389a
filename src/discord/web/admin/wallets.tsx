import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { AuthorizeDialog } from './authorize-dialog.tsx';
import { DeletionDialog } from './deletion-dialog.tsx';
import type { AuthorizedWallet, DiscordGuild } from './discord-answers.ts';
import { guildPath, useAuthorizedWallets } from './discord-calls.ts';
import { shownMember } from './member-words.ts';
import { ServerHead } from './server-head.tsx';
import { shownServer } from './server-words.ts';

interface WalletsProps {
  readonly guild: DiscordGuild;
  readonly onBack: () => void;
}

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'remove'; readonly wallet: AuthorizedWallet };

/** The login screen's 'authorize specific wallets' (rulings R5): per server, with who, why and until when. */
export function Wallets({ guild, onBack }: WalletsProps) {
  const query = useAuthorizedWallets(guild.id);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  return (
    <Card as="section" aria-labelledby="discord-wallets" aria-busy={query.isFetching}>
      <ServerHead
        id="discord-wallets"
        backText="All servers"
        onBack={onBack}
        end={
          <Button size="small" look="torch" onClick={() => setDialog({ kind: 'add' })}>
            Authorize a wallet
          </Button>
        }
      >
        Authorized wallets of <bdi>{shownServer(guild)}</bdi>
      </ServerHead>
      <p className="mb-4 max-w-prose text-quiet">
        Anyone who links one of these wallets counts as a holder, whatever it holds. Wallets that expired or were
        removed in the last 30 days are still listed.
      </p>
      <QueryTrouble text="Failed to load the authorized wallets" query={query} />
      {query.isPending && <LoadingLines />}
      {query.data?.length === 0 && (
        <EmptyState>No wallets are authorized. Members are checked by what their wallets hold.</EmptyState>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <ul aria-labelledby="discord-wallets" className="divide-y divide-line border-t border-line">
          {query.data.map((wallet) => (
            <WalletLine key={wallet.id} wallet={wallet} onRemove={() => setDialog({ kind: 'remove', wallet })} />
          ))}
        </ul>
      )}
      {dialog?.kind === 'add' && <AuthorizeDialog guild={guild} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveWalletDialog guild={guild} wallet={dialog.wallet} onClose={close} />}
    </Card>
  );
}

interface WalletLineProps {
  readonly wallet: AuthorizedWallet;
  readonly onRemove: () => void;
}

function WalletLine({ wallet: row, onRemove }: WalletLineProps) {
  const { wallet, reason, isActive, addedBy, addedAt, member } = row;
  const state = stateInWords(row);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={isActive === true ? 'live' : 'quiet'}>{state}</Badge>
          <bdi className="font-semibold">{foreignText(reason, 200)}</bdi>
        </p>
        <code className="block text-sm">{wallet}</code>
        <p className="text-sm text-quiet">
          <Until row={row} />
          {addedBy !== null && <> · added by {addedBy}</>} {addedAt !== null && <Age asOf={addedAt} />}
          {member === null && ' · not linked yet'}
          {member != null && (
            <>
              {' '}
              · linked by <bdi title={member.userId}>{shownMember(member)}</bdi>
            </>
          )}
        </p>
      </div>
      {isActive !== false && (
        <Button size="small" look="danger" onClick={onRemove}>
          Remove<span className="sr-only"> {shortAddress(wallet)}</span>
        </Button>
      )}
    </li>
  );
}

function stateInWords({ isActive, removedAt }: AuthorizedWallet): string {
  if (isActive === null) return 'Not known';
  if (isActive) return 'Active';
  return removedAt === null ? 'Expired' : 'Removed';
}

function Until({ row: { expiresAt, removedAt, removedBy, isActive } }: { readonly row: AuthorizedWallet }) {
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
  readonly wallet: AuthorizedWallet;
  readonly onClose: () => void;
}

/** DELETE /api/discord/guilds/{guildId}/wallets/{walletId}, after saying what follows. */
function RemoveWalletDialog({ guild, wallet: row, onClose }: RemoveWalletDialogProps) {
  return (
    <DeletionDialog
      title="Remove authorized wallet"
      confirmText="Remove"
      path={`${guildPath(guild.id)}/wallets/${encodeURIComponent(row.id)}`}
      success={{ title: 'Wallet removed', description: 'It now counts only for what it holds.' }}
      failureTitle="Failed to remove wallet"
      onClose={onClose}
    >
      <p>
        <bdi className="font-semibold">{foreignText(row.reason, 200)}</bdi>: <code>{row.wallet}</code>
      </p>
      <p className="mt-3">
        {row.member == null ? (
          'Nobody has linked this wallet.'
        ) : (
          <>
            <bdi>{shownMember(row.member)}</bdi> has linked it and will be checked again: without a piece in any wallet
            the role ends as usual, after two checks.
          </>
        )}
      </p>
    </DeletionDialog>
  );
}
