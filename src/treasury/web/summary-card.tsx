import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/placeholders.tsx';
import type { DayChange } from './day-change.ts';
import { FigureNote } from './figure-note.tsx';
import { formatChangePercent } from './number-format.ts';
import type { SummaryCard as SummaryCardModel } from './summary-figures.ts';

/** Longer figures are set smaller, in proportion to the card, so that the largest still stands in one line. */
const sizeOf = (text: string): string => {
  if (text.length <= 13) return 'text-[min(2.25rem,12.5cqi)]';
  return text.length <= 18 ? 'text-[min(1.875rem,9cqi)]' : 'text-[min(1.625rem,7cqi)]';
};

interface SummaryCardProps {
  readonly card: SummaryCardModel;
  /** Of the total; null: there is none to tell. */
  readonly change: DayChange | null;
}

const changeText = (change: DayChange | null): string =>
  change === null ? '' : `${formatChangePercent(change.percent)} in ${change.hours} h`;

/** Specification 2: one of the three summary cards. Its height is the same in every state. */
export function SummaryCard({ card, change }: SummaryCardProps) {
  const isTotal = card.title === 'Total Value';
  return (
    <Card role="group" aria-label={card.title} tone={isTotal ? 'glow' : 'plain'}>
      <p className="figure-label">
        {card.title}
        {isTotal ? <span className="font-normal"> in USD</span> : null}
      </p>
      <p className="@container mt-2 flex h-12 items-center font-bold">
        <span className={`wrap-anywhere ${sizeOf(card.text)} ${card.kind === 'value' ? '' : 'text-quiet'}`}>
          {card.text}
        </span>
      </p>
      {isTotal ? <p className="min-h-6 text-sm tabular-nums">{card.kind === 'value' && changeText(change)}</p> : null}
      <div className="mt-2 min-h-14 text-sm md:min-h-18 lg:min-h-14">
        <SummaryNote card={card} />
      </div>
      {isTotal ? (
        <p className="mt-2 text-sm text-quiet">
          The public wallet only: exchange funds are not in it. Prices and floors come from the sources named, not from
          the chain.
        </p>
      ) : null}
    </Card>
  );
}

function SummaryNote({ card }: { readonly card: SummaryCardModel }) {
  if (card.kind === 'loading') return <Skeleton className="h-6 w-40" />;
  if (card.kind === 'error') return <p className="text-quiet">We try again every five minutes.</p>;
  if (card.kind === 'sample') return <p className="font-semibold text-unavailable">{card.label}</p>;
  return <FigureNote state={card.state} asOf={card.asOf} source={card.source} always={card.title === 'Total Value'} />;
}
