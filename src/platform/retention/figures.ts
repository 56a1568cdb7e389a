import type { Figure } from '../figures.ts';

/** Whether what is over still goes (docs/decisions/0022). */
export const retentionFigures: readonly Figure[] = [
  {
    name: 'purge_oldest_run_seconds',
    help: 'How long ago the table was purged that has waited longest for it',
    sql: 'select extract(epoch from clock_timestamp() - min(succeeded_at)) from purge_runs',
  },
];
