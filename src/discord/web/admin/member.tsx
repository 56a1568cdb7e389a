import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { hasStatus } from '../../../ui/api/api-client.ts';
import { useAnswer, useApiMutation } from '../../../ui/api/use-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/dialogs.tsx';
import { DetailPanel, Line, Lines, Part } from '../../../ui/panel.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryError } from '../../../ui/query-error.tsx';
import { type DiscordGuild, type MemberExplanation, memberExplanation } from './discord-answers.ts';
import { memberPath } from './discord-calls.ts';
import {
  answerWords,
  shownMember,
  shownServer,
  roleWords,
  roleStateInWords,
  unlinkEffectInWords,
} from './discord-words.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age, TimeUntil } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Facts } from '../../../ui/card.tsx';

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
  // Both changes answer with the explanation as it is now.
  const showAnswer = (answer: unknown) => void client.setQueryData([path], dataIn(answer, memberExplanation));
  const check = useApiMutation({
    call: () => ({ method: 'POST', path: `${path}/resolve` }),
    success: (answer) => ({ title: 'Checked', description: checkedInWords(dataIn(answer, memberExplanation)) }),
    failure: 'Failed to check',
    onDone: showAnswer,
  });
  // Data about a member is no longer shown once it is deleted.
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
      {!isGone && <QueryError text="Failed to load this member" query={query} />}
      {query.isPending && <LoadingLines count={5} lineClassName="h-9 w-full" />}
      {explanation !== undefined && <MemberExplained explanation={explanation} path={path} onUnlinked={showAnswer} />}
    </DetailPanel>
  );
}

interface UnlinkProps {
  readonly path: string;
  readonly onUnlinked: (answer: unknown) => void;
}

interface UnlinkButtonProps extends UnlinkProps {
  readonly member: string;
  /** What follows for the role. */
  readonly effect: string;
  readonly wallet: string;
}

/** DELETE /api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}, after explaining the consequences. */
const UnlinkButton = ({ path, member, effect, wallet, onUnlinked }: UnlinkButtonProps) => (
  <ConfirmButton
    text="Unlink"
    look="danger"
    about={shortAddress(wallet)}
    dialogTitle="Unlink wallet"
    change={{
      call: () => ({ method: 'DELETE', path: `${path}/wallets/${encodeURIComponent(wallet)}` }),
      success: { title: 'Wallet unlinked', description: `It no longer counts for ${member}.` },
      failure: 'Failed to unlink wallet',
      onDone: onUnlinked,
    }}
  >
    <p>
      <code>{wallet}</code> will no longer count for <bdi>{member}</bdi>. Its owner can link it again with /verify.
    </p>
    <p className="mt-3">{effect}</p>
  </ConfirmButton>
);

const checkedInWords = (found: MemberExplanation | undefined) =>
  found?.answer === undefined ? undefined : `${shownMember(found.member)}: ${answerWords(found.answer).word}`;

interface ExplainedProps extends UnlinkProps {
  readonly explanation: MemberExplanation;
}

function MemberExplained({ explanation, ...unlink }: ExplainedProps) {
  const { sentences, wallets } = explanation;
  return (
    <>
      {sentences !== null && sentences.length > 0 && (
        <>
          <p className="mb-1">What /why tells the member:</p>
          <ol aria-label="Explanation" className="mb-4 max-w-prose list-decimal space-y-1 pl-5 wrap-anywhere">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </>
      )}
      <MemberFacts {...explanation} />
      {wallets !== null && (
        <Part id="discord-member-wallets" title="Wallets">
          {wallets.length === 0 ? (
            <p className="mt-2 text-quiet">None linked.</p>
          ) : (
            <Lines labelledBy="discord-member-wallets" className="mt-2">
              {wallets.map((linked) => (
                <LinkedWallet
                  key={linked.wallet}
                  {...linked}
                  {...unlink}
                  member={shownMember(explanation.member)}
                  effect={unlinkEffectInWords(explanation.roleState, wallets.length)}
                />
              ))}
            </Lines>
          )}
        </Part>
      )}
    </>
  );
}

function MemberFacts(explanation: MemberExplanation) {
  const { member, isInGuild, hasRole, answer, answeredAt, removalDueAt } = explanation;
  const { word, tone } = roleStateInWords(explanation.roleState);
  const lastCheck = answer !== undefined && (
    <>
      {answerWords(answer).word}
      <Age asOf={answeredAt} before=", " />
    </>
  );
  const roleEnds = removalDueAt !== null && (
    <span className="font-semibold text-stale">
      <TimeUntil at={removalDueAt} />, {instantInWords(removalDueAt)}
    </span>
  );
  return (
    <Facts
      of={{
        State: <Badge tone={tone}>{word}</Badge>,
        Role: roleWords(hasRole),
        'Last check': lastCheck,
        'Next check': nextCheckInWords(explanation),
        'Role ends': roleEnds,
        'In the server': isInGuild !== null && (isInGuild ? 'Yes' : 'No'),
        'Discord ID': <code>{member.userId}</code>,
      }}
    />
  );
}

/** null: left out. */
function nextCheckInWords({ isInGuild, nextCheckAt }: MemberExplanation): ReactNode {
  // Members who have left are not checked, which the explanation says.
  if (isInGuild === false || nextCheckAt === undefined) return null;
  return nextCheckAt === null ? 'With the next sweep' : <TimeUntil at={nextCheckAt} />;
}

type LinkedWalletProps = NonNullable<MemberExplanation['wallets']>[number] & UnlinkButtonProps;

function LinkedWallet({ answer, found, authorizedUntil, linkedAt, ...unlink }: LinkedWalletProps) {
  const { wallet } = unlink;
  const { word, tone } = answerWords(answer);
  return (
    <Line end={<UnlinkButton {...unlink} />}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{word}</Badge>
        {authorizedUntil !== null && <Badge tone="estimated">Authorized</Badge>}
        <span className="text-sm text-quiet empty:hidden">
          <Age asOf={linkedAt} before="linked " />
        </span>
      </p>
      <code className="block text-sm">{wallet}</code>
      {found !== null && <p>{found}</p>}
      {authorizedUntil !== null && authorizedUntil !== 'always' && (
        <p className="text-sm text-quiet">Authorized until {instantInWords(authorizedUntil)}</p>
      )}
    </Line>
  );
}
