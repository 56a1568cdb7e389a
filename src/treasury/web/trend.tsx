import { instantInWords } from '../../ui/age-in-words.ts';
import { Card } from '../../ui/card.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { formatChangePercent, formatUsdChange } from './number-format.ts';
import type { ShownChange } from './treasury-answer.ts';
import { useTreasuryTrend } from './treasury-query.ts';

const spans = [
  { hours: 24, name: '24 hours' },
  { hours: 7 * 24, name: '7 days' },
  { hours: 30 * 24, name: '30 days' },
] as const;

/** Rulings R8: how the total changed, what of it moved in or out, and a line of 30 days. Its room is kept while it is awaited. */
export function Trend() {
  const { data: trend } = useTreasuryTrend();
  const points = (trend?.days ?? []).map(({ usd, estimated }) => ({ value: usd, isDashed: estimated === true }));
  const isEstimated = points.some(({ isDashed }) => isDashed);
  return (
    <Card role="group" aria-label="Trend" id="trend" className="noscript:hidden md:col-span-2">
      <p className="figure-label">
        Trend <span className="font-normal">of the total, in USD</span>
      </p>
      <dl className="mt-3 grid gap-x-6 gap-y-3 sm:grid-cols-3">
        {spans.map(({ hours, name }) => (
          <ChangeLine key={hours} name={name} change={trend?.changes.find((each) => each.hours === hours) ?? null} />
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

interface ChangeLineProps {
  readonly name: string;
  readonly change: ShownChange | null;
}

function ChangeLine({ name, change }: ChangeLineProps) {
  const { usd, percent, movedUsd, priceUsd, from, coinsOnly } = change ?? noChange;
  return (
    <div className="grid min-h-15 grid-cols-[5rem_1fr] content-start gap-x-3 sm:min-h-23 sm:grid-cols-1">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="font-semibold tabular-nums">
        {usd === null ? (
          <span className="font-normal text-quiet">Not known yet</span>
        ) : (
          <span className={directionOf(usd).className}>
            <span aria-hidden="true">{directionOf(usd).mark}</span>
            <span className="sr-only">{directionOf(usd).word}</span> {formatUsdChange(usd)}
            {percent !== null && ` (${formatChangePercent(percent)})`}
          </span>
        )}
      </dd>
      {usd !== null && (
        <dd className="col-start-2 text-sm text-quiet tabular-nums sm:col-start-1">
          {movedUsd === null || priceUsd === null
            ? 'How much of it moved in or out is not known.'
            : `Moved in or out ${formatUsdChange(movedUsd)}, price ${formatUsdChange(priceUsd)}`}
          {coinsOnly === true && from !== null && (
            <span className="sr-only">. Coins only, since {instantInWords(from)}</span>
          )}
        </dd>
      )}
    </div>
  );
}

const noChange = { usd: null, percent: null, movedUsd: null, priceUsd: null, from: null, coinsOnly: null };

/** By mark, word and sign as well as by color. */
function directionOf(usd: number) {
  if (Math.abs(usd) < 0.005) return { mark: '=', word: 'unchanged', className: '' };
  return usd > 0
    ? { mark: '▲', word: 'up', className: 'text-gain' }
    : { mark: '▼', word: 'down', className: 'text-loss' };
}
