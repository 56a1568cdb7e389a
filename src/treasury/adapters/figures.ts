import type { Figure } from '../../platform/figures.ts';

/** What an operator needs to know of the treasury beyond this copy's snapshot. Times by the database's clock. */
export const treasuryFigures: readonly Figure[] = [
  {
    name: 'treasury_history_age_seconds',
    help: 'How long ago the value of the treasury was last written down',
    sql: 'select extract(epoch from clock_timestamp() - at) from treasury_history order by hour desc limit 1',
  },
];
