import { Card } from '../../web/ui/card.tsx';
import { Skeleton } from '../../web/ui/skeleton.tsx';
import { FigureNote } from './figure-note.tsx';
import type { SummaryCard as SummaryCardModel } from './summary-figures.ts';

/** Longer figures are set smaller, in proportion to the card, so that the largest still stands in one line. */
const sizeOf = (text: string): string => {
  if (text.length <= 13) return 'text-[min(2.25rem,12.5cqi)]';
  return text.length <= 18 ? 'text-[min(1.875rem,9cqi)]' : 'text-[min(1.625rem,7cqi)]';
};

/** Specification 2: one of the three summary cards. Its height is the same in every state. */
export function SummaryCard({ card }: { readonly card: SummaryCardModel }) {
  return (
    <Card role="group" aria-label={card.title} tone={card.title === 'Total Value' ? 'glow' : 'plain'}>
      <p className="figure-label">
        {card.title}
        {card.title === 'Total Value' ? <span className="font-normal"> in USD</span> : null}
      </p>
      <p className="@container mt-2 flex h-12 items-center font-bold">
        <span className={`wrap-anywhere ${sizeOf(card.text)} ${card.kind === 'value' ? '' : 'text-quiet'}`}>
          {card.text}
        </span>
      </p>
      <div className="mt-2 min-h-14 text-sm md:min-h-18 lg:min-h-14">
        <SummaryNote card={card} />
      </div>
    </Card>
  );
}

function SummaryNote({ card }: { readonly card: SummaryCardModel }) {
  if (card.kind === 'loading') return <Skeleton className="h-6 w-40" />;
  if (card.kind === 'error') return <p className="text-quiet">Asked again every five minutes.</p>;
  if (card.kind === 'sample') return <p className="font-semibold text-unavailable">{card.label}</p>;
  return <FigureNote state={card.state} asOf={card.asOf} source={card.source} />;
}
