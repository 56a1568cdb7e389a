import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { ApiError } from '../../../ui/api/api-client.ts';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { DeletionDialog } from './deletion-dialog.tsx';
import { type DiscordGuild, memberExplanation, type MemberName } from './discord-answers.ts';
import { memberPath, useMember, useRefreshGuilds } from './discord-calls.ts';
import { MemberExplained } from './member-explained.tsx';
import { answerWords, shownMember } from './member-words.ts';
import { ServerHead } from './server-head.tsx';
import { shownServer } from './server-words.ts';

interface MemberProps {
  readonly guild: DiscordGuild;
  readonly userId: string;
  readonly onBack: () => void;
}

/** Rulings R6: why a member has the role or not, wallet by wallet; 'Check now' checks again at once and does what follows. */
export function Member({ guild, userId, onBack }: MemberProps) {
  const query = useMember(guild.id, userId);
  const resolve = useResolve(guild.id, userId);
  const [unlinked, setUnlinked] = useState<string | null>(null);
  // What was read of somebody before is not shown once it is deleted.
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  const explanation = isGone ? undefined : query.data;
  return (
    <Card as="section" aria-labelledby="discord-member" aria-busy={query.isFetching}>
      <ServerHead
        id="discord-member"
        backText={`Statistics of ${shownServer(guild)}`}
        onBack={onBack}
        end={
          <Button
            size="small"
            look="torch"
            busy={resolve.isPending}
            disabled={explanation === undefined}
            onClick={() => resolve.mutate()}
          >
            Check now
          </Button>
        }
      >
        {explanation === undefined ? `Member ${userId}` : <bdi>{shownMember(explanation.member)}</bdi>}
      </ServerHead>
      {isGone ? (
        <EmptyState>No data about this member: no wallet is linked, or the data was deleted.</EmptyState>
      ) : (
        <QueryTrouble text="Failed to load this member" query={query} />
      )}
      {query.isPending && <LoadingLines count={5} lineClassName="h-9 w-full" />}
      {explanation !== undefined && <MemberExplained explanation={explanation} onUnlink={setUnlinked} />}
      {explanation !== undefined && unlinked !== null && (
        <UnlinkWalletDialog
          guildId={guild.id}
          member={explanation.member}
          wallet={unlinked}
          onClose={() => setUnlinked(null)}
        />
      )}
    </Card>
  );
}

/** POST /api/discord/guilds/{guildId}/members/{userId}/resolve. */
function useResolve(guildId: string, userId: string) {
  const client = useQueryClient();
  const refresh = useRefreshGuilds();
  const path = memberPath(guildId, userId);
  return useApiMutation({
    call: () => ({ method: 'POST', path: `${path}/resolve` }),
    success: (answer) => {
      const found = dataIn(answer, memberExplanation);
      if (found?.answer === undefined) return { title: 'Checked' };
      return { title: 'Checked', description: `${shownMember(found.member)}: ${answerWords(found.answer).word}` };
    },
    failure: (message) => {
      // The member may have deleted their data meanwhile.
      refresh();
      return { title: 'Failed to check', description: message };
    },
    onDone: (answer) => {
      client.setQueryData([path], dataIn(answer, memberExplanation));
      refresh();
    },
  });
}

interface UnlinkWalletDialogProps {
  readonly guildId: string;
  readonly member: MemberName;
  readonly wallet: string;
  readonly onClose: () => void;
}

/** DELETE /api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}, after saying what follows. */
function UnlinkWalletDialog({ guildId, member, wallet, onClose }: UnlinkWalletDialogProps) {
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
