import { setTimeout as delay } from 'node:timers/promises';

import { createOutageNote } from '../outage-note.ts';
import { type BotTurnDeps, holdBotTurn } from './bot-turn.ts';
import type { ServiceRow } from './service-store.ts';

interface KeeperDeps extends BotTurnDeps {
  /** What each copy does while the bot is wanted, whoever runs it: the sending. */
  readonly onWanted?: (service: ServiceRow) => void;
  readonly onUnwanted?: () => Promise<void>;
}

export interface BotKeeper {
  start(): void;
  /** Lets go of the bot; another copy may take it at once. */
  stop(): Promise<void>;
}

/**
 * Looks whether the bot is wanted and whether it is this copy's turn, until stopped: a restart brings the bot back as it was, and
 * another copy takes over when the one that runs it dies.
 */
export function createBotKeeper(deps: KeeperDeps): BotKeeper {
  const stopped = new AbortController();
  let kept: Promise<void> = Promise.resolve();
  let look = Promise.withResolvers<void>();
  const note = createOutageNote(deps.log, `The ${deps.label} could not read its wanted state`);

  /** True: look again at once. */
  const lookOnce = async (): Promise<boolean> => {
    const service = await deps.store.read();
    note.done();
    if (service.wanted !== 'active') {
      await deps.onUnwanted?.();
      return false;
    }
    deps.onWanted?.(service);
    const askedAtMs = performance.now();
    const lease = await deps.leases.acquire(deps.store.leaseName, deps.pace.leaseMs);
    if (lease === null) return false;
    try {
      if (!stopped.signal.aborted) await holdBotTurn(deps, { lease, askedAtMs }, stopped.signal);
    } finally {
      await deps.leases.release(lease).catch(() => {});
    }
    return true;
  };
  const pause = (): Promise<void> =>
    delay(deps.pace.heartbeatMs, undefined, { signal: stopped.signal }).catch(() => {});
  const keep = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      look = Promise.withResolvers<void>();
      const again = await lookOnce().catch((error: unknown) => {
        note.failed(error);
        return false;
      });
      // A signal that came while this copy was busy is in `look` already.
      if (!again) await Promise.race([look.promise, pause()]);
    }
  };

  const stopListening = { stop: () => {} };
  return {
    start: () => {
      stopListening.stop = deps.onWish(() => look.resolve());
      kept = keep();
    },
    stop: async () => {
      stopped.abort();
      stopListening.stop();
      await kept;
    },
  };
}
