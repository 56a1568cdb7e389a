import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import { transact, type Trx } from '../db/transaction.ts';
import { inTime } from '../process/in-time.ts';
import { isSettled, type ServiceStore, type WantedState } from './service-store.ts';

export interface SwitchDeps {
  readonly store: Pick<ServiceStore, 'read' | 'want'>;
  readonly hasToken: boolean;
  /** What follows from the change, in its transaction: the log of changes, and what pauses meanwhile. */
  readonly onSwitched: (before: WantedState, after: WantedState, trx: Trx) => Promise<void>;
  /** Notifies every copy of a change. */
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
  /** How long to wait until the bot is what was asked for. */
  readonly settleMs: number;
}

/** How often the real state is checked, besides when a copy says that it changed. */
const lookEveryMs = 1_000;

/**
 * Start and Shutdown of a bot (rulings R4, R5): stores what is wanted, from any copy, and waits until it is so, is known
 * to fail, or time is up.
 */
export async function switchService(
  deps: SwitchDeps & { readonly db: Kysely<Database> },
  wanted: WantedState,
): Promise<void> {
  await transact(deps.db, async (trx) => {
    const before = await deps.store.want(wanted, trx);
    if (before !== wanted) await deps.onSwitched(before, wanted, trx);
  });
  await deps.announce();
  await untilSettled(deps, wanted);
}

async function untilSettled({ store, hasToken, onNews, settleMs }: SwitchDeps, wanted: WantedState): Promise<void> {
  const endsAtMs = performance.now() + settleMs;
  for (;;) {
    const { promise: news, resolve } = Promise.withResolvers<void>();
    // Before the read: what changes meanwhile is news.
    const unsubscribe = onNews(resolve);
    try {
      const row = await store.read();
      const leftMs = endsAtMs - performance.now();
      if (isSettled(row, hasToken, wanted) || row.wanted !== wanted || leftMs <= 0) return;
      await inTime(news, Math.min(lookEveryMs, leftMs), () => {});
    } finally {
      unsubscribe();
    }
  }
}
