import { foreignText } from '../../../shared/foreign-text.ts';
import type { AuthorizedWallet, DiscordGuild } from './discord-answers.ts';
import { DeletionDialog } from './deletion-dialog.tsx';
import { guildPath } from './discord-calls.ts';
import { shownMember } from './member-words.ts';

interface RemoveWalletDialogProps {
  readonly guild: DiscordGuild;
  readonly wallet: AuthorizedWallet;
  readonly onClose: () => void;
}

/** DELETE /api/discord/guilds/{guildId}/wallets/{walletId}, after saying what follows. */
export function RemoveWalletDialog({ guild, wallet: row, onClose }: RemoveWalletDialogProps) {
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
