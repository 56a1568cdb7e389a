import { useQueryClient } from '@tanstack/react-query';
import { type MemberName, memberExplanation } from './discord-answers.ts';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { DeletionDialog } from './deletion-dialog.tsx';
import { memberPath } from './discord-calls.ts';
import { shownMember } from './member-words.ts';

interface UnlinkWalletDialogProps {
  readonly guildId: string;
  readonly member: MemberName;
  readonly wallet: string;
  readonly onClose: () => void;
}

/** DELETE /api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}, after saying what follows. */
export function UnlinkWalletDialog({ guildId, member, wallet, onClose }: UnlinkWalletDialogProps) {
  const client = useQueryClient();
  const path = memberPath(guildId, member.userId);
  return (
    <DeletionDialog
      title="Unlink wallet"
      confirmText="Unlink"
      path={`${path}/wallets/${encodeURIComponent(wallet)}`}
      success={{ title: 'Wallet unlinked', description: `It no longer counts for ${shownMember(member)}.` }}
      failureTitle="Failed to unlink wallet"
      onAnswer={(answer) => client.setQueryData([path], dataIn(answer, memberExplanation))}
      onClose={onClose}
    >
      <p>
        <code>{wallet}</code> will no longer count for <bdi>{shownMember(member)}</bdi>. Its owner can link it again
        with /verify.
      </p>
      <p className="mt-3">
        Unless another of their wallets holds a piece, the role ends after a second check ten minutes later and the
        grace period. Linking another wallet in time keeps it.
      </p>
    </DeletionDialog>
  );
}
