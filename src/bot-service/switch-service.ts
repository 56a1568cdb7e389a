import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import { transact, type Trx } from '../db/transaction.ts';
import { inTime } from '../process/in-time.ts';
import { type SameBot, isSettled, type ServiceStore, type WantedState } from './service-store.ts';

/** An entry of the log of changes; who may be its actor is the log's own matter. */
interface SwitchEntry<Actor> {
  readonly actor: Actor;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly label: string };
  readonly before: { readonly wanted: WantedState };
  readonly after: { readonly wanted: WantedState };
}

interface WaitDeps {
  readonly store: Pick<ServiceStore, 'read' | 'want'>;
  readonly hasToken: boolean;
  readonly onNews: (run: () => void) => () => void;
  /** How long to wait until the bot is what was asked for. */
  readonly settleMs: number;
}

interface SwitchDeps<Actor> extends WaitDeps {
  readonly db: Kysely<Database>;
  readonly bot: 'telegram' | 'discord';
  readonly sameBot: Pick<SameBot, 'allowOther'>;
  readonly audit: { record(entry: SwitchEntry<Actor>, trx: Trx): Promise<unknown> };
  /** While the bot is off nothing is read for it. */
  readonly setPaused: (isPaused: boolean, trx: Trx) => Promise<void>;
  /** Notifies every copy of a change. */
  readonly announce: () => Promise<void>;
}

/** How often the real state is checked, besides when a copy says that it changed. */
const lookEveryMs = 1_000;

/**
 * Start and Shutdown of a bot (rulings R4, R5): stores what is wanted, from any copy, and waits until it is so, is known
 * to fail, or time is up.
 */
export async function switchService<Actor>(deps: SwitchDeps<Actor>, wanted: WantedState, actor: Actor): Promise<void> {
  await transact(deps.db, async (trx) => {
    const before = await deps.store.want(wanted, trx);
    if (before !== wanted) await switchIn(trx, deps, { before, after: wanted, actor });
  });
  await deps.announce();
  await untilSettled(deps, wanted);
}

interface Switched<Actor> {
  readonly before: WantedState;
  readonly after: WantedState;
  readonly actor: Actor;
}

/** What follows from the change: what pauses meanwhile, and the log of changes. */
async function switchIn<Actor>(
  trx: Trx,
  { bot, sameBot, audit, setPaused }: SwitchDeps<Actor>,
  { before, after, actor }: Switched<Actor>,
): Promise<void> {
  await setPaused(after === 'inactive', trx);
  if (after === 'inactive') await sameBot.allowOther(trx);
  const subject = { kind: `${bot}-bot`, id: bot, label: bot === 'telegram' ? 'Telegram bot' : 'Discord bot' };
  const action = `${bot}-bot-${after === 'active' ? 'initialized' : 'shut-down'}`;
  await audit.record({ actor, action, subject, before: { wanted: before }, after: { wanted: after } }, trx);
}

async function untilSettled({ store, hasToken, onNews, settleMs }: WaitDeps, wanted: WantedState): Promise<void> {
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
