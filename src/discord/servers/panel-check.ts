import { setTimeout as delay } from 'node:timers/promises';

import { concurrently } from '../../platform/concurrently.ts';
import type { GuildConfigStore } from './guild-config-store.ts';
import type { PanelMessages } from './panel-messages.ts';
import type { KnownGuild } from './rules/known-guild.ts';

interface PanelCheckDeps {
  readonly configs: Pick<GuildConfigStore, 'panelOf' | 'notePanel'>;
  readonly messages: Pick<PanelMessages, 'find'>;
  readonly log: { info(details: object, message: string): void };
  /** For so long what was found is believed. */
  readonly believedForMs: number;
}

export interface PanelCheck {
  /**
   * Looks whether the verify panels of these servers are still there, where that was not looked for lately. True: something may have been
   * found; false: everything was known. Waits a moment at most; what takes longer is found for the next time.
   */
  look(guilds: readonly Pick<KnownGuild, 'guildId' | 'panel'>[]): Promise<boolean>;
  stop(): Promise<void>;
}

/** What a read asks Discord for at most, so many at a time: role changes need its limits, too. */
const perReadMax = 100;
const atOnceMax = 2;
const waitMs = 1_500;

/**
 * Discord tells of deleted messages only with an intent that the bot does not have (rulings R5): whoever reads the list of servers has it
 * asked. What Discord does not answer changes nothing.
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
      await Promise.race([running, delay(waitMs, undefined, { ref: false })]);
      return true;
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
