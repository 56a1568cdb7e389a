import type { FigureState } from '../contract.ts';
import { nftCountText, totalNftCount } from './holdings-rows.ts';
import { formatSui, formatUsd, formatChangePercent } from './number-format.ts';
import type { ShownTreasury } from './treasury-answer.ts';
import { instantInWords } from '../../ui/age-in-words.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/placeholders.tsx';
import { FigureNote } from './figure-note.tsx';

/** Specification 9: shown when data is missing, always under `sampleLabel` (rulings R3). */
const sampleTotalUsd = 1247.5;
const sampleBalanceSui = 8420.3;
const sampleLabel = 'Sample figure: live data unavailable';
const nftFallbackLabel = 'Fallback figure: live data unavailable';

/** What one of the three cards shows (specification 2 and 4). */
export type SummaryCardModel = { readonly title: string; readonly text: string } & (
  | { readonly kind: 'loading' }
  | { readonly kind: 'error' }
  | { readonly kind: 'sample'; readonly label: string }
  | {
      readonly kind: 'value';
      /** null: not in the answer. */
      readonly state: FigureState | null;
      readonly asOf: string | null;
      readonly source: string | null;
    }
);

export interface SummaryInput {
  /** Of the last call. */
  readonly failed: boolean;
  /** The last good one, also after a later call failed; null: the answer came without data; undefined: no answer yet. */
  readonly snapshot: ShownTreasury | null | undefined;
}

type FigureName = 'totalUsdValue' | 'balanceInSui' | 'nftHoldings';

/** A card filled from an answer. `text` null: the answer came without the figure. */
interface FilledCard {
  readonly title: string;
  readonly figure: FigureName;
  readonly text: string | null;
  readonly sample: string;
  readonly label: string;
}

/**
 * Total Value, SUI Holdings and NFT Holdings. 'Loading...' until the first answer, 'Error loading' when there never was
 * one, the sample figures when an answer came without the figure.
 */
export function summaryCards({ failed, snapshot }: SummaryInput): readonly SummaryCardModel[] {
  const placeholder = placeholderOf({ failed, snapshot });
  const usd = snapshot?.totalUsdValue ?? null;
  const sui = snapshot?.balance?.balanceInSui ?? null;
  const nfts = snapshot?.nftBreakdown ? totalNftCount(snapshot.nftBreakdown) : null;
  const filled: readonly FilledCard[] = [
    {
      title: 'Total Value',
      figure: 'totalUsdValue',
      text: usd === null ? null : formatUsd(usd),
      sample: formatUsd(sampleTotalUsd),
      label: sampleLabel,
    },
    {
      title: 'SUI Holdings',
      figure: 'balanceInSui',
      text: sui === null ? null : formatSui(sui),
      sample: formatSui(sampleBalanceSui),
      label: sampleLabel,
    },
    {
      title: 'NFT Holdings',
      figure: 'nftHoldings',
      text: nfts === null ? null : nftCountText(nfts),
      sample: nftCountText(0),
      label: nftFallbackLabel,
    },
  ];
  return filled.map(({ title, figure: name, text, sample, label }) => {
    if (placeholder !== null) return { title, ...placeholder };
    const figure = snapshot?.figures?.[name] ?? { state: null, asOf: null, source: null };
    if (text === null || figure.state === 'unavailable') return { title, kind: 'sample', text: sample, label };
    return { title, kind: 'value', text, ...figure };
  });
}

/** What all three cards say while there was no answer; null: there was one, even if it came without data. */
function placeholderOf({ failed, snapshot }: SummaryInput) {
  if (failed && (snapshot === undefined || snapshot === null)) return { kind: 'error', text: 'Error loading' } as const;
  if (snapshot === undefined) return { kind: 'loading', text: 'Loading...' } as const;
  return null;
}

/** Longer figures are set smaller, in proportion to the card, so that even the largest fits on one line. */
const sizeOf = (text: string): string => {
  if (text.length <= 13) return 'text-[min(2.25rem,12.5cqi)]';
  return text.length <= 18 ? 'text-[min(1.875rem,9cqi)]' : 'text-[min(1.625rem,7cqi)]';
};

interface SummaryCardProps {
  readonly card: SummaryCardModel;
}

/** Specification 2: one of the three summary cards. Its height is the same in every state. */
export function SummaryCard({ card }: SummaryCardProps) {
  const isTotal = card.title === 'Total Value';
  return (
    <Card role="group" aria-label={card.title} tone={isTotal ? 'glow' : 'plain'}>
      <p className="figure-label">
        {card.title}
        {isTotal && <span className="font-normal"> in USD</span>}
      </p>
      <p className="@container mt-2 flex h-12 items-center font-bold">
        <span className={`wrap-anywhere ${sizeOf(card.text)} ${card.kind === 'value' ? '' : 'text-quiet'}`}>
          {card.text}
        </span>
      </p>
      <div className="mt-2 min-h-14 text-sm md:min-h-18 lg:min-h-14">
        <SummaryNote card={card} />
      </div>
      {isTotal && (
        <p className="mt-2 text-sm text-quiet">
          The public wallet only: exchange funds are not in it. Prices and floors come from the sources named, not from
          the chain.
        </p>
      )}
    </Card>
  );
}

function SummaryNote({ card }: { readonly card: SummaryCardModel }) {
  if (card.kind === 'loading') return <Skeleton className="h-6 w-40" />;
  if (card.kind === 'error') return <p className="text-quiet">We keep trying.</p>;
  if (card.kind === 'sample') return <p className="font-semibold text-unavailable">{card.label}</p>;
  return <FigureNote state={card.state} asOf={card.asOf} source={card.source} always={card.title === 'Total Value'} />;
}

interface ProofProps {
  readonly isKnown: boolean;
  readonly failed: boolean;
}

/** Rulings R3: the snapshot as a file, so that anyone can add up the totals. Its space is reserved while there is none. */
export const Proof = ({ isKnown, failed }: ProofProps) => (
  <Card role="group" aria-label="Proof" className="md:order-last">
    <p className="figure-label">Proof</p>
    <p className="mt-2 mb-3 text-sm text-quiet">
      {failed && !isKnown
        ? 'There is no snapshot to download right now: the treasury could not be read.'
        : 'Every row with its raw balance, price and source, as a file. The rows add up to the totals.'}
    </p>
    <div className="flex min-h-12 flex-wrap gap-3">
      {isKnown && (
        <>
          <a className={buttonClass('stone')} href="/api/treasury/export.csv" download>
            Download CSV
          </a>
          <a className={buttonClass('stone')} href="/api/treasury/export.json" download>
            Download JSON
          </a>
        </>
      )}
    </div>
  </Card>
);

export interface TreasuryFailure {
  readonly text: string;
  readonly isTrying: boolean;
  readonly tryAgain: () => unknown;
}

interface SnapshotLineProps {
  readonly snapshot: ShownTreasury | null;
  readonly failure: TreasuryFailure | null;
}

/** Under the cards: where and when the chain was read, and anything unusual. Its space is reserved while it is empty. */
export function SnapshotLine({ snapshot, failure }: SnapshotLineProps) {
  return (
    <div className="noscript:hidden mt-4 min-h-24 space-y-2 lg:min-h-13 text-sm text-quiet">
      {snapshot !== null && (
        <p>
          {readFrom(snapshot)}
          Total Value is priced tokens plus NFTs at floor.
          {snapshot.figures !== null && <span> Figures without a mark are live.</span>}
        </p>
      )}
      {failure !== null && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <output className="font-semibold text-danger">
            {snapshot === null
              ? 'The treasury could not be read'
              : 'The last refresh failed; these are the last good figures'}
            : {failure.text}
          </output>
          <Button busy={failure.isTrying} onClick={failure.tryAgain}>
            Try again
          </Button>
        </div>
      )}
      <JumpFlag jump={snapshot?.jump ?? null} />
    </div>
  );
}

function readFrom({ network, checkpoint, asOf }: ShownTreasury): string {
  if (asOf === null) return '';
  const chain = network === null ? 'SUI' : `SUI ${network}`;
  return `Read from ${chain}${checkpoint === null ? '' : ` at checkpoint ${checkpoint}`}, ${instantInWords(asOf)}. `;
}

/** Rulings R3: a total that moved by more than half was read twice before it was published, and says so. */
function JumpFlag({ jump }: Pick<ShownTreasury, 'jump'>) {
  if (jump === null || jump.previousUsdValue === null || jump.nextUsdValue === null) return null;
  return (
    <p>
      <strong className="text-stale">Large move:</strong> the total went from {formatUsd(jump.previousUsdValue)} to{' '}
      {formatUsd(jump.nextUsdValue)}
      {jump.changePercent !== null && ` (${formatChangePercent(jump.changePercent)})`} between two readings. A second
      reading confirmed it{jump.confirmedAt !== null && `, ${instantInWords(jump.confirmedAt)}`}.
    </p>
  );
}
