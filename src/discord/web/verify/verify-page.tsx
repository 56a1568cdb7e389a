import { useLocation } from 'wouter';
import { useState } from 'react';
import { useAtTime } from '../../../ui/age.tsx';
import { serverTimeMs } from '../../../ui/api/api-client.ts';
import { Button, Spinner, ExternalLinkButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { useShownError } from '../../../ui/query-error.tsx';
import { useInBrowser } from '../../../ui/server-written.tsx';
import { SectionBoundary } from '../../../ui/section-boundary.tsx';
import { LinkingSteps } from './linking-steps.tsx';
import { useLinking } from './use-linking.ts';
import { type Link, type LinkEnd, linkProblemOf, type Outcome, useLink, useProgress } from './verify-calls.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { FocusedHeading } from '../../../ui/section-heading.tsx';

const pathStart = '/verify/';
const notKnown = '(not known)';
const wholeToken = /^[\w-]{43}$/;
const cutSentence =
  'This is not a whole verification link: it may have been cut while it was copied. Use /verify in your Discord server to get a new one.';

/** Rulings R5: `/verify/<token>`, where a member of a Discord server links a wallet. */
export function VerifyPage() {
  const [path] = useLocation();
  const token = path.slice(pathStart.length);
  const isWhole = wholeToken.test(token);
  // The prerendered page has no token: the browser checks it only after hydration.
  const isCut = useInBrowser(() => !isWhole, false);
  const query = useLink(token, isWhole);
  const { data, refetch, isFetching } = query;
  const error = useShownError(query);
  const content = () => {
    if (isCut) return <LinkOver sentence={cutSentence} />;
    if (data !== undefined) return <UsableLink token={token} link={data} />;
    if (error !== null) return <UnreadLink error={error} busy={isFetching} onRetry={() => void refetch()} />;
    return readingLink;
  };
  return (
    <section className="wrap py-12 lg:py-16 [&>.slab]:mt-8 [&>.slab]:max-w-176">
      <h1 className="title-2">Link your wallet</h1>
      {content()}
    </section>
  );
}

const readingLink = (
  <>
    <p className="needs-script mt-6 flex items-center gap-3 text-quiet">
      <Spinner className="size-5" />
      Reading the link
    </p>
    <noscript>
      <p>Linking a wallet needs JavaScript.</p>
    </noscript>
  </>
);

interface UnreadLinkProps {
  readonly error: Error;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

function UnreadLink({ error, busy, onRetry }: UnreadLinkProps) {
  const { sentence, end } = linkProblemOf(error);
  if (end !== null) return <LinkOver end={end} sentence={sentence} />;
  return (
    <Card as="section">
      <p role="alert" className="wrap-anywhere">
        {sentence}
      </p>
      <Button className="mt-5" busy={busy} onClick={onRetry}>
        Try again
      </Button>
    </Card>
  );
}

function UsableLink({ token, link }: { readonly token: string; readonly link: Link }) {
  const linking = useLinking(token, link.network);
  const { expiresAt, memberName, guildName, nftName } = link;
  const ends = useAtTime((nowMs) => (expiresAt === null ? '' : endsInWords(expiresAt, serverTimeMs(nowMs))), '');
  const hasExpired = useAtTime((nowMs) => expiresAt !== null && serverTimeMs(nowMs) >= Date.parse(expiresAt), false);
  const { step, fate } = linking;
  if (fate?.kind === 'done') return <LinkingOutcome token={token} outcome={fate.outcome} guildName={guildName} />;
  if (fate !== null) return <LinkOver end={fate.end} sentence={fate.sentence} />;
  // Once a signature is submitted, the server decides.
  if (hasExpired && step.kind !== 'checking') return <LinkOver sentence={ends} />;
  return (
    <>
      <p className="mt-4 max-w-176 text-[1.125rem] wrap-anywhere">
        For <strong>{memberName ?? notKnown}</strong> in the Discord server <strong>{guildName ?? notKnown}</strong>, to
        show that you hold <strong>{nftName ?? 'its NFT collection'}</strong>.{' '}
        <span className="text-quiet">{ends}</span>
      </p>
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card as="section">
          <SectionBoundary name="The way to sign">
            <LinkingSteps linking={linking} network={link.network} />
          </SectionBoundary>
        </Card>
        <Safety memberName={memberName} />
      </div>
    </>
  );
}

/** Warns members of a thief's methods. */
const Safety = ({ memberName }: { readonly memberName: string | null }) => (
  <section className="self-start border-l-3 border-torch pl-5">
    <h2 className="font-bold">Before you sign</h2>
    <ul className="mt-3 list-disc space-y-2 pl-5">
      <li>You asked for this link in Discord yourself. If someone sent it to you, close this page.</li>
      {memberName !== null && (
        <li>
          Check that <span className="wrap-anywhere">{memberName}</span> is your account.
        </li>
      )}
      <li>It is a message, not a transaction. It moves nothing and costs nothing.</li>
      <li>Nobody here ever asks for your seed phrase or private key.</li>
    </ul>
  </section>
);

/** 'This link expires in 12 min.' */
export function endsInWords(expiresAt: string, nowMs: number): string {
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return 'This link has expired: use /verify in Discord to get a new one.';
  const minutes = Math.ceil(leftMs / 60_000);
  return minutes === 1 ? 'This link expires in less than a minute.' : `This link expires in ${minutes} min.`;
}

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
        {isGiven && <span>Welcome to the tribe. </span>}
        <span>
          {outcome.wallet === null ? 'Your wallet' : `The wallet ${shortAddress(outcome.wallet)}`} is linked to you in{' '}
          {guildName ?? 'the Discord server'}.
        </span>
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

const LinkOver = ({ sentence, end = 'unusable' }: { readonly sentence: string; readonly end?: LinkEnd }) => (
  <Card as="section">
    <FocusedHeading>{endTitles[end]}</FocusedHeading>
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
  'bot-off': 'Linked; the bot is shut down',
};

/** Says first of all whether the role is given. */
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
