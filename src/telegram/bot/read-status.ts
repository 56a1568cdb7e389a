import { describeService } from '../../platform/bot-service/service-store.ts';
import type { ConfigurationStore } from '../adapters/configuration-store.ts';
import type { ServiceStore } from '../adapters/service-store.ts';
import type { TelegramStatusAnswer } from '../contract.ts';

export interface StatusDeps {
  readonly store: ServiceStore;
  readonly configurations: Pick<ConfigurationStore, 'count'>;
  readonly pending: () => Promise<{ readonly pendingCount: number; readonly oldestPendingSeconds: number | null }>;
  readonly marketOutage: () => Promise<{ readonly since: Date; readonly collectionCount: number } | null>;
  readonly hasToken: boolean;
  readonly mode: 'polling' | 'webhook';
}

/** GET /api/telegram/status, from whichever copy it is asked. */
export async function readStatus(deps: StatusDeps): Promise<TelegramStatusAnswer['data']> {
  const [row, configCount, pending, outage] = await Promise.all([
    deps.store.read(),
    deps.configurations.count(),
    deps.pending(),
    deps.marketOutage(),
  ]);
  const service = describeService(row, deps.hasToken);
  return {
    ...service,
    active: service.state === 'active',
    configCount,
    mode: deps.mode,
    pendingCount: pending.pendingCount,
    oldestPendingSeconds: pending.oldestPendingSeconds,
    marketOutage: outage === null ? null : { ...outage, since: outage.since.toISOString() },
  };
}
