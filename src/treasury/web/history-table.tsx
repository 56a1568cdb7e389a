import { useState } from 'react';
import { instantInWords } from '../../ui/age-in-words.ts';
import { type Column, DataTable } from '../../ui/tables.tsx';
import { type HistoryRow, historyRows } from './history-plot.ts';
import { formatCount, formatUsd } from './number-format.ts';
import type { ShownPoint } from './treasury-answer.ts';
import type { HistoryDays } from './treasury-query.ts';

export const dayInWords = (at: string): string => instantInWords(at).replace(/,.*$/, '');

type Columns = readonly Column<HistoryRow>[];

const valueColumn = (name: string, usdOf: (row: HistoryRow) => number | null): Column<HistoryRow> => ({
  name,
  numeric: true,
  cell: (row) => formatUsd(usdOf(row)),
});
const hourly: Columns = [
  { name: 'Hour', cell: (row) => `${instantInWords(row.from)}${row.isEstimated ? ' (estimated)' : ''}` },
  valueColumn('Total Value', (row) => row.lastUsd),
  valueColumn('Held in SUI', (row) => row.heldInSui),
];
const daily: Columns = [
  { name: 'Day (UTC)', cell: (row) => `${dayInWords(row.from)}${row.isEstimated ? ' (estimated)' : ''}` },
  valueColumn('Last', (row) => row.lastUsd),
  valueColumn('Low', (row) => row.lowUsd),
  valueColumn('High', (row) => row.highUsd),
  valueColumn('Held in SUI', (row) => row.heldInSui),
  { name: 'Readings', numeric: true, cell: (row) => formatCount(row.readings) },
];

/** What the chart shows, in words. */
export function HistoryTable({ points, days }: { readonly points: readonly ShownPoint[]; readonly days: HistoryDays }) {
  const [open, setOpen] = useState(false);
  const isDaily = days !== 1;
  return (
    <details className="mt-4" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">Value over time as a table</summary>
      {open && (
        <div className="mt-3 max-h-96 overflow-y-auto">
          <DataTable
            caption="Value over time, readings"
            columns={isDaily ? daily : hourly}
            rows={historyRows(points, isDaily)}
            keyOf={(row) => row.from}
          />
        </div>
      )}
    </details>
  );
}
