import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { useShownError } from '../../../ui/query-error.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { type Column, DataTable } from '../../../ui/tables.tsx';
import { HistoryChart, HistoryNotes, lineLooks } from './history-chart.tsx';
import { changePercent, tableRows } from './history-plot.ts';
import { formatChangePercent, formatUsd } from '../number-format.ts';
import type { ShownHistory, ShownPoint } from '../treasury-answer.ts';
import { firstHistoryDays, type HistoryDays, useTreasuryHistory } from '../treasury-query.ts';

const ranges = [1, 7, 30, 90, 'all'] as const satisfies readonly HistoryDays[];

const rangeName = (days: HistoryDays): string => {
  if (days === 'all') return 'All';
  return days === 1 ? '1 day' : `${days} days`;
};

/** Rulings R3 and R8: value over time, from hourly snapshots; before them, from the ledger. */
export function ValueOverTime() {
  const [days, setDays] = useState<HistoryDays>(firstHistoryDays);
  const choices = useRef<HTMLFieldSetElement>(null);
  // Takes over a range that was chosen before the page's scripts ran.
  useEffect(() => {
    const chosen = choices.current?.querySelector<HTMLInputElement>('input:checked')?.value;
    setDays((before) => ranges.find((range) => String(range) === chosen) ?? before);
  }, []);
  const query = useTreasuryHistory(days);
  const { data: history, isFetching, refetch } = query;
  const failed = useShownError(query) !== null;
  // Drawn in small steps: ninety days are a long table.
  const shown = useDeferredValue(useMemo(() => ({ history, failed, days }), [history, failed, days]));
  return (
    <Card as="section" aria-labelledby="value-over-time" className="noscript:hidden">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <SectionHeading id="value-over-time" title="Value over time" />
        <fieldset ref={choices} className="-mx-2 flex flex-wrap">
          <legend className="sr-only">Range</legend>
          {ranges.map((range) => (
            <label
              key={range}
              className="relative cursor-pointer px-2 py-2 text-sm font-semibold text-quiet has-checked:text-ink has-checked:underline has-checked:decoration-torch has-checked:decoration-3 has-checked:underline-offset-8 has-focus-visible:outline-3 has-focus-visible:outline-ember max-md:inline-flex max-md:min-h-11 max-md:min-w-11 max-md:items-center max-md:justify-center"
            >
              <input
                type="radio"
                name="history-range"
                value={range}
                className="sr-only"
                checked={range === days}
                onChange={() => setDays(range)}
              />
              <span>{rangeName(range)}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div className="mt-4">
        <HistoryBody {...shown} isTrying={isFetching} tryAgain={() => void refetch()} />
      </div>
    </Card>
  );
}

interface HistoryBodyProps {
  readonly history: ShownHistory | undefined;
  readonly failed: boolean;
  readonly days: HistoryDays;
  readonly isTrying: boolean;
  readonly tryAgain: () => void;
}

function HistoryBody({ history, failed, days, isTrying, tryAgain }: HistoryBodyProps) {
  if (history === undefined && failed) {
    return (
      <div className="flex flex-wrap items-center gap-4">
        <p className="text-quiet">The value over time could not be loaded. We try again every five minutes.</p>
        <Button busy={isTrying} onClick={tryAgain}>
          Try again
        </Button>
      </div>
    );
  }
  if (history === undefined) {
    return (
      <div className="min-h-112">
        <p className="text-quiet">Loading...</p>
        <Skeleton className="mt-4 h-72 w-full" />
      </div>
    );
  }
  const { points, incompleteDays } = history;
  const notes = history.notes ?? [];
  if (points.length < 2) {
    return <p className="text-quiet">Fewer than two readings in this range: there is no line to draw.</p>;
  }
  const change = changePercent(points);
  return (
    <div className="min-h-112">
      {failed && <p className="text-sm text-stale">The last refresh failed; these are the last good figures.</p>}
      {change !== null && (
        <p className="text-sm text-quiet">
          <span className="tabular-nums">{formatChangePercent(change)}</span> from the first to the last reading shown.
          Gaps are {days === 'all' ? 'days' : 'hours'} without a reading.
        </p>
      )}
      <HistoryChart key={days} points={points} notes={notes} isDaily={days === 'all'} />
      <Legend points={points} hasNotes={notes.length > 0} />
      <Estimates points={points} incompleteDays={incompleteDays ?? []} />
      <HistoryNotes notes={notes} />
      <HistoryTable points={points} days={days} />
    </div>
  );
}

function Legend({ points, hasNotes }: { readonly points: readonly ShownPoint[]; readonly hasNotes: boolean }) {
  const lines = [
    { name: 'Read', look: lineLooks.read, isShown: points.some(({ estimated }) => estimated !== true) },
    { name: 'Estimated', look: lineLooks.estimated, isShown: points.some(({ estimated }) => estimated === true) },
    {
      name: 'Same money held in SUI',
      look: lineLooks.held,
      isShown: points.some(({ heldInSui }) => heldInSui !== null),
    },
  ].filter(({ isShown }) => isShown);
  if (lines.length < 2 && !hasNotes) return null;
  return (
    <ul aria-label="Lines" className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {lines.map(({ name, look }) => (
        <li key={name} className="inline-flex items-center gap-x-2">
          <svg viewBox="0 0 36 8" className="w-9" aria-hidden="true">
            <path d="M1,4H35" className={look} />
          </svg>
          {name}
        </li>
      ))}
      {hasNotes && (
        <li className="inline-flex items-center gap-x-2">
          <span className="chart-mark" aria-hidden="true" />
          Team&rsquo;s note
        </li>
      )}
    </ul>
  );
}

interface EstimatesProps {
  readonly points: readonly ShownPoint[];
  readonly incompleteDays: readonly string[];
}

function Estimates({ points, incompleteDays }: EstimatesProps) {
  const hasEstimates = points.some(({ estimated }) => estimated === true);
  if (!hasEstimates && incompleteDays.length === 0) return null;
  return (
    <p className="mt-2 text-sm text-quiet">
      {hasEstimates && <span>Estimated values are of coins only, from the chain at prices of the time. </span>}
      {incompleteDays.length > 0 && (
        <span>
          Left out, because the price of a coin, or what moved, is not known: {counted(incompleteDays.length, 'day')}.
        </span>
      )}
    </p>
  );
}

const dayInWords = (at: string): string => instantInWords(at).replace(/,.*$/, '');

const columnsOf = (isDaily: boolean): readonly Column<ShownPoint>[] => [
  {
    name: isDaily ? 'Day (UTC)' : 'Hour',
    cell: ({ at, estimated }) =>
      `${isDaily ? dayInWords(at) : instantInWords(at)}${estimated === true ? ' (estimated)' : ''}`,
  },
  { name: 'Total Value', numeric: true, cell: ({ totalUsdValue }) => formatUsd(totalUsdValue) },
  { name: 'Held in SUI', numeric: true, cell: ({ heldInSui }) => formatUsd(heldInSui) },
];

function HistoryTable({ points, days }: { readonly points: readonly ShownPoint[]; readonly days: HistoryDays }) {
  const [open, setOpen] = useState(false);
  const isDaily = days !== 1;
  return (
    <details className="mt-4" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">Value over time as a table</summary>
      {open && (
        <div className="mt-3 max-h-96 overflow-y-auto">
          <DataTable
            caption="Value over time, readings"
            columns={columnsOf(isDaily)}
            rows={tableRows(points, isDaily)}
            keyOf={({ at }) => at}
          />
        </div>
      )}
    </details>
  );
}
