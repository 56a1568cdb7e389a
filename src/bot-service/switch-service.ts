import type { Kysely } from 'kysely';

import type { OpenTransaction } from '../shared/open-transaction.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { isSettled, type ServiceStore, type WantedState } from './service-store.ts';

export interface SwitchDeps {
  readonly store: Pick<ServiceStore, 'read' | 'want'>;
  readonly hasToken: boolean;
  /** What follows from the change, in its transaction: the log of changes, and what pauses meanwhile. */
  readonly onSwitched: (before: WantedState, after: WantedState, opened: OpenTransaction) => Promise<void>;
  /** Notifies every copy of a change. */
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
  readonly clock: { after(delayMs: number, run: () => void): () => void };
  /** How long to wait until the bot is what was asked for. */
  readonly settleMs: number;
}

/** How often the real state is checked, besides when a copy says that it changed. */
const lookEveryMs = 1_000;

/**
 * Start and Shutdown of a bot (rulings R4, R5): stores what is wanted, from any copy, and waits until it is so, is known
 * to fail, or time is up.
 */
export async function switchService<Tables>(
  deps: SwitchDeps & { readonly db: Kysely<Tables> },
  wanted: WantedState,
): Promise<void> {
  await inTransaction(deps.db, async (opened) => {
    const before = await deps.store.want(wanted, opened);
    if (before !== wanted) await deps.onSwitched(before, wanted, opened);
  });
  await deps.announce();
  await untilSettled(deps, wanted);
}

async function untilSettled(deps: SwitchDeps, wanted: WantedState): Promise<void> {
  const endsAtMs = performance.now() + deps.settleMs;
  for (;;) {
    const news = nextNews(deps, Math.min(lookEveryMs, endsAtMs - performance.now()));
    const row = await deps.store.read();
    const isDone = isSettled(row, deps.hasToken, wanted) || row.wanted !== wanted;
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
