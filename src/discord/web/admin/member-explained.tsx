import type { ReactNode } from 'react';
import { shortAddress } from '../../../shared/sui-address.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age, Ahead } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { Line, Lines, Part } from '../../../ui/panel.tsx';
import type { MemberExplanation } from './discord-answers.ts';
import {
  actionInWords,
  actionStateInWords,
  answerWords,
  codeInWords,
  failureInWords,
  roleWords,
  roleStateInWords,
} from './discord-words.ts';

interface MemberExplainedProps {
  readonly explanation: MemberExplanation;
  readonly onUnlink: (wallet: string) => void;
}

/** What /why says, with the facts behind it. */
export function MemberExplained({ explanation, onUnlink }: MemberExplainedProps) {
  const { sentences, wallets, actions } = explanation;
  return (
    <>
      {sentences !== null && sentences.length > 0 && (
        <ol aria-label="Explanation" className="mb-4 max-w-prose list-decimal space-y-1 pl-5 wrap-anywhere">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
      )}
      <MemberFacts explanation={explanation} />
      {wallets !== null && (
        <Listed id="discord-member-wallets" title="Wallets" nothing="None linked.">
          {wallets.map((linked) => (
            <LinkedWallet key={linked.wallet} linked={linked} onUnlink={onUnlink} />
          ))}
        </Listed>
      )}
      {actions !== null && (
        <Listed id="discord-member-actions" title="History" nothing="Nothing yet.">
          {actions.map((action) => (
            <Action key={action.id} action={action} />
          ))}
        </Listed>
      )}
    </>
  );
}

function MemberFacts({ explanation }: Pick<MemberExplainedProps, 'explanation'>) {
  const { member, isInGuild, roleState, hasRole, answer, answeredAt, nextCheckAt, removalDueAt } = explanation;
  const { word, tone } = roleStateInWords(roleState);
  const lastCheck = answer !== undefined && (
    <>
      {answerWords(answer).word}
      {answeredAt !== null && (
        <>
          , <Age asOf={answeredAt} />
        </>
      )}
    </>
  );
  const roleEnds = removalDueAt !== null && (
    <span className="font-semibold text-stale">
      <Ahead at={removalDueAt} />, {instantInWords(removalDueAt)}
    </span>
  );
  return (
    <Facts
      of={{
        State: <Badge tone={tone}>{word}</Badge>,
        Role: roleWords(hasRole),
        'Last check': lastCheck,
        'Next check': nextCheckAt === null ? 'With the next sweep' : nextCheckAt && <Ahead at={nextCheckAt} />,
        'Role ends': roleEnds,
        'In the server': isInGuild !== null && (isInGuild ? 'Yes' : 'No'),
        'Discord ID': <code>{member.userId}</code>,
      }}
    />
  );
}

interface LinkedWalletProps extends Pick<MemberExplainedProps, 'onUnlink'> {
  readonly linked: NonNullable<MemberExplanation['wallets']>[number];
}

function LinkedWallet({ linked, onUnlink }: LinkedWalletProps) {
  const { wallet, answer, found, authorizedUntil, linkedAt } = linked;
  const { word, tone } = answerWords(answer);
  const unlinkButton = (
    <Button size="small" look="danger" about={shortAddress(wallet)} onClick={() => onUnlink(wallet)}>
      Unlink
    </Button>
  );
  return (
    <Line end={unlinkButton}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{word}</Badge>
        {authorizedUntil !== null && <Badge tone="estimated">Authorized</Badge>}
        {linkedAt !== null && (
          <span className="text-sm text-quiet">
            linked <Age asOf={linkedAt} />
          </span>
        )}
      </p>
      <code className="block text-sm">{wallet}</code>
      {found !== null && <p>{found}</p>}
      {authorizedUntil !== null && authorizedUntil !== 'always' && (
        <p className="text-sm text-quiet">Authorized until {instantInWords(authorizedUntil)}</p>
      )}
    </Line>
  );
}

function Action({ action }: { readonly action: NonNullable<MemberExplanation['actions']>[number] }) {
  const { kind, state, cause, at, failure } = action;
  const { word, tone } = actionStateInWords(state);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 wrap-anywhere">
      <Badge tone={tone}>{word}</Badge>
      <span>{actionInWords(kind)}</span>
      <span className="text-sm text-quiet">
        {cause !== null && codeInWords(cause)}
        {cause !== null && at !== null && ', '}
        {at !== null && <Age asOf={at} />}
      </span>
      {failure !== null && <span className="w-full text-sm text-danger">{failureInWords(failure)}</span>}
    </li>
  );
}

interface ListedProps {
  readonly id: string;
  readonly title: string;
  readonly nothing: string;
  readonly children: readonly ReactNode[];
}

const Listed = ({ id, title, nothing, children }: ListedProps) => (
  <Part id={id} title={title}>
    {children.length === 0 && <p className="mt-2 text-quiet">{nothing}</p>}
    {children.length > 0 && (
      <Lines labelledBy={id} className="mt-2">
        {children}
      </Lines>
    )}
  </Part>
);
