import { useState } from 'react';
import { shortAddress } from '../../../shared/sui-address.ts';
import { useAtTime } from '../../../ui/age.tsx';
import { ExternalLinkButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FocusedHeading } from '../../../ui/section-heading.tsx';
import { type LinkEnd, type Outcome, useProgress } from './use-linking.ts';

/** This site does not know the servers' addresses: Discord opens where the member was last. */
const backToDiscord = (
  <ExternalLinkButton href="https://discord.com/channels/@me" className="mt-6">
    Back to Discord
  </ExternalLinkButton>
);

/** A role is given within seconds; after this something blocks it, which /why explains. */
const lateMs = 90_000;

interface LinkingOutcomeProps {
  readonly token: string;
  readonly outcome: Outcome;
  readonly guildName: string | null;
}

/** Whether there is a role, what was found, then the rest, updated while the role is on its way. */
export function LinkingOutcome({ token, outcome, guildName }: LinkingOutcomeProps) {
  const { isFollowed, progress } = useProgress(token, outcome);
  const { outcome: now, sentences } = progress ?? outcome;
  const isGiven = progress?.isGiven === true;
  const [beganAtMs] = useState(() => Date.now());
  const isLate = useAtTime((nowMs) => nowMs - beganAtMs > lateMs, false) && isFollowed;
  return (
    <Card as="section" {...(isGiven || now === 'role-coming' ? { tone: 'glow' as const } : {})}>
      <div aria-live="polite">
        <FocusedHeading>{outcomeTitle(now, isGiven)}</FocusedHeading>
        <ul className="mt-4 list-disc space-y-2 pl-5 wrap-anywhere">
          {inReadingOrder(sentences).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {isLate && <li>This is taking longer than usual. In Discord, /why says what is happening.</li>}
        </ul>
      </div>
      <p className="mt-4 wrap-anywhere">
        {isGiven && 'Welcome to the tribe. '}
        {outcome.wallet === null ? 'Your wallet' : `The wallet ${shortAddress(outcome.wallet)}`} is linked to you in{' '}
        {guildName ?? 'the Discord server'}.
      </p>
      <p className="mt-4 text-quiet">
        To link another wallet, use /verify in Discord again: each link is for one wallet. /wallets lists and unlinks
        them, /why explains your role.
      </p>
      {backToDiscord}
    </Card>
  );
}

const endTitles: Readonly<Record<LinkEnd, string>> = {
  unusable: 'This link cannot be used',
  'not-linked': 'No wallet was linked',
};

export const LinkOver = ({ sentence, end = 'unusable' }: { readonly sentence: string; readonly end?: LinkEnd }) => (
  <Card as="section">
    <h2 className="title-3">{endTitles[end]}</h2>
    <p role="alert" className="mt-4 wrap-anywhere">
      {sentence}
    </p>
    {backToDiscord}
  </Card>
);

const titles: Readonly<Record<NonNullable<Outcome['outcome']>, string>> = {
  'role-coming': 'The role is on its way',
  'not-holding': 'Linked, but nothing found',
  unknown: 'Your wallet is linked',
  'not-set-up': 'Linked; the server is not ready yet',
};

/** Whether there is a role comes first. */
export const outcomeTitle = (outcome: Outcome['outcome'], isGiven: boolean): string =>
  isGiven ? 'You have the role' : titles[outcome ?? 'unknown'];

/**
 * The server's sentences are the rule, what was found in each wallet and what follows, as /why has them. After signing,
 * a member wants to see what was found: the rule comes last.
 */
export function inReadingOrder(sentences: readonly string[] | null): readonly string[] {
  const [rule, ...others] = sentences ?? [];
  return rule === undefined ? [] : [...others, rule];
}
