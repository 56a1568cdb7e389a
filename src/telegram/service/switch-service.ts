import type { Kysely } from 'kysely';

import { openTransaction } from '../../platform/database/open-transaction.ts';
import type { ServiceStore, WantedState } from '../adapters/service-store.ts';
import type { TelegramTables } from '../adapters/tables.ts';
import type { Actor } from '../configuring.ts';
import type { AuditTrail, Clock, CollectionTracking } from '../ports.ts';
import { isSettled, realState } from './service-state.ts';

export interface SwitchDeps {
  readonly db: Kysely<TelegramTables>;
  readonly store: ServiceStore;
  readonly tracking: Pick<CollectionTracking, 'setPaused'>;
  readonly audit: AuditTrail;
  readonly hasToken: boolean;
  /** Tells every copy that something changed. */
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
  readonly clock: Clock;
  /** How long to wait until the bot is what was asked for. */
  readonly settleMs: number;
}

/** How often the real state is looked at, besides when a copy says that it changed. */
const lookEveryMs = 1_000;

/**
 * Initialize and Shutdown (rulings R4): stores what is wanted, from whichever copy it is asked, and waits until it is so, or is
 * known to fail, or time is up.
 */
export async function switchService(deps: SwitchDeps, wanted: WantedState, actor: Actor): Promise<void> {
  const { db, store, tracking, audit } = deps;
  await db.transaction().execute(async (transaction) => {
    const opened = openTransaction(transaction);
    const before = await store.want(wanted, opened);
    if (before === wanted) return;
    await tracking.setPaused(wanted === 'inactive', opened);
    const subject = { kind: 'telegram-bot', id: 'telegram', label: 'Telegram bot' };
    const action = wanted === 'active' ? 'telegram-bot-initialized' : 'telegram-bot-shut-down';
    await audit.record({ actor, action, subject, before: { wanted: before }, after: { wanted } }, opened);
  });
  await deps.announce();
  await untilSettled(deps, wanted);
}

async function untilSettled(deps: SwitchDeps, wanted: WantedState): Promise<void> {
  const endsAtMs = performance.now() + deps.settleMs;
  for (;;) {
    const news = nextNews(deps, Math.min(lookEveryMs, endsAtMs - performance.now()));
    const row = await deps.store.read();
    const isDone = isSettled(realState(row, deps.hasToken), wanted) || row.wanted !== wanted;
    if (isDone || performance.now() >= endsAtMs) {
      news.forget();
      return;
    }
    await news.come;
  }
}

function nextNews({ onNews, clock }: SwitchDeps, withinMs: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = onNews(resolve);
  const cancel = clock.after(Math.max(withinMs, 0), resolve);
  const forget = (): void => {
    unsubscribe();
    cancel();
  };
  return { come: promise.finally(forget), forget };
}
