import type { ConfigurationStore } from '../adapters/configuration-store.ts';
import type { ServiceStore } from '../adapters/service-store.ts';
import type { TelegramStatusAnswer } from '../contract.ts';
import { realState } from './service-state.ts';

export interface StatusDeps {
  readonly store: ServiceStore;
  readonly configurations: Pick<ConfigurationStore, 'count'>;
  readonly pending: () => Promise<{ readonly pendingCount: number; readonly oldestPendingSeconds: number | null }>;
  readonly hasToken: boolean;
  readonly mode: 'polling' | 'webhook';
}

/** GET /api/telegram/status, from whichever copy it is asked. */
export async function readStatus(deps: StatusDeps): Promise<TelegramStatusAnswer['data']> {
  const [row, configCount, pending] = await Promise.all([
    deps.store.read(),
    deps.configurations.count(),
    deps.pending(),
  ]);
  const { state, since } = realState(row, deps.hasToken);
  return {
    active: state === 'active',
    configCount,
    state,
    wanted: row.wanted,
    username: deps.hasToken ? row.username : null,
    since: since?.toISOString() ?? null,
    lastError: row.lastError === null ? null : { message: row.lastError.message, at: row.lastError.at.toISOString() },
    mode: deps.mode,
    pendingCount: pending.pendingCount,
    oldestPendingSeconds: pending.oldestPendingSeconds,
  };
}
