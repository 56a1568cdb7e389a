import { shortAddress } from '../../../shared/sui-address.ts';
import { Card } from '../../../web/ui/card.tsx';
import { BackToDiscord } from './back-to-discord.tsx';
import { useProgress } from './use-progress.ts';
import type { LinkEnd, Outcome } from './verify-calls.ts';

const titles: Readonly<Record<Outcome['outcome'], string>> = {
  'role-coming': 'Welcome to the tribe',
  'not-holding': 'Linked, but nothing found',
  unknown: 'Your wallet is linked',
  'not-set-up': 'Linked; the server is not ready yet',
};

interface LinkingOutcomeProps {
  readonly token: string;
  readonly outcome: Outcome;
  readonly guildName: string;
}

/** What the server found, in its own sentences; those of a role that is on its way until it is given. */
export function LinkingOutcome({ token, outcome, guildName }: LinkingOutcomeProps) {
  const { progress, isLate } = useProgress(token, outcome);
  const sentences = progress?.sentences ?? outcome.sentences;
  const now = progress?.isGiven === true ? 'role-coming' : (progress ?? outcome).outcome;
  return (
    <Card as="section" {...(now === 'role-coming' ? { tone: 'glow' as const } : {})}>
      <h2 className="title-3">{titles[now]}</h2>
      <p className="mt-4 wrap-anywhere">
        The wallet {shortAddress(outcome.wallet)} is linked to you in {guildName}.
      </p>
      <ul className="mt-3 list-disc space-y-2 pl-5 wrap-anywhere" aria-live="polite">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {isLate && <li>It takes longer than usual. In Discord, /why tells how it goes on.</li>}
      </ul>
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
