import type { Pool } from 'pg';

import { collectionFigures } from './market/adapters/figures.ts';
import { discordFigures } from './discord/admin/figures.ts';
import { createFigureReader, type Figure } from './platform/figures.ts';
import { retentionFigures } from './platform/retention/figures.ts';
import type { Metrics } from './http/metrics.ts';
import { telegramFigures } from './telegram/adapters/figures.ts';
import { treasuryFigures } from './treasury/adapters/figures.ts';
import type { Treasury } from './treasury/treasury.ts';

/** What the database says of the whole product. The owner's alarms are judged by the same figures. */
export const operatorFigures: readonly Figure[] = [
  ...telegramFigures,
  ...discordFigures,
  ...collectionFigures,
  ...treasuryFigures,
  ...retentionFigures,
];
const connections = 'Database connections of this copy';

/** What an operator watches beyond requests and calls: deploy/alerts.yaml and deploy/grafana-dashboard.json are made of these. */
export function addOperatorGauges(
  metrics: Metrics,
  { pool }: { readonly pool: Pool },
  treasury: Pick<Treasury, 'snapshotAgeSeconds'>,
): void {
  const readFigures = createFigureReader(pool, operatorFigures);
  for (const { name, help } of operatorFigures)
    metrics.addGauge(name, help, async () => (await readFigures())[name] ?? null);
  metrics.addGauge('treasury_snapshot_age_seconds', 'Age of the published treasury', () =>
    treasury.snapshotAgeSeconds(),
  );
  metrics.addGauge('database_connections', `${connections}, open`, () => pool.totalCount);
  metrics.addGauge('database_connections_idle', `${connections}, idle`, () => pool.idleCount);
  metrics.addGauge('database_connections_awaited', 'Queries that wait for a connection', () => pool.waitingCount);
}
