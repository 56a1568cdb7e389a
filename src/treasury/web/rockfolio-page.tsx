import { useDeferredValue } from 'react';
import hoard from 'virtual:artwork/hoard.svg';
import { recentInstantInWords } from '../../ui/age-in-words.ts';
import { usePublicAnswer, useStaleWhenOverdue } from '../../ui/api/use-public-answer.ts';
import { Card } from '../../ui/card.tsx';
import { ExternalLink } from '../../ui/links.tsx';
import { useShownError } from '../../ui/query-error.tsx';
import { SectionBoundary } from '../../ui/section-boundary.tsx';
import { StrataDivider } from '../../ui/section-heading.tsx';
import { ServerSnapshot, useSiteConfig } from '../../ui/server-written.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { AllocationPatterns } from './allocation-categories.tsx';
import { BeyondTheBalance } from './beyond-the-balance.tsx';
import { StateMark } from './figure-note.tsx';
import { FullTransparency } from './full-transparency.tsx';
import { CategoryBreakdown, FundAllocation } from './fund-allocation.tsx';
import { ValueOverTime } from './history/value-over-time.tsx';
import { formatChangePercent, formatUsdChange } from './number-format.ts';
import {
  Proof,
  SnapshotLine,
  SummaryCard,
  type SummaryCardModel,
  type TreasuryFailure,
  summaryCards,
} from './summary-cards.tsx';
import { type ShownChange, type ShownTreasury, trendAnswer } from './treasury-answer.ts';
import { treasuryRefetchEveryMs, useTreasury, walletExplorerUrl } from './treasury-query.ts';

/** Specification 2, Treasury page: its four sections in order; around them what rulings R3 add: total, trend, then proof. */
export function RockfolioPage() {
  const treasury = useTreasury();
  const snapshot = useStaleWhenOverdue(treasury, treasuryRefetchEveryMs);
  const known = snapshot ?? null;
  // The figures at the top render first; the long lists follow in small steps, so that a phone stays responsive.
  const knownBelow = useDeferredValue(known);
  const error = useShownError(treasury);
  const tryAgain = (): unknown => treasury.refetch();
  const failure = error && { text: error.message, isTrying: treasury.isFetching, tryAgain };
  return (
    <>
      <AllocationPatterns />
      <SectionBoundary name="The summary">
        <RockfolioHero
          cards={summaryCards({ failed: failure !== null, snapshot })}
          snapshot={known}
          failure={failure}
        />
      </SectionBoundary>
      <SectionBoundary name="The value over time">
        <div className="wrap pb-12 sm:pb-16">
          <ValueOverTime />
        </div>
      </SectionBoundary>
      <StrataDivider />
      <FundAllocation />
      <StrataDivider />
      <CategoryBreakdown />
      <StrataDivider />
      <SectionBoundary name="The holdings">
        <FullTransparency snapshot={knownBelow} />
      </SectionBoundary>
      <StrataDivider />
      <SectionBoundary name="The proof">
        <BeyondTheBalance snapshot={knownBelow} />
      </SectionBoundary>
    </>
  );
}

interface RockfolioHeroProps {
  readonly cards: readonly SummaryCardModel[];
  readonly snapshot: ShownTreasury | null;
  /** null: the last call worked. */
  readonly failure: TreasuryFailure | null;
}

/** Specification 2, Treasury page, section 1: title and three summary cards. */
function RockfolioHero({ cards, snapshot, failure }: RockfolioHeroProps) {
  const siteConfig = useSiteConfig();
  const [total, ...holdings] = cards;
  return (
    <header className="wrap pt-12 pb-10 sm:pt-20">
      <div className="grid items-end gap-x-12 lg:grid-cols-[1fr_21rem]">
        <div>
          <h1 className="title-1">RockFolio</h1>
          <p className="mt-4 max-w-2xl text-lg text-quiet">
            Everything in the public wallet, counted in daylight. Each figure says where it comes from and how old it
            is, and you can check the wallet{' '}
            <ExternalLink href={walletExplorerUrl(siteConfig)} className="link max-md:py-2.5">
              on the block explorer
            </ExternalLink>
            .
          </p>
        </div>
        <img src={hoard} alt="" width={421} height={146} className="hidden h-auto w-full lg:block" />
      </div>
      <SectionLinks />
      <div className="noscript:hidden mt-4 grid gap-4 md:grid-cols-3">
        {total !== undefined && <SummaryCard card={total} />}
        <Trend />
        <Proof isKnown={snapshot !== null} failed={failure !== null} />
        {holdings.map((card) => (
          <SummaryCard key={card.title} card={card} />
        ))}
      </div>
      <SnapshotLine snapshot={snapshot} failure={failure} />
      <div className="noscript:mt-8 [&_caption]:pb-2 [&_caption]:text-left [&_caption]:font-bold [&_li]:mb-2 [&_section]:mt-6 [&_section]:mb-3 [&_.numeric]:whitespace-nowrap [&_strong]:whitespace-nowrap [&_.table_:is(td,th)]:py-2 [&_tbody_th]:text-left [&_p]:mb-3 [&_p]:wrap-anywhere">
        <ServerSnapshot of="query-problem" />
        <ServerSnapshot of="treasury" />
      </div>
    </header>
  );
}

const sections = [
  { id: 'trend', text: 'Trend' },
  { id: 'value-over-time', text: 'Value over time' },
  { id: 'fund-allocation', text: 'Plan' },
  { id: 'full-transparency', text: 'Holdings' },
  { id: 'movements', text: 'Movements' },
  { id: 'beyond-the-balance', text: 'Proof' },
] as const;

/** The page is many screens long. */
function SectionLinks() {
  return (
    <nav aria-label="On this page" className="mt-6">
      <ul className="flex flex-wrap gap-x-5">
        {sections.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`} className="link inline-flex min-h-11 min-w-11 items-center">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const spans = [
  { hours: 24, name: '24 hours' },
  { hours: 7 * 24, name: '7 days' },
  { hours: 30 * 24, name: '30 days' },
] as const;

/** Rulings R8: how the total changed, how much of that moved in or out, and a line of 30 days. Its space is reserved while it loads. */
export function Trend() {
  const { data: trend, isLoading } = usePublicAnswer('/api/treasury/trend', trendAnswer, {
    everyMs: treasuryRefetchEveryMs,
  });
  const points = (trend?.days ?? []).map(({ usd, estimated }) => ({ value: usd, isDashed: estimated === true }));
  const isEstimated = points.some(({ isDashed }) => isDashed);
  return (
    <Card role="group" aria-label="Trend" id="trend" className="noscript:hidden md:col-span-2">
      <p className="figure-label flex min-h-6 flex-wrap items-center gap-x-3">
        <span>
          Trend <span className="font-normal">of the total, in USD</span>
        </span>
        {trend !== undefined && <StateMark state={trend.state} asOf={trend.asOf} />}
      </p>
      <dl className="mt-3 grid gap-x-6 gap-y-3 sm:grid-cols-3">
        {spans.map(({ hours, name }) => (
          <ChangeLine
            key={hours}
            name={name}
            change={trend?.changes.find((each) => each.hours === hours) ?? null}
            unknownText={unknownChangeText(trend, isLoading)}
          />
        ))}
      </dl>
      <Sparkline points={points} className="mt-4 h-14 w-full" />
      <p className="mt-1 min-h-11 text-sm text-quiet sm:min-h-6">
        {trend !== undefined &&
          `The last 30 days${isEstimated ? ', coins only; dashed: estimated from the chain' : ''}.`}
      </p>
    </Card>
  );
}

function unknownChangeText(trend: object | undefined, isLoading: boolean): string {
  if (trend !== undefined) return 'Not known yet';
  return isLoading ? 'Loading...' : 'Not known right now';
}

interface ChangeLineProps {
  readonly name: string;
  readonly change: ShownChange | null;
  readonly unknownText: string;
}

function ChangeLine({ name, change, unknownText }: ChangeLineProps) {
  const from = change?.from ?? null;
  const since =
    from !== null && ` ${change?.coinsOnly === true ? 'of coins, ' : ''}since ${recentInstantInWords(from)}`;
  return (
    <div className="grid min-h-15 content-start gap-x-3 min-[20rem]:grid-cols-[5rem_1fr] sm:min-h-25 sm:grid-cols-1">
      <dt className="row-span-2 text-sm text-quiet">
        {name}
        <span className="block text-xs">{since}</span>
      </dt>
      {change === null || change.usd === null ? (
        <dd className="font-semibold tabular-nums">
          <span className="font-normal text-quiet">{unknownText}</span>
        </dd>
      ) : (
        <KnownChange {...change} usd={change.usd} />
      )}
    </div>
  );
}

function KnownChange({ usd, percent, movedUsd, priceUsd }: ShownChange & { readonly usd: number }) {
  const { mark, word, className } = directionOf(usd);
  return (
    <>
      <dd className="font-semibold tabular-nums">
        <span className={className}>
          <span aria-hidden="true">{mark}</span>
          <span className="sr-only">{word}</span> {formatUsdChange(usd)}
          {percent !== null && <span> ({formatChangePercent(percent)})</span>}
        </span>
      </dd>
      <dd className="text-sm text-quiet tabular-nums min-[20rem]:col-start-2 sm:col-start-1">
        {movedUsd === null || priceUsd === null ? (
          'How much of it moved in or out is not known.'
        ) : (
          <>
            <span className="inline-block">Moved in or out {formatUsdChange(movedUsd)},</span>{' '}
            <span className="inline-block">price {formatUsdChange(priceUsd)}</span>
          </>
        )}
      </dd>
    </>
  );
}

/** By mark, word and sign as well as by color. */
function directionOf(usd: number) {
  if (Math.abs(usd) < 0.005) return { mark: '=', word: 'unchanged', className: '' };
  return usd > 0
    ? { mark: '▲', word: 'up', className: 'text-gain' }
    : { mark: '▼', word: 'down', className: 'text-loss' };
}
