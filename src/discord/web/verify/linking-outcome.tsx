import { shortAddress } from '../../../shared/sui-address.ts';
import { Card } from '../../../ui/card.tsx';
import { BackToDiscord } from './back-to-discord.tsx';
import { inReadingOrder, outcomeTitle } from './outcome-words.ts';
import { useProgress } from './use-progress.ts';
import type { LinkEnd, Outcome } from './verify-calls.ts';

interface LinkingOutcomeProps {
  readonly token: string;
  readonly outcome: Outcome;
  readonly guildName: string | null;
}

/** Whether there is a role, what was found, and then the rest: as long as the role is on its way, as it stands now. */
export function LinkingOutcome({ token, outcome, guildName }: LinkingOutcomeProps) {
  const { progress, isLate } = useProgress(token, outcome);
  const { outcome: now, sentences } = progress ?? outcome;
  const isGiven = progress?.isGiven === true;
  return (
    <Card as="section" {...(isGiven || now === 'role-coming' ? { tone: 'glow' as const } : {})}>
      <div aria-live="polite">
        <h2 className="title-3">{outcomeTitle(now, isGiven)}</h2>
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
      <BackToDiscord />
    </Card>
  );
}

const endTitles: Readonly<Record<LinkEnd, string>> = {
  unusable: 'This link cannot be used',
  'not-linked': 'No wallet was linked',
};

interface LinkOverProps {
  readonly sentence: string;
  readonly end?: LinkEnd;
}

/** Nothing more can be done with this link. */
export function LinkOver({ sentence, end = 'unusable' }: LinkOverProps) {
  return (
    <Card as="section">
      <h2 className="title-3">{endTitles[end]}</h2>
      <p role="alert" className="mt-4 wrap-anywhere">
        {sentence}
      </p>
      <BackToDiscord />
    </Card>
  );
}
