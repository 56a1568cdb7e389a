import { Card } from '../../web/ui/card.tsx';
import { Skeleton } from '../../web/ui/skeleton.tsx';
import { FigureNote } from './figure-note.tsx';
import type { SummaryCard as SummaryCardModel } from './summary-figures.ts';

/** Longer figures are set smaller, so that the largest still stands on a phone. */
const sizeOf = (text: string): string => {
  if (text.length <= 10) return 'text-4xl';
  return text.length <= 15 ? 'text-3xl' : 'text-2xl';
};

/** Specification 2: one of the three summary cards. Its height is the same in every state. */
export function SummaryCard({ card }: { readonly card: SummaryCardModel }) {
  return (
    <Card role="group" aria-label={card.title} tone={card.title === 'Total Value' ? 'glow' : 'plain'}>
      <p className="figure-label">
        {card.title}
        {card.title === 'Total Value' ? <span className="font-normal"> in USD</span> : null}
      </p>
      <p className={`mt-2 flex h-12 items-center font-bold ${sizeOf(card.text)}`}>
        <span className={card.kind === 'value' ? 'wrap-anywhere' : 'text-quiet wrap-anywhere'}>{card.text}</span>
      </p>
      <div className="mt-2 min-h-14 text-sm">
        <SummaryNote card={card} />
      </div>
    </Card>
  );
}

function SummaryNote({ card }: { readonly card: SummaryCardModel }) {
  if (card.kind === 'loading') return <Skeleton className="h-6 w-40" />;
  if (card.kind === 'error')
    return <p className="text-quiet">The cave does not answer. It is asked again every five minutes.</p>;
  if (card.kind === 'sample') return <p className="font-semibold text-unavailable">{card.label}</p>;
  return <FigureNote state={card.state} asOf={card.asOf} source={card.source} />;
}
