import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { hasStatus } from '../../../ui/api/api-client.ts';
import { useAnswer, useApiMutation } from '../../../ui/api/use-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { DetailPanel } from '../../../ui/panel.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { type DiscordGuild, type MemberExplanation, memberExplanation } from './discord-answers.ts';
import { memberPath, useRefreshGuilds } from './discord-calls.ts';
import { MemberExplained } from './member-explained.tsx';
import { answerWords, shownMember, shownServer } from './discord-words.ts';

interface MemberProps {
  readonly guild: DiscordGuild;
  readonly userId: string;
  readonly onBack: () => void;
}

/** Rulings R6: why a member has the role or not, wallet by wallet; 'Check now' checks again at once and applies the result. */
export function Member({ guild, userId, onBack }: MemberProps) {
  const path = memberPath(guild.id, userId);
  const query = useAnswer(path, memberExplanation);
  const client = useQueryClient();
  const refresh = useRefreshGuilds();
  // Both changes answer with the explanation as it is now.
  const keep = (answer: unknown) => void client.setQueryData([path], dataIn(answer, memberExplanation));
  const check = useApiMutation({
    call: () => ({ method: 'POST', path: `${path}/resolve` }),
    success: (answer) => ({ title: 'Checked', description: checkedInWords(dataIn(answer, memberExplanation)) }),
    failure: 'Failed to check',
    onDone: keep,
    refresh,
  });
  const [unlinked, setUnlinked] = useState<string | null>(null);
  // What was read of a member is not shown once it is deleted.
  const isGone = hasStatus(query.error, 404);
  const explanation = isGone ? undefined : query.data;
  return (
    <DetailPanel
      id="discord-member"
      title={explanation === undefined ? `Member ${userId}` : <bdi>{shownMember(explanation.member)}</bdi>}
      busy={query.isFetching}
      backText={`Statistics of ${shownServer(guild)}`}
      onBack={onBack}
      end={
        <Button
          size="small"
          look="torch"
          busy={check.busy}
          disabled={explanation === undefined}
          onClick={() => check.send()}
        >
          Check now
        </Button>
      }
    >
      {isGone && <EmptyState>No data about this member: no wallet is linked, or the data was deleted.</EmptyState>}
      {!isGone && <QueryTrouble text="Failed to load this member" query={query} />}
      {query.isPending && <LoadingLines count={5} lineClassName="h-9 w-full" />}
      {explanation !== undefined && <MemberExplained explanation={explanation} onUnlink={setUnlinked} />}
      {explanation !== undefined && unlinked !== null && (
        <UnlinkDialog
          {...{ path, refresh }}
          member={shownMember(explanation.member)}
          wallet={unlinked}
          onDone={keep}
          onClose={() => setUnlinked(null)}
        />
      )}
    </DetailPanel>
  );
}

interface UnlinkDialogProps {
  readonly path: string;
  readonly member: string;
  readonly wallet: string;
  readonly onDone: (answer: unknown) => void;
  readonly refresh: () => void;
  readonly onClose: () => void;
}

/** DELETE /api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}, after saying what follows. */
const UnlinkDialog = ({ path, member, wallet, onDone, refresh, onClose }: UnlinkDialogProps) => (
  <ConfirmDialog
    title="Unlink wallet"
    confirmText="Unlink"
    onClose={onClose}
    change={{
      call: () => ({ method: 'DELETE', path: `${path}/wallets/${encodeURIComponent(wallet)}` }),
      success: { title: 'Wallet unlinked', description: `It no longer counts for ${member}.` },
      failure: 'Failed to unlink wallet',
      onDone,
      refresh,
    }}
  >
    <p>
      <code>{wallet}</code> will no longer count for <bdi>{member}</bdi>. Its owner can link it again with /verify.
    </p>
    <p className="mt-3">
      Unless another of their wallets holds a piece, the role ends after a second check ten minutes later and the grace
      period. Linking another wallet in time keeps it.
    </p>
  </ConfirmDialog>
);

const checkedInWords = (found: MemberExplanation | undefined): string | undefined =>
  found?.answer === undefined ? undefined : `${shownMember(found.member)}: ${answerWords(found.answer).word}`;
