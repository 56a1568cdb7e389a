import { concurrently } from '../../process/concurrently.ts';
import type { GuildConfigStore } from './guild-config-store.ts';
import type { PanelMessages } from './panel-messages.ts';
import type { KnownGuild } from './rules/known-guild.ts';
import { inTime } from '../../process/in-time.ts';

interface PanelCheckDeps {
  readonly configs: Pick<GuildConfigStore, 'panelOf' | 'notePanel'>;
  readonly messages: Pick<PanelMessages, 'find'>;
  readonly log: { info(details: object, message: string): void };
  /** How long a result is cached. */
  readonly believedForMs: number;
}

export interface PanelCheck {
  /**
   * Checks whether the verify panels of these servers still exist, unless checked recently. True: something may have been found; false:
   * all was known. Waits a moment at most; slower results are there the next time.
   */
  look(guilds: readonly Pick<KnownGuild, 'guildId' | 'panel'>[]): Promise<boolean>;
  stop(): Promise<void>;
}

/** Requests to Discord per read, and how many at a time: role changes need its limits, too. */
const perReadMax = 100;
const atOnceMax = 2;
const waitMs = 1_500;

/**
 * Discord reports deleted messages only with an intent that the bot lacks (rulings R5), so a read of the list of servers triggers the
 * check. Without an answer of Discord nothing changes.
 */
export function createPanelCheck({ configs, messages, log, believedForMs }: PanelCheckDeps): PanelCheck {
  const stopped = new AbortController();
  const checkedAtMs = new Map<string, number>();
  let running: Promise<unknown> = Promise.resolve();
  const check = async (guildId: string): Promise<void> => {
    if (stopped.signal.aborted) return;
    try {
      const known = await configs.panelOf(guildId);
      if (known === null) return;
      const found = await messages.find(known.panel, stopped.signal);
      if (found !== 'unknown') await configs.notePanel(guildId, known.panel.messageId, found === 'deleted');
    } catch (error) {
      if (!stopped.signal.aborted)
        log.info({ err: error, guildId }, 'It could not be checked whether the verify panel is there');
    }
  };
  const lastMs = (guildId: string): number => checkedAtMs.get(guildId) ?? -Infinity;
  return {
    look: async (guilds) => {
      const nowMs = performance.now();
      const due = guilds
        .filter(({ guildId, panel }) => panel !== 'none' && lastMs(guildId) <= nowMs - believedForMs)
        .map(({ guildId }) => guildId)
        .sort((left, right) => lastMs(left) - lastMs(right))
        .slice(0, perReadMax);
      if (due.length === 0) return false;
      for (const guildId of due) checkedAtMs.set(guildId, nowMs);
      running = Promise.all([running, concurrently(due, atOnceMax, check)]);
      await inTime(running, waitMs, () => {});
      return true;
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
