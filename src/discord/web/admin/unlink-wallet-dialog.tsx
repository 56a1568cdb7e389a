import { useQueryClient } from '@tanstack/react-query';
import { failureText } from '../../../web/failure-text.ts';
import { AlertDialog } from '../../../web/ui/alert-dialog.tsx';
import { useApiMutation } from '../../../web/use-api-mutation.ts';
import type { MemberExplanation } from '../../members-contract.ts';
import { memberPath, useRefreshGuilds } from './discord-calls.ts';
import { shownMember } from './member-words.ts';

interface UnlinkWalletDialogProps {
  readonly guildId: string;
  readonly member: MemberExplanation['member'];
  readonly wallet: string;
  readonly onClose: () => void;
}

/** DELETE /api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}, after saying what follows. */
export function UnlinkWalletDialog({ guildId, member, wallet, onClose }: UnlinkWalletDialogProps) {
  const client = useQueryClient();
  const refresh = useRefreshGuilds();
  const path = memberPath(guildId, member.userId);
  const unlink = useApiMutation({
    call: () => ({ method: 'DELETE', path: `${path}/wallets/${wallet}` }),
    success: () => ({
      title: 'Wallet unlinked',
      description: `It does not count for ${shownMember(member)} any more.`,
    }),
    failure: (message) => {
      // The member may have unlinked it meanwhile, or deleted everything.
      refresh();
      return { title: 'Failed to unlink wallet', description: message };
    },
    onDone: (answer) => {
      client.setQueryData([path], (answer as { readonly data: MemberExplanation }).data);
      onClose();
      refresh();
    },
  });
  return (
    <AlertDialog
      open
      onClose={onClose}
      title="Unlink wallet"
      confirmText="Unlink"
      onConfirm={() => unlink.mutate()}
      busy={unlink.isPending}
      error={unlink.error === null ? undefined : failureText(unlink.error)}
    >
      <p>
        <code>{wallet}</code> does not count for <bdi>{shownMember(member)}</bdi> any more. Whoever it belongs to can
        link it with /verify.
      </p>
      <p className="mt-3">
        Unless another wallet of theirs holds, the role ends after a second look ten minutes later and the grace period;
        linking another wallet in time keeps it.
      </p>
    </AlertDialog>
  );
}
